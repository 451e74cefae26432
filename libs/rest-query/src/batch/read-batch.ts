// The body of `POST /rest/v1/batch` as a list of requests on tables, in their order.
//
// The body is `{"operations": […]}`. An operation is `{method, model, query, body}`, which says what would be
// sent to the route of a table; besides it may have
//   `match`: columns and what they equal, for PATCH and DELETE;
//   `as`: a name for references; `resolution` and `missing`: as in Prefer, for this operation alone.
// A column of `match` or of a row may be `{"$ref": "/<operation>/<row>/<column>"}`: the value in the result
// of an earlier operation, which is named by its index or by its `as`. An update or a delete that matches no
// row gives an empty result; a reference to a row that is not there is an error.
import { fail } from '#libs/errors';
import { shorten } from '../parse/names.js';
import type { BatchPlace } from '../types/grammar.js';
import type { RestHeaders, RestInput } from '../types/request.js';
import { entriesOf, isObject, refusal } from './field.js';
import { type Operation, readOperation } from './operation.js';
import { rawElements, rawMembers } from './raw-json.js';

/** Operations of one batch at the most (spec: Batch writes). */
const MAX_OPERATIONS = 100;
const LIST = 'operations';

/**
 * The operations of a batch. `headers` hold for each of them, as far as they say how to write.
 * Throws PGRST102 for a body that is not JSON; PGRST100 for no operation, more than 100 of them, and
 * those that read; INVALID_INPUT and UNKNOWN_FIELD for other mistakes, naming the field.
 */
export function readBatch(body: string | undefined, headers: RestHeaders): readonly RestInput[] {
  const { values, texts } = readList(body ?? '');
  const rawOperations = texts.map((text, i) => {
    if (!isObject(values[i])) throw refusal(`${LIST}[${i}]`, 'must be an object');
    return rawMembers(text);
  });
  const earlier = new Map<string, number>();
  const operations = rawOperations.map((raw, i) => {
    const fields = new Map(entriesOf(values[i]));
    const operation = readOperation({ path: `${LIST}[${i}]`, fields, raw, earlier });
    earlier.set(String(i), i);
    if (operation.name !== undefined) earlier.set(operation.name, i);
    return operation;
  });
  const referenced = referencedIndexes(operations);
  return operations.map((operation, i) =>
    inputOf(operation, headers, placeOf(operation, i, referenced.has(i))),
  );
}

interface OperationList {
  readonly values: readonly unknown[];
  readonly texts: readonly string[];
}

function readList(body: string): OperationList {
  const value = parseJson(body);
  if (!isObject(value)) throw refusal('body', `must be an object with a list of ${LIST}`);
  const list = memberList(value);
  if (!Array.isArray(list)) throw refusal(LIST, 'must be a list');
  if (list.length === 0) throw fail('PGRST100', { reason: `${LIST} is empty` });
  if (list.length > MAX_OPERATIONS) {
    throw fail('PGRST100', { reason: `${LIST} has more than ${MAX_OPERATIONS} elements` });
  }
  return { values: list, texts: rawElements(rawMembers(body).get(LIST) ?? '[]') };
}

function memberList(body: object): unknown {
  const fields = new Map(entriesOf(body));
  for (const field of fields.keys()) {
    if (field !== LIST) throw fail('UNKNOWN_FIELD', { field: shorten(field) });
  }
  return fields.get(LIST);
}

function parseJson(body: string): unknown {
  if (body === '') throw fail('PGRST102', { reason: 'it is empty' });
  try {
    return JSON.parse(body);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw fail('PGRST102', { reason: 'it is not JSON' }, { cause });
  }
}

function referencedIndexes(operations: readonly Operation[]): ReadonlySet<number> {
  return new Set(
    operations.flatMap(({ references, matches }) =>
      [...references, ...matches].map(({ reference }) => reference.operation),
    ),
  );
}

/** Undefined where nothing leads to or from the operation: then it is like any other of its shape. */
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
