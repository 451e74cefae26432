// Changes of a request, checked against the table.
import type { Column, Table } from '#libs/catalog';
import { fail } from '#libs/errors';

import type { RowChange } from './rows.dto.js';
import type { ColumnValue } from './rows.sql.js';

/** A change whose columns exist, with everything that its kind needs. */
export type ReadChange =
  | { readonly kind: 'insert'; readonly values: readonly ColumnValue[] }
  | {
      readonly kind: 'update';
      readonly key: readonly ColumnValue[];
      readonly was: readonly ColumnValue[];
      readonly values: readonly ColumnValue[];
    }
  | {
      readonly kind: 'delete';
      readonly key: readonly ColumnValue[];
      readonly was: readonly ColumnValue[];
    };

/** Throws INVALID_INPUT, PGRST204 for an unknown column, NO_PRIMARY_KEY. */
export function readChanges(table: Table, changes: readonly RowChange[]): readonly ReadChange[] {
  return changes.map((change, index) => readChange(table, change, `changes.${index}`));
}

function readChange(table: Table, change: RowChange, field: string): ReadChange {
  const values = valuesIn(table, change.values, `${field}.values`);
  for (const { column } of values) {
    if (column.default.kind === 'generated') {
      throw invalid(`${field}.values.${column.name}`, 'the column is generated');
    }
  }
  if (change.kind === 'insert') {
    refuse(change.key, `${field}.key`);
    refuse(change.was, `${field}.was`);
    return { kind: 'insert', values };
  }
  const key = keyIn(table, change, `${field}.key`);
  const was = valuesIn(table, change.was, `${field}.was`);
  if (change.kind === 'delete') {
    refuse(change.values, `${field}.values`);
    return { kind: 'delete', key, was };
  }
  if (values.length === 0) throw invalid(`${field}.values`, 'give at least one value');
  return { kind: 'update', key, was, values };
}

function refuse(given: object | undefined, field: string): void {
  if (given !== undefined) throw invalid(field, 'this kind of change does not take it');
}

function keyIn(table: Table, change: RowChange, field: string): readonly ColumnValue[] {
  const { primaryKey, name } = table;
  if (primaryKey.length === 0) throw fail('NO_PRIMARY_KEY', { table: name });
  const given = valuesIn(table, change.key, field);
  for (const { column, text } of given) {
    if (text === null || !primaryKey.includes(column.name)) {
      throw invalid(`${field}.${column.name}`, `give ${primaryKey.join(', ')} alone, as texts`);
    }
  }
  if (given.length !== primaryKey.length) {
    throw invalid(field, `give the primary key: ${primaryKey.join(', ')}`);
  }
  return given;
}

function valuesIn(
  table: Table,
  given: Readonly<Record<string, unknown>> = {},
  field: string,
): readonly ColumnValue[] {
  return Object.entries(given).map(([name, text]) => {
    if (text !== null && typeof text !== 'string') {
      throw invalid(`${field}.${name}`, 'give a text or null');
    }
    return { column: columnOf(table, name), text };
  });
}

function columnOf({ columnByName, name: table }: Table, name: string): Column {
  const column = columnByName.get(name);
  if (!column) throw fail('PGRST204', { column: name, table });
  return column;
}

function invalid(field: string, reason: string): Error {
  return fail('INVALID_INPUT', { field, reason });
}
