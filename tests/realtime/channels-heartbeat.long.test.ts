// Cursors of clients that receive no changes: they grow, so that such a client can come back, too.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';

import { createProject, type ProjectFixture } from '../database/project-fixture.js';
import { type HubStage, type Listener, openHubStage } from './hub-stage.js';

let project: ProjectFixture;
let stage: HubStage;
beforeAll(async () => {
  project = await createProject();
  await project.admin.query(`
    create table public.calm (id int);
    create policy everybody on public.calm using (true);
    grant select on public.calm to anon;
    create table public.busy (id int);
    create policy everybody on public.busy using (true);
    grant select on public.busy to anon`);
  stage = await openHubStage(project);
});
afterAll(async () => {
  await stage.close();
  await project.drop();
});

const write = (table: string) => project.admin.query(`insert into public.${table} values (1)`);
const join = (client: Listener, topic: string, table: string, resume?: unknown) =>
  client.join({
    topic,
    config: { postgres_changes: [{ table }] },
    ...(resume !== undefined && { resume }),
  });
const cursorsOf = (client: Listener) => client.frames('rt:pg').map(({ cur }) => cur);
/** A minute later, with something that has been written since. */
async function minute(): Promise<void> {
  await write('busy');
  stage.clock.move(61_000);
  stage.realtime.wake();
}

test('a client without changes receives a cursor, from which it can go on when its first one is too old', async () => {
  const client = await stage.connect();
  const { cursor } = await join(client, 'calm', 'calm');
  await write('calm');
  await waitFor(() => client.frames('rt:pg').length === 1);
  const afterFirst = client.frames('rt:pg').length;
  // A mark that the cursors so far have not seen.
  await write('busy');
  await project.admin.query('delete from realtime.marks; select realtime.trim_outbox()');
  await minute();
  await waitFor(() => client.frames('rt:pg').length > afterFirst);
  const beat = client.frames('rt:pg').at(-1);
  expect(beat).toEqual({ t: 'calm', e: [], cur: expect.any(String) });
  await project.admin.query(`
    update realtime.marks set at = at - interval '11 minutes';
    select realtime.trim_outbox()`);
  const late = await stage.connect();
  expect(await join(late, 'late', 'calm', cursor)).toMatchObject({ recovered: false });
  expect(await join(late, 'current', 'calm', beat?.['cur'])).toMatchObject({ recovered: true });
  client.leave();
  late.leave();
});

test('each minute every client with bindings has a newer cursor, with changes or without', async () => {
  const [quiet, busy] = [await stage.connect(), await stage.connect()];
  await join(quiet, 'quiet', 'calm');
  await join(busy, 'busy', 'busy');
  for (let minutes = 1; minutes <= 3; minutes += 1) {
    await minute();
    await waitFor(() => new Set(cursorsOf(quiet)).size === minutes);
    await waitFor(() => busy.frames('rt:pg').length >= minutes);
  }
  expect(quiet.frames('rt:pg').map(({ e }) => e)).toEqual([[], [], []]);
  expect(busy.frames('rt:pg').flatMap(({ e }) => e)).toHaveLength(3);
  quiet.leave();
  busy.leave();
});

test('a channel without bindings receives none', async () => {
  const [plain, bound] = [await stage.connect(), await stage.connect()];
  await plain.join({ topic: 'plain' });
  await join(bound, 'bound', 'calm');
  await minute();
  await waitFor(() => bound.frames('rt:pg').length === 1);
  expect(plain.frames('rt:pg')).toEqual([]);
  plain.leave();
  bound.leave();
});
