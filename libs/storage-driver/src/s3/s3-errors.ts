import { AppError, fail } from '#libs/errors';

/** Codes by which S3-compatible stores report a missing object. HEAD has no body, only a status. */
const MISSING: ReadonlySet<string> = new Set(['NoSuchKey', 'NotFound']);
/** The store itself is full, or the account has reached its limit. */
const WITHOUT_SPACE: ReadonlySet<string> = new Set([
  'EntityTooLarge',
  'InsufficientStorage',
  'QuotaExceeded',
  'XMinioStorageFull',
]);

/** The fields of an SDK error that we use. */
export interface S3Fault {
  /** E.g. `NoSuchKey`, or a code of the network, e.g. `ECONNREFUSED`. */
  readonly code: string;
  /** Of the answer; undefined if there was none. */
  readonly status: number | undefined;
}

/** Classifies the error. Reads only fields that all versions of the SDK set. */
export function faultOf(error: unknown): S3Fault {
  if (typeof error !== 'object' || error === null) return { code: 'unknown', status: undefined };
  const system = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const metadata: unknown = '$metadata' in error ? error.$metadata : undefined;
  const status =
    typeof metadata === 'object' && metadata !== null && 'httpStatusCode' in metadata
      ? metadata.httpStatusCode
      : undefined;
  return {
    code: system ?? ('name' in error ? String(error.name) : 'unknown'),
    status: typeof status === 'number' ? status : undefined,
  };
}

/** Whether the store reports that the object is missing; false if the whole bucket is missing. */
export function isMissing(error: unknown): boolean {
  return MISSING.has(faultOf(error).code);
}

/**
 * Returns the public error for an error of the SDK or the network. Our own errors and errors of the program stay as
 * they are.
 */
export function s3Error(error: unknown): unknown {
  if (error instanceof AppError || error instanceof TypeError) return error;
  const { code, status } = faultOf(error);
  if (status === 416) return fail('INVALID_RANGE', {}, { cause: error });
  if (WITHOUT_SPACE.has(code) || status === 507) return fail('STORAGE_FULL', {}, { cause: error });
  return fail('STORAGE_UNAVAILABLE', {}, { cause: error });
}
