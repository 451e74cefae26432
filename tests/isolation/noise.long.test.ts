// While project A holds all connections it may have and fills its queue, project B is served as before.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';
import { asSuperuser, Deployment } from '../support/deployment.js';
import { type Reply, send } from '../support/http.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';

const connectionsOfA = 4;
const scripts = 2;
/** More than the connections and the queue of a project (512) together. */
const crowd = 560;
const samples = 60;

let deployment: Deployment;
let noisy: ProjectUnderTest;
let quiet: ProjectUnderTest;
let user: SignedIn;

beforeAll(async () => {
  deployment = await Deployment.open({
    env: { CONNECTION_BUDGET: '8', PROJECT_CONNECTIONS: String(connectionsOfA) },
  });
  [noisy, quiet] = await Promise.all([deployment.createProject(), deployment.createProject()]);
  await noisy.sql(`
    create function wait_long() returns boolean language plpgsql as
      $$begin perform pg_sleep(55); return true; end$$;
    create table slow (id int);
    create policy slowly on slow for select using (wait_long());
    insert into slow values (1);
    create table quick (id int);
    create policy everybody on quick for select using (true);
    insert into quick values (1);`);
  // Longer than the test, so that A holds its connections to the end on a slow machine too.
  const statements = { statementTimeoutAnon: 60, statementTimeoutService: 60 };
  const path = '/api/admin/settings/api.rest';
  expect(await noisy.asService({ method: 'PUT', path, body: statements })).toMatchObject({
    status: 200,
  });
  await quiet.sql(`
    create table notes (id bigint generated always as identity primary key, text text,
      owner text not null default auth.uid());
    create policy own on notes using (owner = (select auth.uid()));`);
  user = await quiet.signUp('user@example.org');
}, 60_000);
afterAll(() => deployment.close());

/** Requests of every kind to B, one behind the other; how long each took, in milliseconds. */
async function measureQuiet(): Promise<readonly number[]> {
  const times: number[] = [];
  for (let sample = 0; sample < samples; sample++) {
    const startedAt = performance.now();
    const path = '/rest/v1/notes?limit=20';
    const replies = await Promise.all([
      quiet.as(user, { path }),
      quiet.as(user, { path: '/rest/v1/notes', method: 'POST', body: { text: 'more' } }),
      quiet.as(user, { path: '/api/auth/get-session' }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 201, 200]);
    times.push(performance.now() - startedAt);
  }
  return times;
}

/** What the server counts of connections: in all, or of one project. */
async function connections(state: string, ref?: string): Promise<number> {
  const { text } = await send(deployment.apiOrigin, { path: '/metrics' });
  const name =
    ref === undefined
      ? `rowhouse_connections{state="${state}"}`
      : `rowhouse_project_connections{project="${ref}",state="${state}"}`;
  const line = text.split('\n').find((each) => each.startsWith(name));
  return Number(line?.slice(name.length) ?? Number.NaN);
}

function sleepers(): Promise<unknown[]> {
  return asSuperuser(
    `select pid from pg_stat_activity where datname = $1 and wait_event = 'PgSleep'`,
    { values: [noisy.database] },
  );
}

const summary = (times: readonly number[]): string => {
  const sorted = times.toSorted((one, other) => one - other);
  const [median = 0, worst = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  return `median ${median.toFixed(1)} ms, worst ${worst.toFixed(1)} ms`;
};

test('a noisy project is refused its surplus, and its neighbor does not notice', async () => {
  await noisy.send({ path: '/rest/v1/quick' });
  const before = await measureQuiet();

  const answered: Reply[] = [];
  const note = (reply: Reply): Reply => (answered.push(reply), reply);
  const sleep = { method: 'POST', path: '/api/admin/sql', body: { query: 'select pg_sleep(55)' } };
  const noise = Array.from({ length: scripts }, () => noisy.asService(sleep).then(note));
  for (let more = scripts; more < connectionsOfA; more++) {
    noise.push(noisy.send({ path: '/rest/v1/slow' }).then(note));
  }
  await waitFor(async () => (await sleepers()).length === connectionsOfA);
  for (let index = 0; index < crowd; index++) {
    noise.push(noisy.send({ path: '/rest/v1/quick' }).then(note));
  }
  await waitFor(async () => (await connections('waiting', noisy.ref)) >= 512);

  const during = await measureQuiet();
  // All of it happened while A still slept: B waited for nothing of A.
  expect(await sleepers()).toHaveLength(connectionsOfA);
  expect(await connections('busy', noisy.ref)).toBe(connectionsOfA);
  const surplus = [...answered];
  expect(surplus.length).toBeGreaterThan(0);
  for (const { status, body, headers } of surplus) {
    expect({ status, body }).toMatchObject({ status: 503, body: { code: 'PROJECT_BUSY' } });
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  }
  process.stdout.write(`B before: ${summary(before)}; during: ${summary(during)}\n`);

  await asSuperuser(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = $1 and wait_event = 'PgSleep'`,
    { values: [noisy.database] },
  );
  const all = await Promise.all(noise);
  // On a slow machine all that waited were refused before A was free.
  expect(
    all.map(({ status }) => status).filter((status) => status !== 200 && status !== 503),
  ).toEqual([]);

  const read = await noisy.send({ path: '/rest/v1/quick' });
  expect(read).toMatchObject({ status: 200, body: [{ id: 1 }] });
  expect(await noisy.sql('select 1 as one')).toEqual([{ one: 1 }]);
  await waitFor(async () => (await connections('busy')) === 0);
  expect(await connections('waiting')).toBe(0);
}, 60_000);
