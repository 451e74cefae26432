// The answers of the routes: rows in all media types, headers, errors.
import { headerRef, responseRef, schemaRef } from './names.js';
import type { Content, Header, Operation, Reference, Response, Schema } from './openapi.js';

const text: Schema = { type: 'string' };

export const sharedHeaders = {
  contentRange: {
    description: 'The rows of the answer and the total: `0-9/57`; `*` if no total was requested.',
    schema: text,
  },
  preferenceApplied: { description: 'The preferences that were followed.', schema: text },
  location: {
    description: 'Where to read the one row that was inserted; with `Prefer: return=headers-only`.',
    schema: text,
  },
  requestId: { description: 'Identifies the request in the log of the server.', schema: text },
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

/** Schemas that belong to no table; their names have a dot, unlike those of tables. */
export const sharedSchemas: Readonly<Record<string, Schema>> = {
  'rowhouse.error': {
    type: 'object',
    properties: {
      message: { type: 'string', description: 'What went wrong.' },
      code: { type: 'string', description: 'A code of the platform, or an SQLSTATE.' },
      status: { type: 'integer', description: 'The status of the answer.' },
      details: { description: 'Details of the cause.' },
      hint: { type: 'string', description: 'What may help.' },
      requestId: {
        type: 'string',
        description: 'Identifies the request in the log of the server.',
      },
    },
    required: ['message', 'code', 'status', 'requestId'],
  },
};

/** Answers that belong to no table, by the name of their component. */
export function sharedResponses(): Readonly<Record<string, Response>> {
  return {
    error: {
      description: 'The request was refused or failed; it changed nothing.',
      headers: headersOf([]),
      content: { 'application/json': { schema: schemaRef('rowhouse.error') } },
    },
    head: {
      description: 'The headers of the answer to GET.',
      headers: headersOf(['Content-Range', 'Preference-Applied']),
    },
    written: writtenAnswer(undefined),
  };
}

/** The answers of an operation: success, and errors in their common form. */
export function answers(
  status: '200' | '201' | '204',
  success: Response | Reference,
): Operation['responses'] {
  return { [status]: success, default: responseRef('error') };
}

/** Rows in every available format. */
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

/** Rows that were written; the body exists only with `return=representation`. */
export function writtenAnswer(row: Schema | undefined): Response {
  return {
    description: 'Done. The rows are in the body with `Prefer: return=representation`.',
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
  description: 'Done; there is no result.',
  headers: headersOf(['Preference-Applied']),
};
