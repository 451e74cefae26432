import type { Client } from 'pg';
import { migrate } from '#libs/database';
import type { MigrationFile } from '../migration-files.js';

/**
 * Runs the steps of migrations/project-superuser that a project's database lacks: what only the superuser can
 * change there. `client` is one of `withAdmin`, which pins the search path, and in no transaction. Run after the project's migrations, one of
 * which takes rights on catalogs by name.
 *
 * The record of the steps is kept in pg_catalog beside what they change, because pg_upgrade leaves both behind.
 */
export async function closeCatalogs(
  client: Client,
  steps: readonly MigrationFile[],
): Promise<readonly string[]> {
  // Allows to create and change objects of pg_catalog.
  await client.query('set allow_system_table_mods = on');
  try {
    return await migrate({
      client,
      migrations: steps,
      table: 'pg_catalog.rowhouse_steps',
      takesTurns: false,
    });
  } finally {
    await client.query('reset allow_system_table_mods');
  }
}
