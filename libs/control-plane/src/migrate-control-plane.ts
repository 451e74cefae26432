import { migrate, NewerDatabaseError } from '#libs/database';
import { LastingClient } from '#libs/postgres-client';
import { quoteIdent } from '#libs/wire';
import pg from 'pg';
import { ControlPlaneStartError } from './control-plane-start-error.js';
import { readMigrations } from './migration-files.js';
import { isCollationRefusal } from './provisioning/collation-version.js';

const duplicateDatabase = '42P04';
const uniqueViolation = '23505';

/**
 * Creates the control-plane database if it is missing, migrates it, and returns its connection string. Throws
 * ControlPlaneStartError if a newer release has changed it so that this release cannot use it, or if PostgreSQL refuses
 * to create it.
 */
export async function migrateControlPlane(
  databaseUrl: string,
  databaseName: string,
  migrationsRoot?: string,
): Promise<string> {
  await withClient(databaseUrl, (client) => ensureDatabase(client, databaseName));
  const url = new URL(databaseUrl);
  url.pathname = `/${encodeURIComponent(databaseName)}`;
  const migrations = await readMigrations('control-plane', migrationsRoot);
  await withClient(url.href, (client) =>
    migrate({ client, migrations, table: 'schema_migrations' }),
  ).catch(explain);
  return url.href;
}

function explain(error: unknown): never {
  if (!(error instanceof NewerDatabaseError)) throw error;
  throw new ControlPlaneStartError(
    `A newer release has changed the control-plane database so that this release cannot use it. ${error.message}`,
    { cause: error },
  );
}

/** Whether the server has the control-plane database. */
export async function hasControlPlane(databaseUrl: string, databaseName: string): Promise<boolean> {
  return withClient(databaseUrl, (client) => isThere(client, databaseName));
}

async function isThere(client: pg.Client, name: string): Promise<boolean> {
  const found = await client.query('select from pg_database where datname = $1', [name]);
  return found.rowCount !== 0;
}

async function ensureDatabase(client: pg.Client, name: string): Promise<void> {
  if (await isThere(client, name)) return;
  try {
    await client.query(`create database ${quoteIdent(name)}`);
  } catch (error) {
    // Another process created it in the meantime.
    const isThere =
      error instanceof pg.DatabaseError &&
      (error.code === duplicateDatabase || error.code === uniqueViolation);
    if (isThere) return;
    if (!(await isCollationRefusal(client, 'template1', error))) throw error;
    throw new ControlPlaneStartError(
      'PostgreSQL refuses to copy template1, because an update of the operating system has changed its collation version: as the superuser, run REINDEX DATABASE template1 in it and then ALTER DATABASE template1 REFRESH COLLATION VERSION',
      { cause: error },
    );
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
