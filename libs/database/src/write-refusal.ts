import { AppError, fail } from '#libs/errors';

/** SQLSTATE read_only_sql_transaction. */
const readOnlyTransaction = '25006';

/**
 * The error of a transaction that was not opened as a read-only one. If it could not write all the same, its database is
 * above its limit: PROJECT_DATABASE_FULL. Every other error is returned as it is.
 */
export function writeRefusal(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== readOnlyTransaction) return error;
  return fail('PROJECT_DATABASE_FULL', {}, { cause: error.cause });
}
