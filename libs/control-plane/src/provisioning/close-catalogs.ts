import type { Client } from 'pg';
import { migrate } from '#libs/database';
import type { MigrationFile } from '../migration-files.js';

/**
 * Runs the missing steps of migrations/project-superuser on a project's database: changes that only the superuser can
 * make. `client` is a client of `withAdmin`, which pins the search path, outside of a transaction. Run it after the
 * project's migrations, one of which takes rights on catalogs by name.
 *
 * The record of the steps is kept in pg_catalog beside their changes, because pg_upgrade leaves both behind.
 */
export async function closeCatalogs(
  client: Client,
  steps: readonly MigrationFile[],
): Promise<readonly string[]> {
  // Allows to create and change objects of pg_catalog.
  await client.query('set allow_system_table_mods = on');
  try {
    await client.query(undoWithoutRecord);
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

// The first steps expect tables that later steps move. They run again if their record is lost.
const undoWithoutRecord = `
  do $$
  declare
    is_first boolean := true;
  begin
    if pg_catalog.to_regprocedure('pg_catalog.rowhouse_expose_tables()') is null then return; end if;
    if pg_catalog.to_regclass('pg_catalog.rowhouse_steps') is not null then
      select not exists (select from pg_catalog.rowhouse_steps) into is_first;
    end if;
    if is_first then call pg_catalog.rowhouse_expose_tables(); end if;
  end
  $$`;
