// The PostgreSQL server of the tests: its address, and statements and connections of its superuser.
import pg from 'pg';

interface StatementOptions {
  readonly database?: string;
  readonly values?: unknown[];
}

/** The connection string of the superuser of the test server, in `database` or else in the maintenance database. */
export function testDatabaseUrl(database?: string): string {
  const given = process.env['TEST_DATABASE_URL'];
  if (given === undefined) throw new Error('the global set-up has not started a database');
  return database === undefined ? given : inDatabase(given, database);
}

/** Runs a statement as the superuser of the test server. */
export function asSuperuser(
  text: string,
  options: StatementOptions = {},
): Promise<Record<string, unknown>[]> {
  return asSuperuserOf(testDatabaseUrl(), text, options);
}

/** Runs a statement on the server of a connection string. */
export function asSuperuserOf(
  server: string,
  text: string,
  { database, values = [] }: StatementOptions = {},
): Promise<Record<string, unknown>[]> {
  const url = database === undefined ? server : inDatabase(server, database);
  return withClient(url, async (client) => {
    const result = await client.query<Record<string, unknown>>(text, values);
    return result.rows;
  });
}

/** Runs `work` on a connection of its own. */
export async function withClient<T>(
  connectionString: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function inDatabase(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}
