// What a sender says of a file beside its bytes, as fields of a form, parameters of a query or members of a JSON
// object: text in, options out.
import { fail } from '#libs/errors';
import {
  parseBucketSlug,
  parseCacheControl,
  parseMediaType,
  parseObjectKey,
  parseUserMetadata,
} from '#libs/storage-rules';

import type { Visibility } from '../core/stored-file.js';

const FIELD_NAMES = [
  'bucket',
  'path',
  'key',
  'visibility',
  'upsert',
  'contentType',
  'cacheControl',
  'metadata',
] as const;
export type FieldName = (typeof FIELD_NAMES)[number];

/** Texts by their names. */
export type UploadFields = ReadonlyMap<string, string>;

/** The properties that the client requests for a file; undefined where it states none. */
export interface UploadOptions {
  readonly bucket: string | undefined;
  readonly key: string | undefined;
  readonly visibility: Visibility | undefined;
  readonly upsert: boolean;
  readonly mediaType: string | undefined;
  readonly cacheControl: string | undefined;
  readonly userMetadata: Readonly<Record<string, unknown>> | undefined;
}

export function isFieldName(name: string): name is FieldName {
  return FIELD_NAMES.some((known) => known === name);
}

/**
 * Returns the options in these fields; an empty field states none. Throws INVALID_INPUT, INVALID_BUCKET_SLUG,
 * INVALID_OBJECT_KEY, INVALID_MEDIA_TYPE (400).
 */
export function parseUploadOptions(fields: UploadFields): UploadOptions {
  const read = <T>(name: FieldName, parse: (text: string) => T): T | undefined => {
    const text = fields.get(name);
    return text === undefined || text === '' ? undefined : parse(text);
  };
  const [path, key] = [read('path', parseObjectKey), read('key', parseObjectKey)];
  if (path !== undefined && key !== undefined) throw refused('key', 'it is another word for path');
  return {
    bucket: read('bucket', parseBucketSlug),
    key: path ?? key,
    visibility: read('visibility', parseVisibility),
    upsert: read('upsert', parseFlag) ?? false,
    mediaType: read('contentType', parseMediaType),
    cacheControl: read('cacheControl', parseCacheControl),
    userMetadata: read('metadata', parseMetadata),
  };
}

/**
 * Fields of a query beside those that the address names already. Throws UNKNOWN_FIELD and INVALID_INPUT (400).
 */
export function queryFields(
  query: Readonly<Record<string, unknown>>,
  named: UploadFields,
): UploadFields {
  const fields = new Map(named);
  for (const [name, value] of Object.entries(query)) {
    if (!isFieldName(name))
      throw fail('UNKNOWN_FIELD', { field: JSON.stringify(name.slice(0, 64)).slice(1, -1) });
    if (typeof value !== 'string') throw refused(name, 'it is given twice');
    addField(fields, name, value);
  }
  return fields;
}

/** Merges both. Throws INVALID_INPUT (400) for a field that is in both with different values. */
export function joinFields(a: UploadFields, b: UploadFields): UploadFields {
  const fields = new Map(a);
  for (const [name, value] of b) addField(fields, name, value);
  return fields;
}

function addField(fields: Map<string, string>, name: string, value: string): void {
  const known = fields.get(name);
  if (known !== undefined && known !== value) throw refused(name, 'it is given twice');
  fields.set(name, value);
}

function parseVisibility(text: string): Visibility {
  if (text !== 'public' && text !== 'private') throw refused('visibility', 'public or private');
  return text;
}

function parseFlag(text: string): boolean {
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw refused('upsert', 'true or false');
}

function parseMetadata(text: string): Readonly<Record<string, unknown>> {
  try {
    return parseUserMetadata(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) throw refused('metadata', 'it is not JSON');
    throw error;
  }
}

function refused(field: string, reason: string) {
  return fail('INVALID_INPUT', { field, reason });
}
