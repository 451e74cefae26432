import type { JsonBytes } from '#libs/database';
import { AppError } from '#libs/errors';
import type { ProjectRuntime } from '#libs/project-runtime';

import type { SchemaContent } from './schema-content.js';
import { checkSchema, readCatalogs } from './schema-reader.js';
import { describeSchema } from './tables.sql.js';

/** How long measuring waits for a table that is locked. */
const measureLockMs = 200;

/**
 * The tables, enums and functions of a schema. No table is measured while one of them is locked. Throws INVALID_INPUT,
 * SCHEMA_NOT_FOUND, CONCURRENT_CHANGE and RESULT_TOO_LARGE.
 */
export async function readSchema(
  project: ProjectRuntime,
  schema: string,
): Promise<JsonBytes<SchemaContent>> {
  const read = (isMeasured: boolean, lockMs?: number) =>
    readCatalogs(
      project,
      async (tx) => {
        await checkSchema(tx, schema);
        return describeSchema(tx, { schema, isMeasured });
      },
      lockMs,
    );
  try {
    return await read(true, measureLockMs);
  } catch (error) {
    if (error instanceof AppError && error.code === 'CONCURRENT_CHANGE') return read(false);
    throw error;
  }
}
