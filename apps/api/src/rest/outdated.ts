// Errors that may be caused by a catalog older than the schema. Each of them means that the request had no effect.
import type { AppError } from '#libs/errors';

/** Refusals of a request that a catalog of another version might understand. */
const catalogErrors = new Set([
  'PGRST107',
  'PGRST108',
  'PGRST118',
  'PGRST120',
  'PGRST200',
  'PGRST201',
  'PGRST202',
  'PGRST203',
  'PGRST204',
  'PGRST205',
  'CAST_REFUSED',
  'CONFLICT_TARGET_REFUSED',
  'DEFINER_NOT_ALLOWED',
]);

/**
 * SQLSTATEs of a statement that was compiled for another schema: missing names, types that a value no longer fits, a
 * default that is not used yet, and objects that vanish while they are looked up (DATABASE_ERROR). A denial (42501) is
 * not among them: rights are never planned ahead.
 */
const outdatedStates = /^(?:0A|22|42(?!501)|23502|DATABASE_ERROR)/;

/** Returns whether the request might be understood, or succeed, with the current schema. */
export function mayBeOutdated({ code }: AppError): boolean {
  return catalogErrors.has(code) || outdatedStates.test(code);
}
