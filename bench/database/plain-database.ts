// A database with the product's own project schema but without the product, for runs that ask what the
// machine gives. Made from the same migrations, so that the baselines do the same work as ever.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import { openClient, urlOfDatabase } from './connection.js';

const MIGRATIONS = 'migrations/project';

// The roles belong to the cluster: another database of it may have made them already.
const ROLES_SQL = `do $$
declare
  wanted text;
begin
  foreach wanted in array array['anon', 'authenticated', 'service_role', 'platform_engine', 'platform_deleter'] loop
    begin
      execute format('create role %I nologin %s', wanted,
        case when wanted = 'service_role' then 'bypassrls' else '' end);
    exception when duplicate_object or unique_violation then
      null;
    end;
  end loop;
end
$$`;

const DEFAULT_RIGHTS_SQL = `
alter default privileges in schema public grant all on tables to anon, authenticated, service_role;
alter default privileges in schema public grant all on sequences to anon, authenticated, service_role;
`;

async function migrate(client: Client): Promise<void> {
  const files = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).sort();
  // In order: each file builds on the ones before it.
  for (const name of files) {
    const sql = await readFile(join(MIGRATIONS, name), 'utf8');
    await client.query(sql.replaceAll('{{user_id}}', 'text'));
  }
}

/** Makes a database of a new name and gives the name; the caller drops it. */
export async function createPlainDatabase(serverUrl: string, admin: Client): Promise<string> {
  const database = `bench_${randomBytes(4).toString('hex')}`;
  await admin.query(`create database ${database}`);
  const client = await openClient(urlOfDatabase(serverUrl, database));
  try {
    await client.query(ROLES_SQL);
    await migrate(client);
    await client.query(DEFAULT_RIGHTS_SQL);
  } finally {
    await client.end();
  }
  return database;
}
