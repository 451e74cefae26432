// Statements of the engine that a connection prepares once, and when it must not.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ProjectDatabase } from '#libs/database';
import { createProject, ids, type ProjectFixture } from './project-fixture.js';

const read = 'select * from auth."user" where id = $1';
const prepared = 'select statement from pg_prepared_statements where statement = $1';

let project: ProjectFixture;
let db: ProjectDatabase;
beforeAll(async () => {
  project = await createProject();
  // Closed to projects and to the platform's roles; the tests look into it.
  await project.admin.query(`grant select on pg_prepared_statements to platform_engine;
    grant execute on function pg_prepared_statement() to platform_engine`);
});
beforeEach(() => {
  // Each test begins with a connection of its own.
  db = project.open();
});
afterAll(() => project.drop());

type Session = (text: string, values?: readonly unknown[]) => Promise<readonly object[]>;

/** Runs `work` with one connection, which is given back after it. */
async function lease<T>(work: (run: Session) => Promise<T>): Promise<T> {
  const client = await db.enginePool.connect();
  try {
    return await work(async (text, values = []) => (await client.query<object>(text, values)).rows);
  } finally {
    client.release();
  }
}

const isPrepared = async (run: Session) => (await run(prepared, [read])).length === 1;

test('a plain read is prepared once, for whoever has the connection next', async () => {
  await lease((run) => run(read, [ids.bob]));
  const rows = await lease(async (run) => {
    expect(await isPrepared(run)).toBe(true);
    return run(read, [ids.bob]);
  });
  expect(rows).toMatchObject([{ id: ids.bob }]);
});

test('so is one that is asked for alone', async () => {
  expect(await db.queryAsEngine(read, [ids.bob])).toMatchObject([{ id: ids.bob }]);
  expect(await lease(isPrepared)).toBe(true);
});

test('it is found again after the session was cleaned', async () => {
  await lease((run) => run(read, [ids.bob]));
  await lease((run) => run(`select set_config('application_name', 'x', false)`));
  const rows = await lease(async (run) => {
    expect(await isPrepared(run)).toBe(false);
    return run(read, [ids.bob]);
  });
  expect(rows).toMatchObject([{ id: ids.bob }]);
});

test('it is run again when its table has changed since', async () => {
  await lease((run) => run(read, [ids.bob]));
  await project.admin.query('alter table auth."user" add column added text');
  try {
    const again = () => lease((run) => run(read, [ids.bob]));
    expect(await again()).toMatchObject([{ id: ids.bob, added: null }]);
    expect(await again()).toMatchObject([{ id: ids.bob, added: null }]);
  } finally {
    await project.admin.query('alter table auth."user" drop column added');
  }
});

test('no name is used once code of the project may have run, nor in a transaction', async () => {
  await lease(async (run) => {
    await run(`do $$ begin null; end $$`);
    await run(read, [ids.bob]);
    expect(await isPrepared(run)).toBe(false);
  });
  await lease(async (run) => {
    await run('begin');
    await run(read, [ids.bob]);
    expect(await isPrepared(run)).toBe(false);
    await run('commit');
  });
});

test('what code of the project prepares is gone with its session', async () => {
  await lease((run) => run(read, [ids.bob]));
  await lease(async (run) => {
    const [own] = await run('select name from pg_prepared_statements where statement = $1', [read]);
    const name = String(Reflect.get(Object(own), 'name'));
    await run(`do $$ begin execute 'deallocate ${name}';
      execute 'prepare ${name} as select 1 as stolen'; end $$`);
    expect(await run(read, [ids.bob])).toMatchObject([{ id: ids.bob }]);
  });
  expect(await lease((run) => run(read, [ids.bob]))).toMatchObject([{ id: ids.bob }]);
});
