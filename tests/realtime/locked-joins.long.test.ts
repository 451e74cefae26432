// Joins with filters on a locked table, beside others that are refused or whose clients go.
import type { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { connect, createProject, type ProjectFixture } from '../database/project-fixture.js';
import { type HubStage, openHubStage } from './hub-stage.js';
import { lockAttempts, waitForAttempts } from './lock-attempts.js';

let project: ProjectFixture;
let stage: HubStage;
let migration: Client;
beforeAll(async () => {
  project = await createProject();
  await project.admin.query(`
    create table public.songs (id int);
    create policy everybody on public.songs using (true);
    grant select on public.songs to anon`);
  stage = await openHubStage(project);
  migration = await connect(project.database);
});
beforeEach(async () => {
  await migration.query('begin; lock table public.songs in access exclusive mode');
});
afterEach(() => migration.query('rollback'));
afterAll(async () => {
  await migration.end();
  await stage.close();
  await project.drop();
});

/** A client that joins, and how that ends: with a status or the code of a refusal. */
async function joinWith(...filters: readonly string[]) {
  const client = await stage.connect();
  const config = { postgres_changes: filters.map((filter) => ({ table: 'songs', filter })) };
  const ending = client.join({ topic: 'songs', config }).then(
    ({ status }) => status,
    (error: { readonly code?: string }) => error.code,
  );
  return { client, ending };
}

test('joins whose other filters are wrong keep none waiting when the lock has ended', async () => {
  const attempts = lockAttempts(project.admin);
  const first = await joinWith('id=eq.0', 'id=eq.x');
  // It has found the lock when the others come.
  await waitForAttempts(attempts, 2);
  const wrong = [first];
  for (let n = 1; n < 40; n += 1) wrong.push(await joinWith(`id=eq.${n}`, 'id=eq.x'));
  const right = await joinWith('id=gt.0');
  await migration.query('commit');
  expect(await right.ending).toBe('ok');
  const endings = await Promise.all(wrong.map(({ ending }) => ending));
  expect(new Set(endings)).toEqual(new Set(['INVALID_FRAME']));
  for (const { client } of [right, ...wrong]) client.leave();
});

test('a join whose client has gone ends while the lock lasts', async () => {
  const attempts = lockAttempts(project.admin);
  const { client, ending } = await joinWith('id=lt.0');
  await waitForAttempts(attempts, 2);
  client.leave();
  expect(await ending).toBe('CHANNEL_CLOSED');
});
