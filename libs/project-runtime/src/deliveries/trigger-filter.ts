import type { ProjectDatabase } from '#libs/database';
import { AppError } from '#libs/errors';
import { Visibility } from '#libs/realtime';
import { parseChangeFilter } from '#libs/realtime-core';

/** Why a filter cannot be used on the changes of a table, by its oid; undefined if it can. */
export async function filterFault(
  db: ProjectDatabase,
  { table, filter }: { readonly table: number; readonly filter: string },
): Promise<string | undefined> {
  try {
    const parsed = parseChangeFilter(filter, 'filter');
    const error = await new Visibility(db).checkFilter({ table, role: 'service_role' }, parsed);
    return error === 'locked' ? 'the table is locked; try again' : error?.message;
  } catch (error) {
    if (error instanceof AppError && error.code === 'INVALID_FRAME') return error.message;
    throw error;
  }
}
