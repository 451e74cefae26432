// Two processes of one deployment: what one writes, clients of the other receive without waiting for its next poll. Polls
// are so far apart here that only a signal can bring a change in time.
import { afterEach, expect, test } from 'vitest';

import { testIf, waitFor } from '#libs/testing';

import { asSuperuser, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import {
  changesIn,
  changesOf,
  changesUntil,
  disconnected,
  hourlyPace,
  systemFrame,
} from './channel-fixture.js';
import { openClient, type RealtimeClient } from './realtime-client.js';
import { hasRedis, startRedis } from './redis-server.js';

const changePace = hourlyPace;
const endings: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
}, 60_000);

test('over PostgreSQL, a write through one process reaches clients of the other', async () => {
  await expectCrossing({});
}, 120_000);

testIf(hasRedis, 'no redis-server on this machine (package redis-server)')(
  'over Redis, a write through one process reaches clients of the other',
  async () => {
    const redis = await startRedis();
    endings.push(() => redis.stop());
    await expectCrossing({ REDIS_URL: redis.url });
  },
  120_000,
);

async function expectCrossing(env: Readonly<Record<string, string>>): Promise<void> {
  const deployment = await Deployment.open({ env, changePace });
  endings.push(() => deployment.close());
  const other = await Deployment.open({ env, changePace }, deployment);
  endings.push(() => other.stop());
  const [a, b] = [await createProject(deployment), await createProject(deployment)];
  const ofA = await listen(a.through(other.apiOrigin));
  const ofB = await listen(b.through(other.apiOrigin));

  // The process of the writer learns of the listener with a word that may still be under way.
  await insertUntil(a, ofA);
  // What is written from outside is announced by no process, and read with the next write that is.
  await asSuperuser(`insert into notes values ('outside')`, { database: b.database });
  await insert(a, 'of A');
  await changesUntil(ofA, 'of A');
  await runSql(a, `insert into notes values ('of the SQL editor')`);
  await changesUntil(ofA, 'of the SQL editor');
  // Signals of A have not made the other process read the changes of B.
  expect(changesIn(ofB)).toEqual([]);
  await insert(b, 'of B');
  await changesUntil(ofB, 'of B');
  expect(changesIn(ofB).map(({ new: row }) => row)).toEqual([
    { text: 'outside' },
    { text: 'of B' },
  ]);

  const user = await a.signUp('ann@example.org');
  const ofUser = await openClient(a.through(other.apiOrigin), { token: user.token });
  endings.push(() => ofUser.close());
  const path = `/api/admin/users/${user.id}/sessions`;
  expect((await a.asService({ method: 'DELETE', path })).status).toBe(204);
  await systemFrame(ofUser, 'SESSION_ENDED');
  await disconnected(ofUser);
}

async function createProject(deployment: Deployment): Promise<ProjectUnderTest> {
  const project = await deployment.createProject();
  await project.sql('create table public.notes (text text)');
  return project;
}

async function listen(project: ProjectUnderTest): Promise<RealtimeClient> {
  const client = await openClient(project, { apikey: project.secretKey });
  endings.push(() => client.close());
  const config = changesOf({ table: 'notes' });
  const joined = await client.ask('rt:join', { topic: 'notes', config });
  expect(joined).toMatchObject({ status: 'ok' });
  return client;
}

async function insert(project: ProjectUnderTest, text: string): Promise<void> {
  const call = { method: 'POST', path: '/rest/v1/notes', body: { text } } as const;
  const reply = await project.asService(call);
  expect(reply.status, reply.text).toBe(201);
}

async function insertUntil(project: ProjectUnderTest, client: RealtimeClient): Promise<void> {
  let number = 0;
  const insertMore = async (): Promise<boolean> => {
    await insert(project, `first ${(number += 1)}`);
    return changesIn(client).length > 0;
  };
  await waitFor(insertMore, { until: 'a change arrives in the other process' });
}

async function runSql(project: ProjectUnderTest, query: string): Promise<void> {
  const call = { method: 'POST', path: '/api/admin/sql', body: { query } } as const;
  const reply = await project.asService(call);
  expect(reply.status, reply.text).toBe(200);
}
