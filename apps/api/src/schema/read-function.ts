import type { JsonBytes } from '#libs/database';
import { fail } from '#libs/errors';
import type { ProjectRuntime } from '#libs/project-runtime';

import { findFunction } from './routines.sql.js';
import type { FunctionDetails } from './schema-content.js';
import { readCatalogs } from './schema-reader.js';

const maxOid = 2 ** 32 - 1;

/** A function of the project. Throws INVALID_INPUT for an id that is no oid, FUNCTION_NOT_FOUND, RESULT_TOO_LARGE. */
export async function readFunction(
  project: ProjectRuntime,
  id: string,
): Promise<JsonBytes<FunctionDetails>> {
  if (!/^\d{1,10}$/.test(id) || Number(id) > maxOid)
    throw fail('INVALID_INPUT', { field: 'id', reason: 'must be the id of a function' });
  const found = await readCatalogs(project, (tx) => findFunction(tx, id));
  if (!found) throw fail('FUNCTION_NOT_FOUND', { id });
  return found;
}
