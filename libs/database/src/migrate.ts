// Numbered SQL files, run forward only, each once and in a transaction of its own with its record.

import type { Client } from 'pg';

import { requirementOf } from './migration-kind.js';

export interface Migration {
  /** File name without its folder, e.g. `0001_schemas.sql`; the number decides the order. */
  readonly name: string;
  readonly sql: string;
}

export interface MigrateOptions {
  /** A connected client outside of a transaction, used by this call only. */
  readonly client: Pick<Client, 'query'>;
  readonly migrations: readonly Migration[];
  /** Which of the missing migrations to run; absent: all. */
  readonly runs?: (migration: Migration) => boolean;
  /** Where the record is kept, e.g. `platform.schema_migrations`; its schema must exist. */
  readonly table: string;
  /** Texts for `{{name}}` in the files. Letters, digits, `_` and `-` only. */
  readonly placeholders?: Readonly<Record<string, string>>;
  /**
   * Whether processes take turns by an advisory lock of this database; default true. False if the caller lets one
   * process at a time in: every role that may run SQL in the database can take the lock, too.
   */
  readonly takesTurns?: boolean;
}

const NUMBERED = /^\d{4}_[a-z0-9_]+(\.sql)?$/;
const TABLE = /^[a-z_]+(\.[a-z_]+)?$/;
const LOCK_KEY = 'pg_catalog.hashtextextended($1::pg_catalog.text, 0::pg_catalog.int8)';
const PLACEHOLDER_VALUE = /^[A-Za-z0-9_-]+$/;

/** A migration failed and was rolled back; `cause` is the error of PostgreSQL. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';

  constructor(
    readonly migration: string,
    cause: unknown,
  ) {
    super(`The migration ${migration} failed: ${String(cause)}`, { cause });
  }
}

/** The database has a migration of a newer release, and this release cannot use the result. */
export class NewerDatabaseError extends Error {
  override readonly name = 'NewerDatabaseError';
}

/**
 * Runs the missing migrations and returns their names, in order. Migrations of a newer release may exist if they only
 * expand, or if they require no more than a migration that is among `migrations`; otherwise throws NewerDatabaseError
 * and runs nothing. Throws the error of a file that failed.
 */
export async function migrate(options: MigrateOptions): Promise<readonly string[]> {
  const { client, table, takesTurns = true } = options;
  if (!TABLE.test(table)) throw new Error(`${table} is not a name for a table of migrations`);
  const wanted = inOrder(options.migrations);
  if (!takesTurns) return runMissing(options, wanted);
  // The lock is the session's, because every file has a transaction of its own.
  const lock = [`migrations ${table}`];
  await client.query(`select pg_catalog.pg_advisory_lock(${LOCK_KEY})`, lock);
  try {
    return await runMissing(options, wanted);
  } finally {
    await client.query(`select pg_catalog.pg_advisory_unlock(${LOCK_KEY})`, lock);
  }
}

async function runMissing(
  options: MigrateOptions,
  wanted: readonly Migration[],
): Promise<readonly string[]> {
  const { runs = () => true } = options;
  const missing = (await listMissing(options, wanted)).filter(runs);
  for (const migration of missing) await run(options, migration); // Each may need the one before it.
  return missing.map(({ name }) => name);
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

interface Applied {
  readonly name: string;
  /** The migration that a release must know to use the database with this one; null: every release can. */
  readonly requires: string | null;
}

async function listMissing(
  { client, table }: MigrateOptions,
  wanted: readonly Migration[],
): Promise<readonly Migration[]> {
  await ensureTable(client, table);
  const { rows } = await client.query<Applied>(`select name, requires from ${table}`);
  const known = new Set(wanted.map(({ name }) => baseName(name)));
  for (const { name, requires } of rows) {
    if (known.has(baseName(name)) || requires === null || known.has(requires)) continue;
    throw new NewerDatabaseError(
      `The database has the migration ${name}; only releases with ${requires} can use it, and this one lacks it`,
    );
  }
  const done = new Set(rows.map(({ name }) => name));
  return wanted.filter(({ name }) => !done.has(name));
}

const baseName = (name: string): string => name.replace(/\.sql$/, '');

/** The record of earlier releases has no column `requires`: their migrations are known to every later release. */
async function ensureTable(client: Pick<Client, 'query'>, table: string): Promise<void> {
  await client.query(
    `create table if not exists ${table} (
       name pg_catalog.text primary key,
       applied_at pg_catalog.timestamptz not null default pg_catalog.now(),
       requires pg_catalog.text
     )`,
  );
  const { rows } = await client.query(
    `select from pg_catalog.pg_attribute
     where attrelid operator(pg_catalog.=) $1::pg_catalog.regclass and attname operator(pg_catalog.=) 'requires'`,
    [table],
  );
  if (rows.length > 0) return;
  await client.query(`alter table ${table} add column if not exists requires pg_catalog.text`);
}

async function run(options: MigrateOptions, { name, sql }: Migration): Promise<void> {
  const { client, table, placeholders = {} } = options;
  const text = fillIn(sql, placeholders, name);
  const requires = requirementOf(name, sql) ?? null;
  await client.query('begin');
  try {
    await client.query(text);
    await client.query(`insert into ${table} (name, requires) values ($1, $2)`, [name, requires]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new MigrationError(name, error);
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
