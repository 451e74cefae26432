// PostgreSQL, or the process of the product, is killed before each step of the creation and of the deletion of a
// project. A request that is answered gets success or 503, and a client that tries again gets what it asked for.
import { afterAll, afterEach, beforeAll, describe, expect, vi, test } from 'vitest';

import { uniqueWord } from '../console/control-plane-fixture.js';
import { withinAMinute } from '../console/crash-fixture.js';
import { creationSteps, deletionSteps } from '../console/project-steps.js';
import { asSuperuserOf, Deployment } from '../support/deployment.js';
import type { Call, Reply } from '../support/http.js';
import { TrialDeployment } from '../trial/deployment.js';
import { holdStep } from './held-step.js';
import { OwnServer } from './own-server.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

/** The operation of a creation begins with the reservation of the ref, that of a deletion ends with the row. */
const creation = creationSteps.slice(1);
const deletion = deletionSteps.slice(0, -1);

/** Repeats a request as a client does, until its answer is none of `refusals`. */
async function repeated(request: () => Promise<Reply>, refusals: readonly string[]) {
  let last: Reply | undefined;
  await withinAMinute(async () => {
    last = await request();
    return !refusals.includes(String(Object(last.body).code));
  });
  return last;
}

/** A creation has succeeded, or the product has finished it by itself: there is a project that works. */
async function expectCreated(
  reply: Reply | undefined,
  ref: string,
  request: (call: Call) => Promise<Reply>,
): Promise<void> {
  if (reply?.status !== 201) expect(reply?.body).toMatchObject({ status: 409, code: 'REF_TAKEN' });
  const path = `/platform/projects/${ref}/api/admin/sql`;
  const answer = await request({ method: 'POST', path, body: { query: 'select 1 as one' } });
  expect(answer.body).toMatchObject({ rows: [{ one: 1 }] });
}

describe('PostgreSQL is killed', () => {
  let server: OwnServer;
  let deployment: Deployment;

  beforeAll(async () => {
    // As in a deployment: the attempt that kills the server is counted.
    server = await OwnServer.start({ synchronous_commit: 'on' });
    deployment = await Deployment.open({ databaseUrl: server.url });
  });
  afterAll(async () => {
    await deployment.stop();
    await server.remove();
  });
  afterEach(stopKilling);

  const onControlPlane = (text: string) =>
    asSuperuserOf(server.url, text, { database: deployment.ground.databaseName });

  /** Has the first attempt kill the server when it begins a step. */
  async function killAt(step: string): Promise<void> {
    // A kill of the postmaster ends all other processes of the server as soon as they notice. The program reads its
    // input first: a pipe that it closed earlier would be an error of this trigger, not of a lost connection.
    await onControlPlane(`
      create or replace function kill_postmaster() returns trigger language plpgsql as $$
      begin
        copy (select) to program 'cat > /dev/null; kill -9 $(head -n 1 postmaster.pid)';
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
    deployment.console({
      method: 'POST',
      path: '/platform/projects',
      body: { name: 'Killed', ref },
    });
  const remove = (ref: string): Promise<Reply> =>
    deployment.console({
      method: 'DELETE',
      path: `/platform/projects/${ref}?now=true`,
      body: { ref },
    });

  function expectAway(reply: Reply): void {
    expect({ body: reply.body, ...reply.headers }).toMatchObject({
      body: { code: 'DATABASE_UNAVAILABLE', status: 503, details: { reason: 'disconnected' } },
      'retry-after': '1',
    });
  }

  test.each(creation)('during a creation, before the step "%s"', async (step) => {
    const ref = uniqueWord('k');
    await killAt(step);
    expectAway(await create(ref));
    await stopKilling();
    const again = await repeated(() => create(ref), ['DATABASE_UNAVAILABLE', 'REF_BEING_RELEASED']);
    await expectCreated(again, ref, (call) => deployment.console(call));
  });

  test.each(deletion)('during a deletion, before the step "%s"', async (step) => {
    const ref = uniqueWord('k');
    await create(ref);
    await killAt(step);
    expectAway(await remove(ref));
    await stopKilling();
    const again = await repeated(() => remove(ref), ['DATABASE_UNAVAILABLE']);
    expect([204, 404]).toContain(again?.status);
  });
});

describe('the process of the product is killed', () => {
  let deployment: TrialDeployment;

  beforeAll(async () => {
    deployment = await TrialDeployment.open();
  });
  afterAll(() => deployment.remove());

  /** Kills the server when the first attempt that `request` makes comes to a step, and starts it again. */
  async function killAt(step: string, request: () => Promise<Reply>): Promise<void> {
    {
      await using held = await holdStep(await deployment.controlPlaneUrl(), step);
      const answer = request().then(
        ({ status }) => status,
        (error: unknown) => Reflect.get(Object(error), 'code'),
      );
      await held.reached();
      await deployment.kill();
      expect(await answer).toBe('ECONNRESET');
    }
    await deployment.start();
  }

  test.each(creation)('during a creation, before the step "%s"', async (step) => {
    const ref = uniqueWord('k');
    const create = (): Promise<Reply> => deployment.requestProject(ref);
    await killAt(step, create);
    const again = await repeated(create, ['REF_BEING_RELEASED']);
    await expectCreated(again, ref, (call) => deployment.console(call));
    expect((await deployment.requestDeletion(ref)).status).toBe(204);
    await expectNothingLeft();
  });

  test.each(deletion)('during a deletion, before the step "%s"', async (step) => {
    const ref = uniqueWord('k');
    await deployment.createProject(ref);
    const remove = (): Promise<Reply> => deployment.requestDeletion(ref);
    await killAt(step, remove);
    const again = await repeated(remove, []);
    expect([204, 404]).toContain(again?.status);
    await expectNothingLeft();
  });

  /** There is no project, so the server has no database and no login of one, and no work is open. */
  function expectNothingLeft(): Promise<void> {
    return withinAMinute(async () => {
      const left = await deployment.ask(`
        select datname::pg_catalog.text as name from pg_catalog.pg_database where datname ~ '^p_d'
        union all select rolname::pg_catalog.text from pg_catalog.pg_roles where rolname ~ '^d[0-9a-f]{20}_'
        union all select kind || ' ' || ref from operation where finished_at is null
        union all select ref from project
        union all select database_id from leftover_logins`);
      if (left.length > 0) throw new Error(JSON.stringify(left));
      return true;
    });
  }
});
