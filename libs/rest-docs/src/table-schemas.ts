import type { Column, ForeignKey, Table } from '#libs/catalog';

import { defaultFacts } from './column-default.js';
import { asCode, paragraphs, tableSchemaNames } from './names.js';
import type { Schema } from './openapi.js';
import { type ColumnRight, covers } from './rights.js';
import { type EnumLabels, nullable, valueSchema } from './value-schema.js';
import { isWritable, type Visible, type VisibleTable } from './visible.js';

export interface SchemaContext {
  readonly visible: Visible;
  readonly enums: EnumLabels;
}

/** The schemas of a table by name: its row, and the body of an insert and an update. */
export function tableSchemas(
  own: VisibleTable,
  context: SchemaContext,
): readonly [string, Schema][] {
  const { table, rights } = own;
  const names = tableSchemaNames(table.name);
  const row = rowSchema(own, context);
  const insertable = writableColumns(table, rights.insert);
  const required = insertable
    .filter((column) => !column.isNullable && column.default.kind === 'none')
    .map(({ name }) => name);
  const insert = objectOf(columnProperties(own, insertable, context), required);
  const update = objectOf(
    columnProperties(own, writableColumns(table, rights.update), context),
    [],
  );
  return [
    [names.row, row],
    ...entryIf(rights.insert !== 'none', names.insert, insert),
    ...entryIf(rights.update !== 'none', names.update, update),
  ];
}

function entryIf(condition: boolean, name: string, schema: Schema): readonly [string, Schema][] {
  return condition ? [[name, schema]] : [];
}

function writableColumns(table: Table, right: ColumnRight): readonly Column[] {
  return table.columns.filter((column) => isWritable(column) && covers(right, column.name));
}

/** A row as it is read without `select`, and the further columns that `select` may name. */
function rowSchema(own: VisibleTable, context: SchemaContext): Schema {
  const { table, rights, computed } = own;
  const readable = table.columns.filter(({ name }) => covers(rights.select, name));
  const computedProperties = computed.map((column): Property => {
    const schema = nullable(valueSchema(column, context.enums));
    const note = 'Computed by a function; returned only if `select` names it.';
    return [column.name, described(schema, note, { readOnly: true })];
  });
  const properties = [...columnProperties(own, readable, context), ...computedProperties];
  const schema = objectOf(
    properties,
    readable.map(({ name }) => name),
  );
  const description = paragraphs(
    rights.comment,
    rights.select !== 'all' && rights.select !== 'none'
      ? 'Not every column may be read: `select` has to name those that may.'
      : undefined,
  );
  return { ...schema, ...(description !== undefined && { description }) };
}

type Property = readonly [name: string, schema: Schema];

function objectOf(properties: readonly Property[], required: readonly string[]): Schema {
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  };
}

function columnProperties(
  own: VisibleTable,
  columns: readonly Column[],
  context: SchemaContext,
): readonly Property[] {
  return columns.map((column) => [column.name, columnSchema(own, column, context)]);
}

function columnSchema(own: VisibleTable, column: Column, context: SchemaContext): Schema {
  const { table, rights } = own;
  const schema = valueSchema(column, context.enums);
  const { note, ...facts } = defaultFacts(column.default, schema);
  const description = paragraphs(
    rights.columnComments.get(column.name),
    primaryKeyNote(table, column),
    ...table.foreignKeys
      .filter(({ columns }) => columns.includes(column.name))
      .map((key) => foreignKeyNote(key, column, context.visible)),
    note,
  );
  return described(column.isNullable ? nullable(schema) : schema, description, {
    ...facts,
    ...(!isWritable(column) && { readOnly: true }),
  });
}

/** The description of a column precedes that of its type. */
function described(schema: Schema, note: string | undefined, facts: Schema): Schema {
  const description = paragraphs(note, schema.description);
  return { ...schema, ...facts, ...(description !== undefined && { description }) };
}

function primaryKeyNote({ primaryKey }: Table, { name }: Column): string | undefined {
  if (!primaryKey.includes(name)) return undefined;
  return primaryKey.length === 1
    ? 'Primary key.'
    : `Part of the primary key (${listOf(primaryKey)}).`;
}

/** The target of a foreign key; tables that the caller may not use are not named. */
function foreignKeyNote(
  { columns, target }: ForeignKey,
  { name }: Column,
  { tableByName }: Visible,
): string | undefined {
  if (target.schema === 'auth' && target.table === 'user') {
    return `Refers to a user of the project by ${listOf(target.columns)}.`;
  }
  if (target.schema !== 'public' || !tableByName.has(target.table)) return undefined;
  const where = `${asCode(target.table)} by ${listOf(target.columns)}`;
  const others = columns.filter((column) => column !== name);
  return others.length === 0
    ? `Refers to ${where}.`
    : `Refers, together with ${listOf(others)}, to ${where}.`;
}

function listOf(names: readonly string[]): string {
  return names.map((name) => asCode(name)).join(', ');
}

/** A row whose columns belong to no table: the result of a function. */
export function columnsSchema(columns: readonly Column[], enums: EnumLabels): Schema {
  return objectOf(
    columns.map((column) => {
      const schema = valueSchema(column, enums);
      return [column.name, column.isNullable ? nullable(schema) : schema];
    }),
    columns.map(({ name }) => name),
  );
}
