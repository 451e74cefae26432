// The sessions in which the superuser and the platform role of a project work: settings that an owner could have left in
// a database have no effect there, no trigger runs with the rights of the superuser, and no statement waits without end.
import { afterAll, beforeAll, expect, test } from 'vitest';
import pg from 'pg';

import { databaseServer, withAdmin, withPlatform } from './database-server.js';

const adminUrl = process.env['TEST_DATABASE_URL'] ?? '';
const server = databaseServer(adminUrl);
const database = `hostile_settings_${process.pid}`;
/** Has no more rights than the platform role of a project: what it sets, it may set by itself. */
const login = { user: `hostile_settings_login_${process.pid}`, password: 'a password' };
const left = {
  search_path: 'public, pg_catalog',
  lock_timeout: '0',
  statement_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  standard_conforming_strings: 'off',
  transform_null_equals: 'on',
  default_transaction_read_only: 'on',
  row_security: 'off',
};
const pinned = {
  search_path: 'pg_catalog, pg_temp',
  lock_timeout: '10s',
  statement_timeout: '10min',
  idle_in_transaction_session_timeout: '10min',
  standard_conforming_strings: 'on',
  transform_null_equals: 'off',
  default_transaction_read_only: 'off',
  row_security: 'on',
};

const asMaintenance = <T>(work: (client: pg.Client) => Promise<T>) =>
  withAdmin(server, undefined, work);
const inDatabase = <T>(work: (client: pg.Client) => Promise<T>) =>
  withAdmin(server, database, work);
const asPlatform = <T>(work: (client: pg.Client) => Promise<T>) =>
  withPlatform(server, { database, ...login }, work);

beforeAll(async () => {
  await asMaintenance((client) => client.query(`create database ${database}`));
  await asMaintenance((client) =>
    client.query(`create role ${login.user} login nosuperuser password '${login.password}'`),
  );
  await inDatabase((client) =>
    client.query(`
      create table public.noted (at int);
      create table public.trapped (at int);
      create function public.note() returns trigger language plpgsql as
        $$begin insert into public.noted values (new.at); return new; end$$;
      create trigger trap after insert on public.trapped for each row execute function public.note()`),
  );
  for (const [name, value] of Object.entries(left)) {
    // A list is not one name.
    const text = name === 'search_path' ? value : `'${value}'`;
    await asMaintenance((client) =>
      client.query(`alter database ${database} set ${name} = ${text}`),
    );
  }
});
afterAll(async () => {
  await asMaintenance((client) => client.query(`drop database ${database} with (force)`));
  await asMaintenance((client) => client.query(`drop role ${login.user}`));
});

async function settingsOf(client: pg.Client): Promise<unknown> {
  const { rows } = await client.query<{ name: string; value: string }>(
    'select name, current_setting(name) as value from unnest($1::text[]) as name',
    [Object.keys(pinned)],
  );
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

async function pidOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
}

test('a session without them has what was left in the database', async () => {
  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    expect(await settingsOf(client)).toEqual(left);
  } finally {
    await client.end();
  }
});

test.each([
  { name: 'the superuser in a database of a project', open: inDatabase, isSuperuser: 'on' },
  { name: 'the superuser in the maintenance database', open: asMaintenance, isSuperuser: 'on' },
  { name: 'the platform role of a project', open: asPlatform, isSuperuser: 'off' },
])('$name has settings of its own', async ({ open, isSuperuser }) => {
  expect(await open(settingsOf)).toEqual(pinned);
  const { rows } = await open((client) => client.query('show is_superuser'));
  expect(rows).toEqual([{ is_superuser: isSuperuser }]);
});

test('what a step leaves in a session that is used again is gone', async () => {
  const changes = Object.entries(left).map(
    ([name, value]) => `set ${name} = ${name === 'search_path' ? value : `'${value}'`};`,
  );
  const first = await asMaintenance(async (client) => {
    await client.query(`create temp table left_behind (); set default_transaction_read_only = off`);
    await client.query(changes.join(' '));
    return pidOf(client);
  });
  const second = await asMaintenance(async (client) => {
    const { rows } = await client.query(`select to_regclass('pg_temp.left_behind') as found`);
    return { pid: await pidOf(client), rows, settings: await settingsOf(client) };
  });
  expect(second).toEqual({ pid: first, rows: [{ found: null }], settings: pinned });
});

test('a session whose step failed is not used again', async () => {
  let failed: unknown;
  const failing = asMaintenance(async (client) => {
    failed = await pidOf(client);
    throw new Error('the step fails');
  });
  await expect(failing).rejects.toThrow('the step fails');
  expect(await asMaintenance(pidOf)).not.toBe(failed);
});

test('no trigger runs with the rights of the superuser', async () => {
  const { rows } = await inDatabase(async (client) => {
    await client.query('insert into public.trapped values (1)');
    return client.query('select at from public.noted');
  });
  expect(rows).toEqual([]);
});
