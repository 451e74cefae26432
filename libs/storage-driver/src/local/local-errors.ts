import { AppError, fail } from '#libs/errors';

const WITHOUT_SPACE: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** The code of an error of the file system, e.g. `ENOENT`; undefined for anything else. */
export function systemErrorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Returns the public error for an error of the file system. Errors of the program stay as they are. */
export function localError(error: unknown): unknown {
  const code = systemErrorCode(error);
  if (error instanceof AppError || code === undefined || !('syscall' in Object(error)))
    return error;
  if (WITHOUT_SPACE.has(code)) return fail('STORAGE_FULL', {}, { cause: error });
  return fail('STORAGE_UNAVAILABLE', {}, { cause: error });
}

/** Runs the work and converts errors of the file system to public errors. */
export async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw localError(error);
  }
}
