// The body of `POST /rest/v1/batch` as a list of requests on tables, in their order.
//
// The body is `{"operations": […]}`. An operation is `{method, model, query, body}`, which describes a request to the
// route of a table. It may also have
//   `match`: columns and the values that they equal, for PATCH and DELETE;
//   `as`: a name for references; `resolution` and `missing`: as in Prefer, for this operation alone.
// A column of `match` or of a row may be `{"$ref": "/<operation>/<row>/<column>"}`: the value in the result of an
// earlier operation, named by its index or by its `as`. An update or a delete that matches no row has an empty result;
// a reference to a missing row is an error.
import { Buffer } from 'node:buffer';

import { fail } from '#libs/errors';
import { OPEN_ARRAY, OPEN_OBJECT, scanJson } from '../parse/json-scan.js';
import { shorten } from '../parse/names.js';
import type { Steps } from '#libs/steps';
import type { BatchPlace } from '../types/grammar.js';
import type { RestHeaders, RestInput } from '../types/request.js';
import { MAX_REFERENCES, type OperationBody, refusal } from './field.js';
import { type Operation, readOperation } from './operation.js';
import { pointerOf } from './references.js';

/** The most operations in one batch (spec: Batch writes). */
export const maxOperations = 100;
/** More names than an operation may have. */
const MAX_FIELDS = 20;
/** The longest field besides `body`, as it is written; a query string may have an eighth of it. */
const MAX_FIELD_CHARS = 128 * 1024;
/** A longer object in a column is not a reference, but a value. */
const MAX_REFERENCE_CHARS = 1_000;
/** UTF-8 needs at most this many bytes for a character as JavaScript counts them. */
const MAX_CHAR_BYTES = 3;
const LIST = 'operations';

/**
 * Reads the operations of a batch, in steps. The write preferences of `headers` apply to each of them. Throws PGRST102
 * for a body that is not JSON; PGRST100 for no operation, more than 100 operations, and operations that read;
 * INVALID_INPUT and UNKNOWN_FIELD for other mistakes, naming the field.
 */
export function* readBatch(
  body: Buffer | undefined,
  headers: RestHeaders,
): Steps<readonly RestInput[]> {
  const texts = yield* readList(body ?? Buffer.alloc(0));
  const earlier = new Map<string, number>();
  const operations: Operation[] = [];
  for (const [i, raw] of texts.entries()) {
    const path = `${LIST}[${i}]`;
    if (!raw) throw refusal(path, 'must be an object');
    const rawBody = raw.get('body');
    const operationBody = rawBody === undefined ? undefined : yield* scanBody(rawBody);
    const fields = fieldsOf(raw, path);
    const operation = readOperation({ path, fields, raw, body: operationBody, earlier });
    operations.push(operation);
    earlier.set(String(i), i);
    if (operation.name !== undefined) earlier.set(operation.name, i);
    yield;
  }
  const referenced = referencedIndexes(operations);
  return operations.map((operation, i) =>
    inputOf(operation, headers, placeOf(operation, i, referenced.has(i))),
  );
}

/** The members of each operation as they were written; undefined for an operation that is not an object. */
type RawOperations = readonly (ReadonlyMap<string, Buffer> | undefined)[];

function* readList(body: Buffer): Steps<RawOperations> {
  if (body.length === 0) throw fail('PGRST102', { reason: 'it is empty' });
  const names = new Set<string>();
  let isObject = false;
  let list: RawOperations | undefined;
  let elements: (ReadonlyMap<string, Buffer> | undefined)[] = [];
  let members = new Map<string, Buffer>();
  yield* scanJson(body, 3, ({ depth, key, start, end }) => {
    if (depth === 3) {
      // The first unknown field is refused, so further ones do not matter.
      if (key !== undefined && members.size < MAX_FIELDS)
        members.set(key, body.subarray(start, end));
    } else if (depth === 2) {
      const element = body[start] === OPEN_OBJECT ? members : undefined;
      if (elements.length <= maxOperations) elements.push(element);
      members = new Map();
    } else if (depth === 1) {
      if (key !== undefined && names.size < MAX_FIELDS) names.add(key);
      if (key === LIST) list = body[start] === OPEN_ARRAY ? elements : undefined;
      elements = [];
    } else isObject = body[start] === OPEN_OBJECT;
  });
  if (!isObject) throw refusal('body', `must be an object with a list of ${LIST}`);
  for (const name of names) {
    if (name !== LIST) throw fail('UNKNOWN_FIELD', { field: shorten(name) });
  }
  return checkList(list);
}

function checkList(list: RawOperations | undefined): RawOperations {
  if (!list) throw refusal(LIST, 'must be a list');
  if (list.length === 0) throw fail('PGRST100', { reason: `${LIST} is empty` });
  if (list.length > maxOperations) {
    throw fail('PGRST100', { reason: `${LIST} has more than ${maxOperations} elements` });
  }
  return list;
}

function fieldsOf(raw: ReadonlyMap<string, Buffer>, path: string): ReadonlyMap<string, unknown> {
  const fields = new Map<string, unknown>();
  for (const [name, bytes] of raw) {
    if (name === 'body') continue;
    const text = shortText(bytes, MAX_FIELD_CHARS);
    if (text === undefined) throw refusal(`${path}.${shorten(name)}`, 'is too long');
    fields.set(name, JSON.parse(text));
  }
  return fields;
}

/** The references in the columns of the rows in a body. If a name is repeated, the last counts, as in PostgreSQL. */
function* scanBody(text: Buffer): Steps<OperationBody> {
  const isArray = text[0] === OPEN_ARRAY;
  const rowDepth = isArray ? 1 : 0;
  const pointers: OperationBody['pointers'][number][] = [];
  let ofRow = new Map<string, string>();
  let isOfObjects = true;
  let row = 0;
  yield* scanJson(text, rowDepth + 1, ({ depth, key, start, end }) => {
    if (depth > rowDepth) {
      if (key === undefined) return;
      const pointer = pointerAt(text, start, end);
      if (pointer !== undefined) ofRow.set(key, pointer);
      else if (ofRow.size > 0) ofRow.delete(key);
    } else if (depth === rowDepth) {
      isOfObjects &&= text[start] === OPEN_OBJECT;
      for (const [column, pointer] of ofRow) {
        if (pointers.length <= MAX_REFERENCES) pointers.push({ row, column, pointer });
      }
      if (ofRow.size > 0) ofRow = new Map();
      row++;
    }
  });
  return { text, isArray, isOfObjects, pointers };
}

function pointerAt(text: Buffer, start: number, end: number): string | undefined {
  if (text[start] !== OPEN_OBJECT) return undefined;
  const object = shortText(text.subarray(start, end), MAX_REFERENCE_CHARS);
  return object === undefined ? undefined : pointerOf(JSON.parse(object));
}

/** Undefined for a text of more than `maxChars` characters. */
function shortText(bytes: Buffer, maxChars: number): string | undefined {
  if (bytes.length > maxChars * MAX_CHAR_BYTES) return undefined;
  const text = bytes.toString('utf8');
  return text.length > maxChars ? undefined : text;
}

function referencedIndexes(operations: readonly Operation[]): ReadonlySet<number> {
  return new Set(
    operations.flatMap(({ references, matches }) =>
      [...references, ...matches].map(({ reference }) => reference.operation),
    ),
  );
}

/**
 * Undefined if the operation has no references and nothing refers to it: then it is compiled like any other of its
 * shape.
 */
function placeOf(
  { references, matches }: Operation,
  index: number,
  isReferenced: boolean,
): BatchPlace | undefined {
  if (!isReferenced && references.length === 0 && matches.length === 0) return undefined;
  return { index, isReferenced, references, matches };
}

/** Of equal preferences the first counts: the operation's own, then the batch's, then the defaults. */
function inputOf(
  operation: Operation,
  { prefer, acceptProfile, contentProfile }: RestHeaders,
  place: BatchPlace | undefined,
): RestInput {
  const { method, table, queryString, body, preferences, isUpsert } = operation;
  const preferred = [
    ...preferences,
    ...(prefer === undefined ? [] : [prefer]),
    ...(isUpsert ? ['resolution=merge-duplicates'] : []),
    'return=representation',
  ];
  return {
    method,
    resource: { kind: 'table', name: table },
    queryString,
    headers: { prefer: preferred.join(', '), acceptProfile, contentProfile },
    body,
    place,
  };
}
