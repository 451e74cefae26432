// What the routes answer: rows in the media types that a caller may ask for, headers, errors.
import { headerRef, responseRef, schemaRef } from './names.js';
import type { Content, Header, Operation, Reference, Response, Schema } from './openapi.js';

const text: Schema = { type: 'string' };

export const sharedHeaders = {
  contentRange: {
    description:
      'The rows of the answer and the total: `0-9/57`; `*` for a total that was not asked for.',
    schema: text,
  },
  preferenceApplied: { description: 'The preferences that were followed.', schema: text },
  location: {
    description: 'Where to read the one row that was inserted; with `Prefer: return=headers-only`.',
    schema: text,
  },
  requestId: { description: 'Names the request in the log of the server.', schema: text },
} satisfies Record<string, Header>;

const headerNames = {
  'Content-Range': 'contentRange',
  'Preference-Applied': 'preferenceApplied',
  Location: 'location',
  'X-Request-Id': 'requestId',
} satisfies Record<string, keyof typeof sharedHeaders>;

function headersOf(
  names: readonly (keyof typeof headerNames)[],
): Readonly<Record<string, Reference>> {
  return Object.fromEntries(
    [...names, 'X-Request-Id' as const].map((name) => [name, headerRef(headerNames[name])]),
  );
}

/** Schemas that belong to no table; their names have a dot, which those of tables never have. */
export const sharedSchemas: Readonly<Record<string, Schema>> = {
  'rowhouse.error': {
    type: 'object',
    properties: {
      message: { type: 'string', description: 'What went wrong, in words.' },
      code: { type: 'string', description: 'A code of the platform, or an SQLSTATE.' },
      status: { type: 'integer', description: 'The status of the answer.' },
      details: { description: 'More about the cause.' },
      hint: { type: 'string', description: 'What may help.' },
      requestId: { type: 'string', description: 'Names the request in the log of the server.' },
    },
    required: ['message', 'code', 'status', 'requestId'],
  },
};

/** Answers that belong to no table, by the name of their component. */
export function sharedResponses(): Readonly<Record<string, Response>> {
  return {
    error: {
      description: 'The request was refused or failed; nothing of it remains.',
      headers: headersOf([]),
      content: { 'application/json': { schema: schemaRef('rowhouse.error') } },
    },
    head: {
      description: 'What the answer to GET would say of the rows.',
      headers: headersOf(['Content-Range', 'Preference-Applied']),
    },
    written: writtenAnswer(undefined),
  };
}

/** The answers of an operation: the one of success, and errors in their one shape. */
export function answers(
  status: '200' | '201' | '204',
  success: Response | Reference,
): Operation['responses'] {
  return { [status]: success, default: responseRef('error') };
}

/** Rows in every form that they can be asked for. */
function rowsContent(row: Schema): Content {
  return {
    'application/json': { schema: { type: 'array', items: row } },
    'application/vnd.pgrst.object+json': { schema: row },
    'text/csv': { schema: text },
    'application/geo+json': { schema: { type: 'object' } },
  };
}

/** Rows that were read. */
export function rowsAnswer(row: Schema): Response {
  return {
    description: 'The rows.',
    headers: headersOf(['Content-Range', 'Preference-Applied']),
    content: rowsContent(row),
  };
}

/** Rows that were written; the body is there with `return=representation` alone. */
export function writtenAnswer(row: Schema | undefined): Response {
  return {
    description:
      'Done. The rows are in the body when `Prefer: return=representation` asks for them.',
    headers: headersOf(['Content-Range', 'Preference-Applied', 'Location']),
    ...(row !== undefined && { content: rowsContent(row) }),
  };
}

/** A body of one schema. */
export function jsonAnswer(description: string, schema: Schema): Response {
  return {
    description,
    headers: headersOf(['Preference-Applied']),
    content: { 'application/json': { schema } },
  };
}

/** Success without a body. */
export const emptyAnswer: Response = {
  description: 'Done; there is nothing to give.',
  headers: headersOf(['Preference-Applied']),
};
