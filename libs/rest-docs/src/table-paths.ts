import {
  namePart,
  paragraphs,
  pathPart,
  responseRef,
  schemaRef,
  tableSchemaNames,
} from './names.js';
import type { Operation, PathItem, Reference, RequestBody, Response, Schema } from './openapi.js';
import { filterRefs, shared } from './parameters.js';
import { answers, rowsAnswer, writtenAnswer } from './responses.js';
import type { VisibleTable } from './visible.js';

/** The route of a table with the methods that the caller has a right to. */
export function tablePath(own: VisibleTable): readonly [path: string, item: PathItem] {
  const { rights } = own;
  const filters = filterRefs(own);
  const item: PathItem = {
    ...(rights.select !== 'none' && { get: readRows(own, filters), head: countRows(own, filters) }),
    ...(rights.insert !== 'none' && { post: insertRows(own) }),
    ...(rights.update !== 'none' && { patch: updateRows(own, filters) }),
    ...(rights.canDelete && { delete: deleteRows(own, filters) }),
  };
  return [`/${pathPart(own.table.name)}`, item];
}

/** The answers of a table by the name of their component; none for a caller without the right to read. */
export function tableResponses(own: VisibleTable): readonly [string, Response][] {
  const { table, rights } = own;
  if (rights.select === 'none') return [];
  const row: Schema = schemaRef(tableSchemaNames(table.name).row);
  return [
    [readName(own), rowsAnswer(row)],
    [writtenName(own), writtenAnswer(row)],
  ];
}

function readRows(own: VisibleTable, filters: readonly Reference[]): Operation {
  const description = paragraphs(own.rights.comment);
  return {
    ...headOf(own, 'get', `Read rows of ${own.table.name}`),
    ...(description !== undefined && { description }),
    parameters: [
      ...filters,
      ...shared('select', 'order', 'limit', 'offset', 'or', 'and', 'range', 'preferRead'),
    ],
    responses: answers('200', responseRef(readName(own))),
  };
}

function countRows(own: VisibleTable, filters: readonly Reference[]): Operation {
  return {
    ...headOf(own, 'head', `Count rows of ${own.table.name}`),
    parameters: [...filters, ...shared('limit', 'offset', 'or', 'and', 'range', 'preferRead')],
    responses: answers('200', responseRef('head')),
  };
}

function insertRows(own: VisibleTable): Operation {
  const row = schemaRef(tableSchemaNames(own.table.name).insert);
  return {
    ...headOf(own, 'post', `Insert rows into ${own.table.name}`),
    parameters: shared('select', 'columns', 'onConflict', 'preferInsert'),
    requestBody: jsonBody(
      { oneOf: [row, { type: 'array', items: row }] },
      'One row, or an array of rows.',
    ),
    responses: answers('201', writtenRef(own)),
  };
}

function updateRows(own: VisibleTable, filters: readonly Reference[]): Operation {
  return {
    ...headOf(own, 'patch', `Update rows of ${own.table.name}`),
    description: onlyFiltered,
    parameters: [...filters, ...shared('or', 'and', 'select', 'columns', 'preferWrite')],
    requestBody: jsonBody(
      schemaRef(tableSchemaNames(own.table.name).update),
      'The columns to change, with their new values.',
    ),
    responses: answers('200', writtenRef(own)),
  };
}

function deleteRows(own: VisibleTable, filters: readonly Reference[]): Operation {
  return {
    ...headOf(own, 'delete', `Delete rows of ${own.table.name}`),
    description: onlyFiltered,
    parameters: [...filters, ...shared('or', 'and', 'select', 'preferWrite')],
    responses: answers('200', writtenRef(own)),
  };
}

const onlyFiltered = 'Needs a filter, except for administrators.';

function headOf({ table }: VisibleTable, verb: string, summary: string) {
  return { operationId: `${verb}.${namePart(table.name)}`, tags: [table.name], summary };
}

function readName({ table }: VisibleTable): string {
  return `rows.${namePart(table.name)}`;
}

function writtenName({ table }: VisibleTable): string {
  return `written.${namePart(table.name)}`;
}

function writtenRef(own: VisibleTable): Reference {
  return responseRef(own.rights.select === 'none' ? 'written' : writtenName(own));
}

function jsonBody(schema: Schema, description: string): RequestBody {
  return { description, required: true, content: { 'application/json': { schema } } };
}
