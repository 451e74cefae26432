import type { JsonBytes } from '#libs/database';
import { fail } from '#libs/errors';
import type { ProjectRuntime } from '#libs/project-runtime';

import { checkSchema, readCatalogs } from './schema-reader.js';
import { findTable, type TableDetails } from './table-details.sql.js';

/** What one table has beside its columns. Throws INVALID_INPUT, SCHEMA_NOT_FOUND, PGRST205 (404), RESULT_TOO_LARGE. */
export function readTable(
  project: ProjectRuntime,
  { schema, table }: { readonly schema: string; readonly table: string },
): Promise<JsonBytes<TableDetails>> {
  return readCatalogs(project, async (tx) => {
    await checkSchema(tx, schema);
    const found = await findTable(tx, schema, table);
    if (!found) throw fail('PGRST205', { table });
    return found;
  });
}
