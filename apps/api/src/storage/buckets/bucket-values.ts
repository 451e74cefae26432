import { isDeepStrictEqual } from 'node:util';

import { parseMediaTypePattern } from '#libs/storage-rules';

import type { ChangeBucketBody } from './buckets.dto.js';
import type { BucketValues } from './buckets.sql.js';
import { parseCorsRules } from './parse-cors-rules.js';

/**
 * The values of a bucket after a change: what `body` leaves out stays, null takes a limit away. Throws
 * INVALID_MEDIA_TYPE, INVALID_INPUT, UNKNOWN_FIELD and MISSING_FIELD.
 */
export function changedBucket(before: BucketValues, body: ChangeBucketBody): BucketValues {
  const { name, quotaBytes, maxFileBytes, allowedMimeTypes, cors } = body;
  return {
    name: name ?? before.name,
    public: body.public ?? before.public,
    quotaBytes: quotaBytes === undefined ? before.quotaBytes : quotaBytes,
    maxFileBytes: maxFileBytes === undefined ? before.maxFileBytes : maxFileBytes,
    allowedMimeTypes:
      allowedMimeTypes === undefined ? before.allowedMimeTypes : parseTypes(allowedMimeTypes),
    cors: cors === undefined ? before.cors : parseCorsRules(cors),
  };
}

/** The values of a new bucket. Throws what {@link changedBucket} throws. */
export function newBucket(slug: string, body: ChangeBucketBody): BucketValues {
  const empty: BucketValues = {
    name: slug,
    public: false,
    quotaBytes: null,
    maxFileBytes: null,
    allowedMimeTypes: null,
    cors: [],
  };
  return changedBucket(empty, body);
}

/** The fields in which the values differ. */
export function differingFields(
  before: BucketValues,
  after: BucketValues,
): readonly (keyof BucketValues)[] {
  const fields = [
    'name',
    'public',
    'quotaBytes',
    'maxFileBytes',
    'allowedMimeTypes',
    'cors',
  ] as const;
  return fields.filter((field) => !isDeepStrictEqual(before[field], after[field]));
}

/** Only these fields, as the audit log has them. */
export function pickFields(values: BucketValues, fields: readonly (keyof BucketValues)[]): object {
  return Object.fromEntries(fields.map((field) => [field, values[field]]));
}

function parseTypes(types: readonly string[] | null): readonly string[] | null {
  if (types === null) return null;
  return [...new Set(types.map(parseMediaTypePattern))];
}
