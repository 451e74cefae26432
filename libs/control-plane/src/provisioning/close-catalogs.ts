import type { Client } from 'pg';
import { migrate } from '#libs/database';
import type { MigrationFile } from '../migration-files.js';

/**
 * Runs the steps of migrations/project-superuser that a project's database lacks: what only the superuser can
 * change there. `client` is one of `withAdmin`, which pins the search path, and in no transaction. Run after the
 * project's migrations, one of which takes rights on catalogs by name.
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

// The first steps look for tables where later ones do not leave them. They run again when their record is lost.
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
