// A try as it was asked for: as whom, what, and with which changes of policies. Parsed once, trusted afterwards.
import { fail } from '#libs/errors';
import { isRecord } from '#libs/wire';

import { readWrittenClaims, type WrittenClaims } from '../http/written-claims.js';
import { type PolicyChange, readChanges } from './policy-change.js';
import { fieldsOf, optionalText, record, text, word } from './read-fields.js';

/** As whom a request is tried. */
export type TriedCaller =
  | { readonly kind: 'anon' }
  | { readonly kind: 'user'; readonly userId: string }
  | { readonly kind: 'claims'; readonly claims: WrittenClaims }
  | { readonly kind: 'keyId'; readonly keyId: string }
  /** A project key, or an API key of a user. */
  | { readonly kind: 'key'; readonly key: string };

export type TableAction = 'select' | 'insert' | 'update' | 'delete';
export type FileAction = 'read' | 'write' | 'delete';

/** A request on a table as REST has it: `query` is its query string, `values` its body. */
export interface TriedTable {
  readonly kind: TableAction;
  readonly table: string;
  readonly query: string;
  /** JSON. Undefined for `select` and `delete`. */
  readonly values: string | undefined;
  /** The header `Prefer`. */
  readonly prefer: string | undefined;
}

export interface TriedCall {
  readonly kind: 'rpc';
  readonly function: string;
  /** JSON of an object. */
  readonly arguments: string;
}

export interface TriedFile {
  readonly kind: 'file';
  readonly access: FileAction;
  readonly bucket: string;
  readonly key: string;
  /** Of a written file; bytes. */
  readonly size: number;
  readonly mediaType: string;
}

export type TriedRequest = TriedTable | TriedCall | TriedFile;

export interface Try {
  readonly as: TriedCaller;
  readonly request: TriedRequest;
  readonly changes: readonly PolicyChange[];
}

const maxQueryLength = 8 * 1024;
const maxBodyLength = 256 * 1024;
const defaultMediaType = 'application/octet-stream';
const maxIdLength = 64;
const maxKeyLength = 512;
const maxNameLength = 63;

/** Returns a try. Throws INVALID_INPUT and UNKNOWN_FIELD (400), which name the field. */
export function readTry(body: {
  readonly as: unknown;
  readonly request: unknown;
  readonly policies?: unknown;
}): Try {
  return {
    as: readCaller(body.as),
    request: readRequest(body.request),
    changes: readChanges(body.policies),
  };
}

/** Throws INVALID_INPUT, UNKNOWN_FIELD (400). */
export function readCaller(value: unknown): TriedCaller {
  const as = record(value, 'as');
  const kind = word(as['kind'], 'as.kind', ['anon', 'user', 'claims', 'key']);
  switch (kind) {
    case 'anon':
      fieldsOf(as, 'as', ['kind']);
      return { kind };
    case 'user':
      fieldsOf(as, 'as', ['kind', 'userId']);
      return { kind, userId: text(as['userId'], 'as.userId', maxIdLength) };
    case 'claims':
      fieldsOf(as, 'as', ['kind', 'role', 'claims']);
      return { kind, claims: readWrittenClaims(readRole(as['role']), as['claims']) };
    case 'key':
      fieldsOf(as, 'as', ['kind', 'keyId', 'key']);
      return readKey(as);
  }
}

function readKey(as: Readonly<Record<string, unknown>>): TriedCaller {
  if ((as['keyId'] === undefined) === (as['key'] === undefined)) {
    throw fail('INVALID_INPUT', { field: 'as', reason: 'must have either keyId or key' });
  }
  return as['key'] === undefined
    ? { kind: 'keyId', keyId: text(as['keyId'], 'as.keyId', maxIdLength) }
    : { kind: 'key', key: text(as['key'], 'as.key', maxKeyLength) };
}

const readRole = (value: unknown) =>
  word(value, 'as.role', ['anon', 'authenticated', 'service_role']);

/** Throws INVALID_INPUT, UNKNOWN_FIELD (400). */
export function readRequest(value: unknown): TriedRequest {
  const request = record(value, 'request');
  const kinds = ['select', 'insert', 'update', 'delete', 'rpc', 'file'] as const;
  const kind = word(request['kind'], 'request.kind', kinds);
  switch (kind) {
    case 'select':
    case 'delete':
      fieldsOf(request, 'request', ['kind', 'table', 'query', 'prefer']);
      return { ...tableOf(request), kind, values: undefined };
    case 'insert':
    case 'update':
      fieldsOf(request, 'request', ['kind', 'table', 'query', 'prefer', 'values']);
      return { ...tableOf(request), kind, values: json(request['values'], 'request.values') };
    case 'rpc':
      fieldsOf(request, 'request', ['kind', 'function', 'arguments']);
      return {
        kind,
        function: text(request['function'], 'request.function', maxNameLength),
        arguments: json(
          record(request['arguments'] ?? {}, 'request.arguments'),
          'request.arguments',
        ),
      };
    case 'file':
      fieldsOf(request, 'request', ['kind', 'access', 'bucket', 'key', 'size', 'mediaType']);
      return fileOf(request);
  }
}

function tableOf(request: Readonly<Record<string, unknown>>) {
  return {
    table: text(request['table'], 'request.table', maxNameLength),
    query:
      optionalText(request['query'], 'request.query', maxQueryLength)?.replace(/^\?/, '') ?? '',
    prefer: optionalText(request['prefer'], 'request.prefer', 500),
  };
}

function fileOf(request: Readonly<Record<string, unknown>>): TriedFile {
  const size = request['size'] ?? 0;
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0) {
    throw fail('INVALID_INPUT', { field: 'request.size', reason: 'must be a number of bytes' });
  }
  return {
    kind: 'file',
    access: word(request['access'], 'request.access', ['read', 'write', 'delete']),
    bucket: text(request['bucket'], 'request.bucket', 100),
    key: text(request['key'], 'request.key', 1024),
    size,
    mediaType: optionalText(request['mediaType'], 'request.mediaType', 200) ?? defaultMediaType,
  };
}

function json(value: unknown, field: string): string {
  if (!isRecord(value) && !Array.isArray(value)) {
    throw fail('INVALID_INPUT', { field, reason: 'must be an object or a list of objects' });
  }
  const body = JSON.stringify(value);
  if (body.length > maxBodyLength) {
    const reason = `must be at most ${maxBodyLength} characters of JSON`;
    throw fail('INVALID_INPUT', { field, reason });
  }
  return body;
}
