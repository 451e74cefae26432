// A hostile owner takes locks that other projects and the platform have to wait for. The watch ends its sessions.
// The server belongs to this file: it may be unable to answer for a while.
import { deleteProject } from '#libs/control-plane';
import { waitFor } from '#libs/testing';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { Client } from 'pg';
import { pino } from 'pino';
import { type RunningLockWatch, startLockWatch } from '../../bin/lock-watch.js';
import { beginOnly } from './begin-only.js';
import {
  databaseIdOf,
  openFixture,
  type ControlPlaneFixture,
  type NewProject,
} from './control-plane-fixture.js';
import { openOwnServer, type OwnServer } from '../support/own-server.js';

/** A test that fails waits this long and no longer. */
const patienceMs = 15_000;

let server: OwnServer;
let fixture: ControlPlaneFixture;
let watch: RunningLockWatch;
let [hostile, neighbor]: NewProject[] = [];
const warnings: Record<string, unknown>[] = [];
const opened: Client[] = [];

beforeAll(async () => {
  server = await openOwnServer();
  const superuser = await connect();
  await superuser.query(`alter system set autovacuum_naptime = '1s'`);
  await superuser.query('select pg_reload_conf()');
  fixture = await openFixture(server.url);
  const log = pino({}, { write: (line) => void warnings.push(JSON.parse(line)) });
  watch = startLockWatch({
    databaseUrl: server.url,
    log,
    limits: { autovacuumMs: 3_000, oldTransactions: 20_000 },
  });
  watch.nameProjects(fixture.context);
  [hostile, neighbor] = [await fixture.newProject(), await fixture.newProject()];
}, 120_000);
afterEach(async () => {
  await Promise.all(opened.splice(0).map((client) => client.end().catch(() => undefined)));
  warnings.length = 0;
});
afterAll(async () => {
  await watch?.close();
  await fixture?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
}, 60_000);

/** A session that gives up, and whose end is no error of the test. */
async function connect(url = server.url): Promise<Client> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: patienceMs,
    query_timeout: patienceMs,
  });
  client.on('error', () => undefined);
  opened.push(client);
  await client.connect();
  return client;
}

const attack = async (...statements: string[]): Promise<Client> => {
  const client = await connect(hostile?.url);
  for (const statement of statements) await client.query(statement);
  return client;
};
const isAlive = (client: Client): Promise<boolean> =>
  client.query('select 1').then(
    () => true,
    () => false,
  );
const locksOf = async (observer: Client, condition: string): Promise<number> =>
  (await observer.query(`select from pg_catalog.pg_locks where ${condition}`)).rowCount ?? 0;
/** Waits until the watch has ended a worker of autovacuum, which comes when it wants to. */
async function autovacuumEnded(reason: string): Promise<void> {
  const find = () => warnings.find((warning) => warning['reason'] === reason);
  expect(await waitFor(find, { ms: 60_000, everyMs: 100 })).toMatchObject({
    ref: hostile?.ref,
    kind: 'autovacuum',
  });
}
const warned = (reason: string) => expect.objectContaining({ level: 40, reason });

test('a lock on the database of a neighbor does not delay its deletion', async () => {
  const victim = await fixture.newProject();
  const database = `p_${await databaseIdOf(fixture, victim.ref)}`;
  const holder = await attack(
    'begin',
    `alter role current_user in database "${database}" set work_mem = '1MB'`,
  );
  const startedAt = performance.now();
  await deleteProject(fixture.context, fixture.actor, victim.ref);
  expect(performance.now() - startedAt).toBeLessThan(8_000);
  expect(await isAlive(holder)).toBe(false);
  await waitFor(async () => warnings.length > 0);
  expect(warnings).toEqual([
    expect.objectContaining({
      ref: hostile?.ref,
      databaseId: await databaseIdOf(fixture, hostile?.ref ?? ''),
      kind: 'owner',
      reason: 'blocks others',
    }),
  ]);
}, 60_000);

test.each([
  { name: 'the maintenance database', target: () => 'postgres' },
  { name: 'the control plane', target: () => fixture.databaseName },
  {
    name: 'a neighbor',
    target: async () => `p_${await databaseIdOf(fixture, neighbor?.ref ?? '')}`,
  },
])(
  'a session that waits for the database of $name keeps no connection waiting',
  async ({ target }) => {
    const database = await target();
    const observer = await connect();
    await attack('begin', `alter role current_user in database "${database}" set work_mem = '1MB'`);
    const dropper = await attack();
    const dropped = dropper.query(`drop database "${database}"`).then(
      () => 'dropped',
      (error: unknown) => String(error),
    );
    await waitFor(async () => (await locksOf(observer, 'not granted')) > 0);
    const inside = new URL(server.url);
    inside.pathname = `/${database}`;
    const startedAt = performance.now();
    await connect(inside.href);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(await dropped).toMatch(/terminat/);
    await waitFor(async () => warnings.length > 0);
    expect(warnings[0]).toEqual(warned('waits for a shared lock'));
  },
  60_000,
);

test('the change of a login that is not committed keeps the platform waiting for seconds only', async () => {
  const login = new URL(hostile?.url ?? '').username;
  const holder = await attack('begin', `alter role current_user password 'x'`);
  const platform = await connect();
  await platform.query(`set lock_timeout = ${patienceMs}`);
  await platform.query(`alter role "${login}" connection limit 20`);
  expect(await isAlive(holder)).toBe(false);
  await waitFor(async () => warnings.length > 0);
  expect(warnings).toEqual([warned('blocks others')]);
}, 60_000);

test.each([
  { client: 'sends no rows of its COPY', wait: 'ClientRead', text: 'copy copied from stdin' },
  {
    client: 'does not read its answer',
    wait: 'ClientWrite',
    text: `select repeat('x', 100000000)`,
  },
])(
  'a client that $client keeps no deletion of a neighbor waiting',
  async ({ wait, text }) => {
    const victim = await fixture.newProject();
    const holder = await attack('create table if not exists copied (id int)');
    const ended = beginOnly(holder, text);
    holder.connection.stream.pause();
    const observer = await connect();
    await waitFor(async () => {
      const waiting =
        'select from pg_catalog.pg_stat_activity where query = $1 and wait_event = $2';
      return ((await observer.query(waiting, [text, wait])).rowCount ?? 0) > 0;
    });
    await deleteProject(fixture.context, fixture.actor, victim.ref);
    holder.connection.stream.resume();
    expect(await ended).toMatch(/terminat/);
    await waitFor(async () => warnings.length > 0);
    expect(warnings).toEqual([warned('keeps a drop waiting')]);
  },
  60_000,
);

test('an open transaction does not grow as old as PostgreSQL allows', async () => {
  const holder = await attack('begin', 'select pg_current_xact_id()');
  const burner = await attack(`create or replace procedure burn() language plpgsql as $$
    begin for i in 1..25000 loop perform pg_current_xact_id(); commit; end loop; end $$`);
  await burner.query('call burn()');
  await waitFor(async () => !(await isAlive(holder)));
  await waitFor(async () => warnings.length > 0);
  expect(warnings).toEqual([warned('holds an old transaction')]);
}, 60_000);

test('one statement that fills the table of locks of the server', async () => {
  const inside = await connect(neighbor?.url);
  await inside.query('create table if not exists work (id int)');
  const filler = await attack();
  const filled = filler
    .query('select count(pg_advisory_lock(g)) from generate_series(1, 200000) g')
    .then(
      () => 'filled',
      (error: { code?: string }) => error.code,
    );
  // The table is full: the server itself says so. Locks that were taken before the error stay with the session.
  expect(await filled).toMatch(/53200|57P01/);
  await waitFor(async () => warnings.some(({ reason }) => reason === 'holds too many locks'));
  expect(await isAlive(filler)).toBe(false);
  // The locks go while the session ends; until then the server has none for others.
  await waitFor(() =>
    fixture.controlPlane.dataSource
      .query('select pg_catalog.count(*) from operator')
      .then(async () => isAlive(await connect(neighbor?.url)))
      .catch(() => false),
  );
  await inside.query('insert into work values (1)');
  expect(warnings).toEqual([
    expect.objectContaining({ ref: hostile?.ref, locks: expect.any(Number) }),
  ]);
}, 60_000);

test('the locks of all sessions of a project count together', async () => {
  const observer = await connect();
  const { rows } = await observer.query<{ capacity: number }>(
    `select current_setting('max_locks_per_transaction')::int * current_setting('max_connections')::int as capacity`,
  );
  const each = Math.ceil((rows[0]?.capacity ?? 0) / 4 / 3);
  const take = (from: number): string =>
    `select count(pg_advisory_lock(g)) from generate_series(${from}, ${from + each}) g`;
  const sessions = [await attack(take(0)), await attack(take(each * 2))];
  const third = await attack();
  await third.query(take(each * 4)).catch(() => undefined);
  await waitFor(async () => !(await isAlive(third)));
  expect(await Promise.all(sessions.map(isAlive))).toEqual([false, false]);
  await waitFor(async () => warnings.length === 3);
  expect(warnings).toEqual([1, 2, 3].map(() => warned('holds too many locks')));
}, 60_000);

test('a commit with many notifications ends no session of another project', async () => {
  const flood = await attack('begin');
  await flood.query(
    `select count(pg_notify('c' || i % 10, i || repeat('x', 7000))) from generate_series(1, 60000) i`,
  );
  const [inside, outside] = [await connect(neighbor?.url), await connect()];
  const committed = flood.query('commit');
  // Both wait for the lock of the commit, one behind the other.
  const observer = await connect();
  const waits = (count: number) => async () =>
    (await locksOf(observer, 'not granted and classid = 1262 and objid = 0')) >= count;
  const notified = [inside.query('notify c')];
  await waitFor(waits(1));
  notified.push(outside.query('notify c'));
  await waitFor(waits(2));
  await Promise.all(notified);
  await committed.catch(() => undefined);
  expect(await Promise.all([isAlive(inside), isAlive(outside)])).toEqual([true, true]);
  const { ref } = neighbor ?? {};
  expect(warnings.filter((warning) => warning['ref'] === ref)).toEqual([]);
}, 60_000);

test('a worker of autovacuum that fills the table of locks for a function of a project', async () => {
  const client = await attack(
    `create function hold() returns void language plpgsql as $$
     begin
       for i in 1..200000 loop
         begin
           perform pg_advisory_xact_lock(i);
         exception when out_of_memory then perform pg_sleep(0.01);
         end;
       end loop;
     end $$`,
    `create function held(int) returns int language plpgsql immutable as $$
     begin
       if (select backend_type from pg_stat_activity where pid = pg_backend_pid()) = 'client backend' then
         return $1;
       end if;
       perform public.hold();
       return $1;
     end $$`,
    `create table bait (x int) with (autovacuum_analyze_threshold = 1, autovacuum_analyze_scale_factor = 0)`,
    'create index on bait (held(x))',
    'insert into bait select generate_series(1, 100)',
  );
  await autovacuumEnded('holds too many locks');
  await waitFor(() => isAlive(client));
  await client.query('drop table bait');
}, 120_000);

test.each([
  {
    name: 'ANALYZE',
    options: 'autovacuum_analyze_threshold = 1, autovacuum_analyze_scale_factor = 0',
    index: '(sleep_long(x))',
  },
  {
    name: 'the clean-up of VACUUM',
    options:
      'autovacuum_vacuum_insert_threshold = 1, autovacuum_vacuum_insert_scale_factor = 0, autovacuum_analyze_threshold = 1000000',
    index: 'using brin (sleep_long(x)) with (pages_per_range = 1)',
  },
  {
    name: 'a BRIN index',
    options: 'autovacuum_vacuum_insert_threshold = -1, autovacuum_analyze_threshold = 1000000',
    index: 'using brin (sleep_long(x)) with (pages_per_range = 1, autosummarize = on)',
  },
])(
  'a worker of autovacuum that sleeps in a function of a project, for $name, is ended',
  async ({ options, index }) => {
    const client = await attack(
      `create or replace function sleep_long(int) returns int language plpgsql immutable as $$
       begin
         if (select backend_type from pg_stat_activity where pid = pg_backend_pid()) = 'client backend' then
           return $1;
         end if;
         perform pg_sleep(600);
         return $1;
       end $$`,
      `create table sleepy (x int, filler text) with (${options})`,
      `create index on sleepy ${index}`,
      `insert into sleepy select i, repeat('x', 1000) from generate_series(1, 100) i`,
    );
    await autovacuumEnded('keeps autovacuum busy');
    await client.query('drop table sleepy');
  },
  120_000,
);

test('a function that autovacuum runs sees no session of the superuser', async () => {
  const inside = new URL(server.url);
  inside.pathname = new URL(hostile?.url ?? '').pathname;
  const superuser = await connect(inside.href);
  const client = await attack(
    'create table seen (backend text, texts text)',
    // What is immutable may not write itself.
    `create function tell() returns void language sql as $$
       insert into public.seen select backend_type, query from pg_stat_activity
       union all select 'none', null limit 1
     $$`,
    `create function look(int) returns int language plpgsql immutable as $$
     begin
       if (select backend_type from pg_stat_activity where pid = pg_backend_pid()) = 'client backend' then
         return $1;
       end if;
       perform public.tell();
       return $1;
     end $$`,
    `create table looked (x int) with (autovacuum_analyze_threshold = 1, autovacuum_analyze_scale_factor = 0)`,
    'create index on looked (look(x))',
    'insert into looked select generate_series(1, 100)',
  );
  await superuser.query('select 1 as secret');
  const seen = async () => (await client.query('select * from seen limit 1')).rows;
  await waitFor(async () => (await seen()).length > 0, { ms: 60_000, everyMs: 100 });
  expect(await seen()).toEqual([{ backend: 'none', texts: null }]);
  await client.query('drop table looked');
}, 120_000);

test('sessions of one project that wait for each other, or that hold a lock nobody waits for, go on', async () => {
  const observer = await connect();
  const idle = await attack('begin', `alter role current_user set work_mem = '2MB'`);
  const own = await connect(neighbor?.url);
  await own.query('create table if not exists waited (id int)');
  await own.query('begin; lock table waited');
  const waiter = await connect(neighbor?.url);
  const waited = waiter.query('begin; lock table waited');
  await waitFor(async () => {
    const late = `not granted and waitstart < pg_catalog.clock_timestamp() - interval '2 seconds'`;
    return (await locksOf(observer, late)) > 0;
  });
  expect(await Promise.all([isAlive(idle), isAlive(own)])).toEqual([true, true]);
  await own.query('commit');
  await waited;
  expect(warnings).toEqual([]);
}, 60_000);

test('the watch connects again when its session ends', async () => {
  const observer = await connect();
  const find = async () => {
    const text = `select pid from pg_catalog.pg_stat_activity where application_name = 'rowhouse lock watch'`;
    return (await observer.query<{ pid: number }>(text)).rows[0]?.pid;
  };
  const first = await find();
  expect(first).toBeDefined();
  await observer.query('select pg_catalog.pg_terminate_backend($1)', [first]);
  await waitFor(async () => ![first, undefined].includes(await find()));
  expect(warnings).toEqual([
    expect.objectContaining({ msg: expect.stringContaining('lost its connection') }),
  ]);
}, 60_000);
