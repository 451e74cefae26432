// Conditions that a request puts on what it changes (RFC 9110 §13): checked against the file that the caller sees,
// and turned into what must still be there when the change is written.
import type { IncomingHttpHeaders } from 'node:http';

import { fail } from '#libs/errors';
import { type ConditionalHeaders, entityTag, evaluateConditions } from '#libs/storage-rules';

/** The conditional headers of a request that changes a file. */
export type WriteCondition = Pick<
  ConditionalHeaders,
  'if-match' | 'if-none-match' | 'if-unmodified-since'
>;

/** What must be at a key when a change is written: any file, no file, or the file of this version. */
export type ExpectedFile = 'any' | 'none' | (string & {});

/** What a condition looks at. */
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
 * Returns what must still be there when the change is written; undefined without a condition. `file` is the file
 * that the caller sees. Throws PRECONDITION_FAILED (412).
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
  const { status } = evaluateConditions({ method: 'PUT', headers: condition }, current);
  if (status === 412) throw fail('PRECONDITION_FAILED');
  const isAnyFileGood =
    condition['if-match']?.trim() === '*' && condition['if-none-match'] === undefined;
  if (isAnyFileGood) return 'any';
  return file?.version ?? 'none';
}
