import { migrate } from '#libs/database';
import { LastingClient } from '#libs/postgres-client';
import pg from 'pg';
import { readMigrations } from './migration-files.js';

const duplicateDatabase = '42P04';
const uniqueViolation = '23505';

/** Makes the control-plane database when it is missing, migrates it, and returns its connection string. */
export async function migrateControlPlane(
  databaseUrl: string,
  databaseName: string,
): Promise<string> {
  await withClient(databaseUrl, (client) => ensureDatabase(client, databaseName));
  const url = new URL(databaseUrl);
  url.pathname = `/${encodeURIComponent(databaseName)}`;
  const migrations = await readMigrations('control-plane');
  await withClient(url.href, (client) =>
    migrate({ client, migrations, table: 'schema_migrations' }),
  );
  return url.href;
}

async function ensureDatabase(client: pg.Client, name: string): Promise<void> {
  const found = await client.query('select from pg_database where datname = $1', [name]);
  if (found.rowCount !== 0) return;
  try {
    await client.query(`create database ${pg.escapeIdentifier(name)}`);
  } catch (error) {
    // Another process made it in the meantime.
    const isThere =
      error instanceof pg.DatabaseError &&
      (error.code === duplicateDatabase || error.code === uniqueViolation);
    if (!isThere) throw error;
  }
}

async function withClient<T>(url: string, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new LastingClient({
    connectionString: url,
    application_name: 'rowhouse migrations',
  });
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}
