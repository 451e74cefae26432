import { maxOperations } from '#libs/rest-query';

import { schemaRef } from './names.js';
import type { Operation, PathItem, Schema } from './openapi.js';
import { shared } from './parameters.js';
import { answers, jsonAnswer } from './responses.js';
import type { VisibleTable } from './visible.js';

/** The tables that the caller may write to, or undefined if there is none. */
export function batchPath(tables: readonly VisibleTable[]): PathItem | undefined {
  return writableNames(tables).length > 0 ? { post: batch } : undefined;
}

const requestBody: Schema = {
  type: 'object',
  properties: {
    operations: {
      type: 'array',
      items: schemaRef('batch.operation'),
      minItems: 1,
      maxItems: maxOperations,
    },
  },
  required: ['operations'],
  additionalProperties: false,
};

const description =
  `All operations happen or none of them. An operation may use a value of an earlier
result: \`{"$ref": "/0/0/id"}\` is the column \`id\` of the first row of the first operation, and
\`/author/0/id\` that of an operation with \`"as": "author"\`. An update or a delete that matches nothing has
an empty result.`.replaceAll('\n', ' ');

const batch: Operation = {
  operationId: 'batch',
  tags: ['batch'],
  summary: 'Several writes in one transaction',
  description,
  parameters: shared('preferBatch'),
  requestBody: {
    required: true,
    description: `At most ${maxOperations} operations.`,
    content: { 'application/json': { schema: requestBody } },
  },
  responses: answers(
    '200',
    jsonAnswer('The rows of each operation, in order.', schemaRef('batch.answer')),
  ),
};

/** The schemas that the batch route refers to. */
export function batchSchemas(tables: readonly VisibleTable[]): readonly [string, Schema][] {
  const names = writableNames(tables);
  if (names.length === 0) return [];
  return [
    ['batch.operation', operationSchema(names)],
    ['batch.answer', answerSchema],
  ];
}

function writableNames(tables: readonly VisibleTable[]): readonly string[] {
  return tables
    .filter(
      ({ rights }) => rights.insert !== 'none' || rights.update !== 'none' || rights.canDelete,
    )
    .map(({ table }) => table.name);
}

const values: Schema = {
  oneOf: [{ type: 'object' }, { type: 'array', items: { type: 'object' } }],
};

/** The fields of an operation besides its route and its body. */
const clauses: Readonly<Record<string, Schema>> = {
  query: {
    description:
      'Filters, `select`, `on_conflict` and `columns`, as in the query string of the table.',
    oneOf: [{ type: 'string' }, { type: 'object' }],
  },
  match: {
    type: 'object',
    description: 'Columns and the values that they equal; a value may be a reference.',
  },
  as: { type: 'string', maxLength: 63, description: 'A name for references of later operations.' },
  resolution: { type: 'string', enum: ['merge-duplicates', 'ignore-duplicates'] },
  missing: { type: 'string', enum: ['default', 'null'] },
};

function operationSchema(tables: readonly string[]): Schema {
  return {
    type: 'object',
    description: 'A request to the route of a table.',
    properties: {
      method: { type: 'string', enum: ['POST', 'PATCH', 'DELETE'] },
      model: { type: 'string', enum: tables },
      body: values,
      ...clauses,
    },
    required: ['method', 'model'],
    additionalProperties: false,
  };
}

const results: Schema = {
  type: 'array',
  items: { type: 'array', items: { type: 'object' } },
};

const answerSchema: Schema = {
  type: 'object',
  properties: {
    status: { type: 'integer', const: 1 },
    message: { type: 'string' },
    data: { type: 'object', properties: { results }, required: ['results'] },
  },
  required: ['status', 'message', 'data'],
};
