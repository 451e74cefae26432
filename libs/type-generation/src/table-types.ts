import type { Column, ForeignKey, Table } from '#libs/catalog';

import { type Member, objectType, sortedByName, stringLiteral, tupleOf } from './source-text.js';
import { type NamedTypes, valueType } from './value-types.js';

/** Tables that the file declares, and the names of types in it. */
export interface TableContext {
  readonly isDeclared: (table: string) => boolean;
  readonly named: NamedTypes;
}

/** The type of a table: `Row`, `Insert`, `Update` and `Relationships`. */
export function tableType(table: Table, context: TableContext): string {
  const columns = sortedByName(table.columns);
  return objectType([
    { name: 'Row', type: objectType(columns.map((column) => rowMember(column, context))) },
    { name: 'Insert', type: objectType(columns.map((column) => insertMember(column, context))) },
    { name: 'Update', type: objectType(columns.map((column) => updateMember(column, context))) },
    { name: 'Relationships', type: relationshipsType(table, context) },
  ]);
}

function rowMember(column: Column, { named }: TableContext): Member {
  const type = valueType(column, named);
  return { name: column.name, type: column.isNullable ? orNull(type) : type };
}

/** A union with `unknown` would be `unknown`. */
function orNull(type: string): string {
  return type === 'unknown' ? type : `${type} | null`;
}

function insertMember(column: Column, context: TableContext): Member {
  const isOptional = column.isNullable || column.default.kind !== 'none';
  return { ...writtenMember(column, context), isOptional };
}

function updateMember(column: Column, context: TableContext): Member {
  return { ...writtenMember(column, context), isOptional: true };
}

/** Columns that only the database fills accept no value. */
function writtenMember(column: Column, context: TableContext): Member {
  const { name, default: from } = column;
  const isFilled = from.kind === 'generated' || (from.kind === 'identity' && from.isAlways);
  return isFilled ? { name, type: 'never' } : rowMember(column, context);
}

/** The foreign keys to tables that the file declares; the others cannot be embedded. */
function relationshipsType({ foreignKeys }: Table, { isDeclared }: TableContext): string {
  const keys = sortedByName(foreignKeys).filter(
    ({ target }) => target.schema === 'public' && isDeclared(target.table),
  );
  if (keys.length === 0) return '[]';
  return `[${keys.map(relationshipType).join(', ')}]`;
}

function relationshipType({ name, columns, isOneToOne, target }: ForeignKey): string {
  return objectType([
    { name: 'foreignKeyName', type: stringLiteral(name) },
    { name: 'columns', type: tupleOf(columns) },
    { name: 'isOneToOne', type: String(isOneToOne) },
    { name: 'referencedRelation', type: stringLiteral(target.table) },
    { name: 'referencedColumns', type: tupleOf(target.columns) },
  ]);
}
