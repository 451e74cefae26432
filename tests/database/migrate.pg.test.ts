import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Client } from 'pg';
import { migrate, type Migration } from '#libs/database';
import { connect, createProject, type ProjectFixture } from './project-fixture.js';

let project: ProjectFixture;
let client: Client;
beforeAll(async () => {
  project = await createProject();
  client = project.admin;
});
afterAll(() => project.drop());
beforeEach(async () => {
  await client.query('drop schema if exists moved cascade; create schema moved');
});

const table = 'moved.done';
const first = { name: '0001_first.sql', sql: 'create table moved.a (id {{type}})' };
const second = {
  name: '0002_second.sql',
  sql: 'insert into moved.a values (1); insert into moved.a values (2)',
};
const run = (migrations: readonly Migration[], on = client) =>
  migrate({ client: on, migrations, table, placeholders: { type: 'int' } });

async function countRows(): Promise<number | null> {
  return (await client.query('select from moved.a')).rowCount;
}

test('files run in the order of their numbers, each once', async () => {
  expect(await run([second, first])).toEqual(['0001_first.sql', '0002_second.sql']);
  expect(await run([second, first])).toEqual([]);
  expect(await countRows()).toBe(2);
});

test('a later release runs only what is new', async () => {
  await run([first]);
  expect(await run([first, second])).toEqual(['0002_second.sql']);
});

test('a file that fails leaves nothing of itself, and those before it stay', async () => {
  const broken = { name: '0002_broken.sql', sql: 'insert into moved.a values (9); select 1 / 0' };
  await expect(run([first, broken])).rejects.toThrow(/0002_broken/);
  expect(await countRows()).toBe(0);
  expect(await run([first, second])).toEqual(['0002_second.sql']);
});

test('two processes take turns', async () => {
  const other = await connect(project.database);
  const both = await Promise.all([run([first, second]), run([first, second], other)]);
  await other.end();
  expect(both.flat()).toEqual(['0001_first.sql', '0002_second.sql']);
  expect(await countRows()).toBe(2);
});

const removal = {
  name: '0003_removal.sql',
  sql: '-- contract: requires 0002_second\ndrop table moved.a',
};

test('a database that a newer release has expanded stays as it is', async () => {
  await run([first, second]);
  expect(await run([first])).toEqual([]);
  expect(await countRows()).toBe(2);
});

test('a release before a contraction goes on when it knows what the contraction requires', async () => {
  await run([first, second, removal]);
  expect(await run([first, second])).toEqual([]);
});

test('a database that was contracted beyond the release is refused, and nothing is run', async () => {
  await run([first, second, removal]);
  const own = { name: '0004_own.sql', sql: 'create table moved.own ()' };
  await expect(run([first, own])).rejects.toThrow(
    'The database has the migration 0003_removal.sql; only releases with 0002_second can use it, and this one lacks it',
  );
  const { rows } = await client.query(`select to_regclass('moved.own') as found`);
  expect(rows).toEqual([{ found: null }]);
});

test('a record of an earlier release, which has no column for requirements, is completed', async () => {
  await client.query('create table moved.done (name text primary key, applied_at timestamptz)');
  await client.query(`insert into moved.done values ('0001_first.sql', now())`);
  await client.query('create table moved.a (id int)');
  expect(await run([first, second])).toEqual(['0002_second.sql']);
});

test.each([
  {
    name: 'a name without a number',
    files: [{ name: 'first.sql', sql: '' }],
    message: /not named like/,
  },
  {
    name: 'a number that is there twice',
    files: [first, { name: '0001_again.sql', sql: '' }],
    message: /Two migrations have the number 0001/,
  },
  {
    name: 'a placeholder without a value',
    files: [{ name: '0001_a.sql', sql: 'select {{nothing}}' }],
    message: /\{\{nothing\}\}, which has no value/,
  },
])('refused: $name', async ({ files, message }) => {
  await expect(run(files)).rejects.toThrow(message);
});

test('a value of a placeholder is one word', async () => {
  const options = {
    client,
    migrations: [first],
    table,
    placeholders: { type: 'int); drop table x' },
  };
  await expect(migrate(options)).rejects.toThrow(/not a word/);
});
