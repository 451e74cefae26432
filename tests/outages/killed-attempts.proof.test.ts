// PostgreSQL is killed before each step of the creation and of the deletion of a project. The request is answered with
// success or with 503, and a client that tries again gets what it asked for.
import { afterAll, afterEach, beforeAll, expect, vi, test } from 'vitest';

import { uniqueWord } from '../console/control-plane-fixture.js';
import { withinAMinute } from '../console/crash-fixture.js';
import { asSuperuserOf, House } from '../support/house.js';
import type { Reply } from '../support/http.js';
import { OwnServer } from './own-server.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

/** The operation of a creation begins with the reservation of the ref, that of a deletion ends with the row. */
const creation = [
  'check that the names are free',
  'make the folder',
  'create the roles and the database',
  'grant the rights',
  'activate',
];
const deletion = [
  'rename the database',
  'remove the objects',
  'drop the snapshots',
  'drop the database',
  'note the logins',
  'remove the folder',
  'remove the row',
];

let server: OwnServer;
let house: House;

beforeAll(async () => {
  // As in a deployment: the attempt that kills the server is counted.
  server = await OwnServer.start({ synchronous_commit: 'on' });
  house = await House.open({ databaseUrl: server.url });
});
afterAll(async () => {
  await house.leave();
  await server.remove();
});
afterEach(stopKilling);

const onControlPlane = (text: string) =>
  asSuperuserOf(server.url, text, { database: house.ground.databaseName });

/** Has the first attempt kill the server when it begins a step. */
async function killAt(step: string): Promise<void> {
  // A kill of the postmaster ends all other processes of the server as soon as they notice.
  await onControlPlane(`
    create or replace function kill_postmaster() returns trigger language plpgsql as $$
    begin
      copy (select) to program 'kill -9 $(head -n 1 postmaster.pid)';
      return null;
    end $$;
    create trigger kill_at after update of step on operation for each row
      when (new.attempts = 1 and new.step = '${step}') execute function kill_postmaster()`);
}

function stopKilling(): Promise<void> {
  return withinAMinute(async () => {
    await onControlPlane('drop trigger if exists kill_at on operation');
    return true;
  });
}

const create = (ref: string): Promise<Reply> =>
  house.console({ method: 'POST', path: '/platform/projects', body: { name: 'Killed', ref } });
const remove = (ref: string): Promise<Reply> =>
  house.console({ method: 'DELETE', path: `/platform/projects/${ref}?now=true`, body: { ref } });

function expectAway(reply: Reply): void {
  expect({ body: reply.body, ...reply.headers }).toMatchObject({
    body: { code: 'DATABASE_UNAVAILABLE', status: 503, details: { reason: 'disconnected' } },
    'retry-after': '1',
  });
}

/** Repeats a request as a client does, until its answer is none of `refusals`. */
async function repeated(request: () => Promise<Reply>, refusals: readonly string[]) {
  let last: Reply | undefined;
  await withinAMinute(async () => {
    last = await request();
    return !refusals.includes(String(Object(last.body).code));
  });
  return last;
}

test.each(creation)('a creation that is killed before the step "%s"', async (step) => {
  const ref = uniqueWord('k');
  await killAt(step);
  expectAway(await create(ref));
  await stopKilling();
  const again = await repeated(() => create(ref), ['DATABASE_UNAVAILABLE', 'REF_BEING_RELEASED']);
  expect(again?.status).toBe(201);
});

test.each(deletion)('a deletion that is killed before the step "%s"', async (step) => {
  const ref = uniqueWord('k');
  await create(ref);
  await killAt(step);
  expectAway(await remove(ref));
  await stopKilling();
  const again = await repeated(() => remove(ref), ['DATABASE_UNAVAILABLE']);
  expect([204, 404]).toContain(again?.status);
});
