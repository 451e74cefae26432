// What code of a project leaves in a session of requests, beside settings: channels that it listens to, locks, cursors
// and temporary tables (decision 62). It stays there, and gives the project nothing over another one or the platform.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import pg from 'pg';

import { waitFor } from '#libs/testing';
import { asSuperuser, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let neighbor: ProjectUnderTest;

beforeAll(async () => {
  deployment = await Deployment.shared();
});
afterAll(() => deployment.close());

// Projects of their own for each test: what one leaves in a session must not decide the next.
beforeEach(async () => {
  [project, neighbor] = [await deployment.createProject(), await deployment.createProject()];
  for (const each of [project, neighbor])
    await each.sql(`
      create table notes (id int primary key, body text);
      create policy everybody on notes using (true) with check (true);
      insert into notes values (1, 'own');
      create function run(sql text) returns text language plpgsql as
        $$declare found text; begin execute sql into found; return found;
        exception when others then return sqlstate; end$$;
      create function execute_in_session(sql text) returns int language plpgsql as
        $$begin execute sql; return pg_backend_pid(); end$$;
      create function make_table() returns int language sql security definer as
        $$create temporary table notes (id int, body text); select 1$$;`);
});

const call = async (of: ProjectUnderTest, name: string, sql: string) => {
  const path = `/rest/v1/rpc/${name}`;
  const reply = await of.asService({ method: 'POST', path, body: { sql } });
  expect(reply.status).toBe(200);
  return reply.body;
};
const run = (of: ProjectUnderTest, sql: string) => call(of, 'run', sql);
/** Runs `sql`, which has no rows, and returns the process of its session. */
const executeIn = (of: ProjectUnderTest, sql: string) => call(of, 'execute_in_session', sql);
const rowsOf = async (of: ProjectUnderTest) =>
  (await of.send({ path: '/rest/v1/notes?select=body' })).body;
const ownRows = [{ body: 'own' }];

const kept = [
  {
    name: 'a channel',
    code: 'listen news',
    question: 'select pg_listening_channels()',
    own: 'news',
    foreign: null,
  },
  {
    name: 'a lock',
    code: 'do $$begin perform pg_advisory_lock(7); end$$',
    question: 'select pg_advisory_unlock(7)',
    own: 'true',
    foreign: 'false',
  },
  {
    name: 'a cursor',
    code: `declare held cursor with hold for select 'kept'`,
    question: 'fetch next from held',
    own: 'kept',
    foreign: '34000',
  },
  {
    name: 'a temporary table',
    code: 'do $$begin perform make_table(); end$$',
    question: `select count(*) from pg_class where relname = 'notes' and relpersistence = 't'`,
    own: '1',
    foreign: '0',
  },
];

test.each(kept)('$name stays, and is of no other project', async (each) => {
  const { code, question, own, foreign } = each;
  const [mine, others] = [
    await executeIn(project, code),
    await executeIn(neighbor, 'set app.word = 1'),
  ];
  expect(mine).not.toBe(others);
  expect(await run(neighbor, question)).toBe(foreign);
  expect([await rowsOf(project), await rowsOf(neighbor)]).toEqual([ownRows, ownRows]);
  expect(await run(project, question)).toBe(own);
});

test.each(kept)('$name is in no session of a script or of the engine', async ({ code, name }) => {
  await executeIn(project, code);
  const [inScript] = await project.sql(
    `select (select count(*) from pg_listening_channels())::int as channels,
       (select count(*) from pg_cursors where name = 'held')::int as cursors,
       to_regclass('pg_temp.notes') as temporary`,
  );
  expect(inScript).toEqual({ channels: 0, cursors: 0, temporary: null });
  const user = await project.signUp('ada@example.org');
  const reply = await project.as(user, { path: '/api/auth/get-session' });
  expect(reply.text).toContain(user.id);
  // A lock is of the whole database of the project: its own scripts wait for it.
  const holders = await asSuperuser(
    `select distinct usename as name from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and datname = $1`,
    { values: [project.database] },
  );
  expect(holders).toEqual(name === 'a lock' ? [{ name: project.login('api') }] : []);
});

test('a message to a channel reaches no session of another project, and disturbs no answer', async () => {
  const mine = await executeIn(project, 'listen news');
  const heard: string[] = [];
  const listener = new pg.Client({ connectionString: neighbor.databaseUrl });
  await listener.connect();
  try {
    listener.on('notification', ({ payload = '' }) => heard.push(payload));
    await listener.query('listen news');
    await project.sql(
      `select pg_notify('news', repeat('x', 7000) || n) from generate_series(1, 200) n`,
    );
    for (let round = 0; round < 4; round++) expect(await rowsOf(project)).toEqual(ownRows);
    await listener.query(`notify news, 'own'`);
    await waitFor(async () => heard.includes('own'));
    expect(heard).toEqual(['own']);
  } finally {
    await listener.end();
  }
  expect(await executeIn(project, 'set app.word = 1')).toBe(mine);
});

test('a session that listens reads its messages, so that the queue of all projects stays free', async () => {
  await executeIn(project, 'listen news');
  await neighbor.sql(
    `select pg_notify('noise', repeat('x', 7000) || n) from generate_series(1, 2000) n`,
  );
  await waitFor(async () => {
    const [usage] = await asSuperuser('select pg_notification_queue_usage() as used');
    return usage?.['used'] === 0;
  });
});

test('a lock of the name that the platform takes holds up nothing but the project', async () => {
  for (const name of [
    'rowhouse storage quota',
    `rowhouse project ${neighbor.ref}`,
    'migrate project',
  ])
    await executeIn(
      project,
      `do $$begin perform pg_advisory_lock(hashtextextended('${name}', 0)); end$$`,
    );
  expect(
    await run(neighbor, `select pg_try_advisory_lock(hashtextextended('migrate project', 0))`),
  ).toBe('true');
  const path = `/platform/projects/${neighbor.ref}`;
  expect((await deployment.console({ method: 'POST', path: `${path}/pause` })).status).toBeLessThan(
    300,
  );
  expect(
    (await deployment.console({ method: 'POST', path: `${path}/resume` })).status,
  ).toBeLessThan(300);
  await waitFor(async () => (await neighbor.send({ path: '/rest/v1/notes' })).status === 200);
});
