// Conditions of a request on the file that it changes (RFC 9110 §13): checked against the file that the caller sees,
// and turned into the expected state at the time of the write.
import type { IncomingHttpHeaders } from 'node:http';

import { type AppError, fail } from '#libs/errors';
import {
  type ConditionalHeaders,
  type ConditionalRequest,
  type CurrentObject,
  entityTag,
  evaluateConditions,
} from '#libs/storage-rules';

/** The conditional headers of a request that changes a file. */
export type WriteCondition = Pick<
  ConditionalHeaders,
  'if-match' | 'if-none-match' | 'if-unmodified-since'
>;

/** What must be at a key when a change is written: any file, no file, or the file of this version. */
export type ExpectedFile = 'any' | 'none' | (string & {});

/** The facts that a condition checks. */
export interface ConditionedFile {
  readonly version: string;
  /** ISO 8601. */
  readonly updatedAt: string;
}

/** Returns the conditions of a request; undefined when it has none. */
export function writeConditionOf(headers: IncomingHttpHeaders): WriteCondition | undefined {
  const {
    'if-match': ifMatch,
    'if-none-match': ifNoneMatch,
    'if-unmodified-since': ifUnmodifiedSince,
  } = headers;
  if ((ifMatch ?? ifNoneMatch ?? ifUnmodifiedSince) === undefined) return undefined;
  return {
    'if-match': ifMatch,
    'if-none-match': ifNoneMatch,
    'if-unmodified-since': ifUnmodifiedSince,
  };
}

/**
 * Throws INVALID_INPUT (400) for a request with conditions on a route that cannot keep them until its change: it would
 * change files whose condition does not hold. `reason` says where the condition belongs.
 */
export function refuseConditions(headers: IncomingHttpHeaders, reason: string): void {
  const condition = writeConditionOf(headers);
  if (!condition) return;
  const [field = ''] = Object.entries(condition).find(([, value]) => value !== undefined) ?? [];
  throw fail('INVALID_INPUT', { field, reason });
}

/**
 * Returns the expected state at the time of the write; undefined without a condition. `file` is the file that the
 * caller sees. Throws PRECONDITION_FAILED (412).
 */
export function expectedFile(
  condition: WriteCondition | undefined,
  file: ConditionedFile | undefined,
): ExpectedFile | undefined {
  if (!condition) return undefined;
  const current = file && {
    etag: entityTag(file.version),
    lastModified: new Date(file.updatedAt),
    isDateStrong: false,
    size: 0,
  };
  const request = { method: 'PUT', headers: condition };
  const { status } = evaluateConditions(request, current);
  if (status === 412) throw preconditionError(request, current);
  const isAnyFileGood =
    condition['if-match']?.trim() === '*' && condition['if-none-match'] === undefined;
  if (isAnyFileGood) return 'any';
  return file?.version ?? 'none';
}

/** The error of a request that `evaluateConditions` answers with 412; it names the condition that does not hold. */
export function preconditionError(
  { method, headers }: ConditionalRequest,
  current: CurrentObject | undefined,
): AppError {
  // With If-Match the date is not looked at (RFC 9110 §13.2.2).
  const first = headers['if-match'] === undefined ? 'if-unmodified-since' : 'if-match';
  const alone = { method, headers: { [first]: headers[first] } };
  const isFirst = evaluateConditions(alone, current).status === 412;
  const reason = isFirst
    ? reasons[first](current)
    : reasons['if-none-match'](headers['if-none-match']);
  return fail('PRECONDITION_FAILED', { reason });
}

const reasons = {
  'if-match': (current: CurrentObject | undefined) =>
    current ? 'If-Match names another version of the file' : 'If-Match needs a file; there is none',
  'if-unmodified-since': () => 'the file was changed after the time in If-Unmodified-Since',
  'if-none-match': (header: string | undefined) =>
    header?.trim() === '*'
      ? 'If-None-Match: * needs that there is no file; there is one'
      : 'If-None-Match names the version that the file has',
};

/** The error of a change whose condition held at first, and not any more when the change was to be written. */
export function changedMeanwhile(): AppError {
  const reason = 'another request has written or deleted the file meanwhile';
  return fail('PRECONDITION_FAILED', { reason });
}
