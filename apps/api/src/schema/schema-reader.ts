// How the catalogs of a project are read for the console: in a transaction of the engine, without a schema of the
// project in its search path, so that every name outside pg_catalog is written with its schema.
import type { Transaction } from '#libs/database';
import { AppError, fail } from '#libs/errors';
import type { ProjectRuntime } from '#libs/project-runtime';

import { platformSchemas } from './catalog-parts.sql.js';

/** How long a statement waits for a table that a running change of the schema has locked. */
const defaultLockMs = 3_000;
/** The SQLSTATE of a statement that has waited longer. */
const lockNotAvailable = '55P03';

/**
 * Runs `work` in a transaction in which names are written with their schema. Throws CONCURRENT_CHANGE (409) when a
 * change of the schema keeps a table locked for longer than `lockMs`.
 */
export async function readCatalogs<T>(
  { db }: ProjectRuntime,
  work: (tx: Transaction) => Promise<T>,
  lockMs = defaultLockMs,
): Promise<T> {
  try {
    return await db.runAsEngine(async (tx) => {
      await tx.query(
        `select pg_catalog.set_config('search_path', 'pg_catalog', true),
                pg_catalog.set_config('lock_timeout', $1::pg_catalog.text, true)`,
        [String(lockMs)],
      );
      return work(tx);
    });
  } catch (error) {
    const isLocked = error instanceof AppError && error.code === lockNotAvailable;
    throw isLocked ? fail('CONCURRENT_CHANGE', {}, { cause: error }) : error;
  }
}

/** Throws INVALID_INPUT for a schema of the platform, and SCHEMA_NOT_FOUND for a schema that does not exist. */
export async function checkSchema(tx: Transaction, schema: string): Promise<void> {
  if (platformSchemas.includes(schema) || schema.startsWith('pg_'))
    throw fail('INVALID_INPUT', { field: 'schema', reason: `${schema} belongs to the platform` });
  const { rows } = await tx.query(
    'select from pg_catalog.pg_namespace where nspname operator(pg_catalog.=) $1::pg_catalog.name',
    [schema],
  );
  if (rows.length === 0) throw fail('SCHEMA_NOT_FOUND', { schema });
}
