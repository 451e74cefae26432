// Numbered SQL files, run forward only, each once and in a transaction of its own with its record.

import type { Client } from 'pg';

export interface Migration {
  /** File name without its folder, e.g. `0001_schemas.sql`; the number decides the order. */
  readonly name: string;
  readonly sql: string;
}

export interface MigrateOptions {
  /** A connected client that is in no transaction; nobody else uses it meanwhile. */
  readonly client: Pick<Client, 'query'>;
  readonly migrations: readonly Migration[];
  /** Where the record is kept, e.g. `platform.schema_migrations`; its schema must exist. */
  readonly table: string;
  /** Texts for `{{name}}` in the files. Letters, digits, `_` and `-` only. */
  readonly placeholders?: Readonly<Record<string, string>>;
}

const NUMBERED = /^\d{4}_[a-z0-9_]+(\.sql)?$/;
const TABLE = /^[a-z_]+(\.[a-z_]+)?$/;
const PLACEHOLDER_VALUE = /^[A-Za-z0-9_-]+$/;

/**
 * Runs what the database lacks and gives the names of what it ran, in order. Safe to call from several
 * processes at once: they take turns under an advisory lock. Throws when the database has migrations that
 * are not among `migrations` (it belongs to a newer release), and the error of a file that failed.
 */
export async function migrate(options: MigrateOptions): Promise<readonly string[]> {
  const { client, table } = options;
  if (!TABLE.test(table)) throw new Error(`${table} is not a name for a table of migrations`);
  const wanted = inOrder(options.migrations);
  // The lock is the session's, because every file has a transaction of its own.
  const lock = [`migrations ${table}`];
  await client.query('select pg_advisory_lock(hashtextextended($1, 0))', lock);
  try {
    const missing = await listMissing(options, wanted);
    for (const migration of missing) await run(options, migration);
    return missing.map(({ name }) => name);
  } finally {
    await client.query('select pg_advisory_unlock(hashtextextended($1, 0))', lock);
  }
}

function inOrder(migrations: readonly Migration[]): readonly Migration[] {
  const sorted = [...migrations].sort((a, b) => (a.name < b.name ? -1 : 1));
  let previous = '';
  for (const { name } of sorted) {
    if (!NUMBERED.test(name)) throw new Error(`${name} is not named like a migration`);
    const number = name.slice(0, 4);
    if (number === previous) throw new Error(`Two migrations have the number ${number}`);
    previous = number;
  }
  return sorted;
}

async function listMissing(
  { client, table }: MigrateOptions,
  wanted: readonly Migration[],
): Promise<readonly Migration[]> {
  await client.query(
    `create table if not exists ${table} (name text primary key, applied_at timestamptz not null default now())`,
  );
  const { rows } = await client.query<{ name: string }>(`select name from ${table} order by name`);
  const applied = new Set(rows.map(({ name }) => name));
  for (const { name } of wanted) applied.delete(name);
  const [unknown] = applied;
  if (unknown !== undefined) {
    throw new Error(`The database has the migration ${unknown}, which this release does not know`);
  }
  const done = new Set(rows.map(({ name }) => name));
  return wanted.filter(({ name }) => !done.has(name));
}

async function run(options: MigrateOptions, { name, sql }: Migration): Promise<void> {
  const { client, table, placeholders = {} } = options;
  const text = fillIn(sql, placeholders, name);
  await client.query('begin');
  try {
    await client.query(text);
    await client.query(`insert into ${table} (name) values ($1)`, [name]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`The migration ${name} failed: ${String(error)}`, { cause: error });
  }
}

function fillIn(sql: string, placeholders: Readonly<Record<string, string>>, file: string): string {
  return sql.replace(/\{\{(\w+)\}\}/g, (_match, key: string) => {
    const value = placeholders[key];
    if (value === undefined) throw new Error(`${file} uses {{${key}}}, which has no value`);
    if (!PLACEHOLDER_VALUE.test(value))
      throw new Error(`{{${key}}} has a value that is not a word`);
    return value;
  });
}
