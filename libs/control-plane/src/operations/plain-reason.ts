import { AppError, fromOutage } from '#libs/errors';
import { MigrationError } from '#libs/database';
import { DatabaseError } from 'pg';
import { QueryFailedError } from 'typeorm';
import { UndoFailedError } from '../provisioning/steps.js';

/** Classes and codes of PostgreSQL that an operator can act on (manual, appendix A). */
const reasons: Readonly<Record<string, string>> = {
  '3D000': 'the database of the project does not exist',
  '28000': 'a login was refused',
  '28P01': 'the password of a login was refused',
  '40P01': 'a session held a lock for too long',
  '53100': 'the disk of the database server is full',
  '53300': 'the database server has too many connections',
  '55000': 'the database of the project cannot be used in its state',
  '55006': 'the database is in use',
  '55P03': 'a session held a lock for too long',
  '57014': 'a statement took too long',
};

/** With such a code the message of an error may contain text of the project. */
const sqlState = /^[0-9A-Z]{5}$/;

/**
 * Returns why work on a project failed, as a sentence without values, names of logins or secrets, because operators of
 * an organization read it. The log of the server has the error itself.
 */
export function plainReason(error: unknown): string {
  const cause = error instanceof UndoFailedError ? error.cause : error;
  if (cause instanceof MigrationError) {
    return `The migration ${cause.migration} failed: ${plainReason(cause.cause)}`;
  }
  const failure = fromOutage(cause);
  if (failure instanceof AppError && !sqlState.test(failure.code)) return failure.message;
  const source = databaseErrorOf(cause);
  if (source === undefined) return 'It failed; the log of the server has the reason';
  const { code = '' } = source;
  const reason = reasons[code] ?? 'a statement failed; the log of the server has the reason';
  return `PostgreSQL ${code}: ${reason}`;
}

function databaseErrorOf(error: unknown): DatabaseError | undefined {
  if (error instanceof DatabaseError) return error;
  if (error instanceof QueryFailedError) return databaseErrorOf(error.driverError);
  return error instanceof AppError ? databaseErrorOf(error.cause) : undefined;
}
