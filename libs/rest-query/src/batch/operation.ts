// One operation of a batch: a JSON object becomes a request on a table, or an error that names the field.
import { fail } from '#libs/errors';
import { shorten } from '../parse/names.js';
import type { BatchPlace, BodyReference } from '../types/grammar.js';
import { MAX_REFERENCES, refusal, type OperationText, type WriteMethod } from './field.js';
import { readMatch } from './match.js';
import { queryStringOf } from './query.js';
import { looksLikeIndex, parsePointer } from './references.js';

export interface Operation {
  readonly method: WriteMethod;
  readonly table: string;
  readonly queryString: string;
  readonly body: Buffer | undefined;
  /** Preferences of the operation itself, which override those of the batch. */
  readonly preferences: readonly string[];
  /** Whether a conflict updates the existing row, unless the batch prefers otherwise. */
  readonly isUpsert: boolean;
  readonly name: string | undefined;
  readonly references: readonly BodyReference[];
  readonly matches: BatchPlace['matches'];
}

const METHODS: readonly WriteMethod[] = ['POST', 'PATCH', 'DELETE'];
const READING_METHODS: readonly unknown[] = ['GET', 'HEAD'];
const FIELDS: ReadonlySet<string> = new Set([
  'method',
  'model',
  'query',
  'body',
  'match',
  'as',
  'resolution',
  'missing',
]);
const MAX_NAME_LENGTH = 63;
const RESOLUTIONS = ['merge-duplicates', 'ignore-duplicates'];
const MISSING = ['default', 'null'];

/** Throws PGRST100 for an operation that reads; INVALID_INPUT and UNKNOWN_FIELD, naming the field. */
export function readOperation(text: OperationText): Operation {
  checkFields(text);
  const method = readMethod(text);
  const queryString = queryStringOf(text.fields.get('query'), `${text.path}.query`);
  const match = readMatch(text, method);
  return {
    method,
    table: readModel(text),
    queryString: [queryString, ...match.filters].filter((part) => part !== '').join('&'),
    body: readBody(text, method),
    preferences: readPreferences(text, method),
    isUpsert: method === 'POST' && /(?:^|&)on_conflict=/.test(queryString),
    name: readName(text),
    references: readReferences(text),
    matches: match.references,
  };
}

function checkFields({ raw, path }: OperationText): void {
  for (const field of raw.keys()) {
    if (!FIELDS.has(field)) throw fail('UNKNOWN_FIELD', { field: `${path}.${shorten(field)}` });
  }
}

function readMethod({ fields, path }: OperationText): WriteMethod {
  const field = `${path}.method`;
  const word = fields.get('method');
  const method = METHODS.find((known) => known === word);
  if (method) return method;
  if (READING_METHODS.includes(word)) {
    throw fail('PGRST100', { reason: `a batch only writes, but ${field} reads` });
  }
  throw refusal(field, `must be one of ${METHODS.join(', ')}`);
}

function readModel({ fields, path }: OperationText): string {
  const model = fields.get('model');
  if (typeof model === 'string' && model !== '') return model;
  throw refusal(`${path}.model`, 'must be the name of a table');
}

function readBody({ body, path }: OperationText, method: WriteMethod): Buffer | undefined {
  const field = `${path}.body`;
  if (method === 'DELETE') {
    if (!body) return undefined;
    throw refusal(field, 'DELETE takes none');
  }
  if (body?.isOfObjects && (method === 'POST' || !body.isArray)) return body.text;
  const allowed = method === 'POST' ? 'an object or a list of objects' : 'an object';
  throw refusal(field, `must be ${allowed}`);
}

/** Only columns of a row can be references; a deeper `$ref` is data. */
function readReferences({ body, path, earlier }: OperationText): readonly BodyReference[] {
  const field = `${path}.body`;
  const references = (body?.pointers ?? []).map(({ row, column, pointer }): BodyReference => {
    const place = body?.isArray ? `${field}[${row}]` : field;
    return {
      row,
      column,
      reference: parsePointer(pointer, `${place}.${shorten(column)}`, earlier),
    };
  });
  if (references.length <= MAX_REFERENCES) return references;
  throw fail('PGRST100', { reason: `${field} has more than ${MAX_REFERENCES} references` });
}

function readPreferences(text: OperationText, method: WriteMethod): readonly string[] {
  const resolution = readWord(text, 'resolution', RESOLUTIONS);
  const missing = readWord(text, 'missing', MISSING);
  if (resolution !== undefined && method !== 'POST') {
    throw refusal(`${text.path}.resolution`, 'is for POST');
  }
  return [
    ...(resolution === undefined ? [] : [`resolution=${resolution}`]),
    ...(missing === undefined ? [] : [`missing=${missing}`]),
  ];
}

function readWord(
  { fields, path }: OperationText,
  name: string,
  words: readonly string[],
): string | undefined {
  const value = fields.get(name);
  if (value === undefined) return undefined;
  if (typeof value === 'string' && words.includes(value)) return value;
  throw refusal(`${path}.${name}`, `must be one of ${words.join(', ')}`);
}

function readName({ fields, path, earlier }: OperationText): string | undefined {
  const name = fields.get('as');
  if (name === undefined) return undefined;
  const field = `${path}.as`;
  if (typeof name !== 'string' || name === '' || name.length > MAX_NAME_LENGTH) {
    throw refusal(field, `must be a text of 1 to ${MAX_NAME_LENGTH} characters`);
  }
  if (looksLikeIndex(name)) throw refusal(field, 'must not be a number');
  if (earlier.has(name)) throw refusal(field, 'is the name of an earlier operation');
  return name;
}
