import { nearestName, type Column, type Table } from '#libs/catalog';
import { fail, type AppError } from '#libs/errors';
import { shorten, syntaxError } from '../parse/names.js';
import type { FieldName } from '../types/grammar.js';
import type { Field } from '../types/plan.js';
import { checkDefiner, type Scope } from './context.js';

/** Returns the column of `table` called `name`. Throws PGRST204 with the nearest name as a hint. */
export function getColumn(table: Table, name: string): Column {
  const column = table.columnByName.get(name);
  if (column) return column;
  throw unknownColumn(table, name);
}

/** PGRST204 with the nearest name as a hint. */
export function unknownColumn(table: Table, name: string): AppError {
  const nearest = nearestName(name, table.columnByName.keys());
  return fail(
    'PGRST204',
    { column: shorten(name), table: table.name },
    nearest === undefined
      ? {}
      : {
          hint: `Perhaps you meant the column ${nearest}`,
          mentions: [{ kind: 'table', schema: table.schema, name: table.name, column: nearest }],
        },
  );
}

/** Returns the columns in a list of a request, each once. Throws PGRST204, PGRST100 for a repeated one. */
export function resolveNames(table: Table, names: readonly string[]): readonly Column[] {
  const columns = names.map((name) => getColumn(table, name));
  if (new Set(columns).size < columns.length) throw syntaxError('a column is named twice');
  return columns;
}

/**
 * Returns the column or computed column with a name, and the path into it; undefined if there is none. Throws
 * DEFINER_NOT_ALLOWED.
 */
export function findField(
  { context, table }: Pick<Scope, 'context' | 'table'>,
  { name, path }: FieldName,
): Field | undefined {
  const column = table.columnByName.get(name);
  if (column) return { source: { kind: 'column', column }, path };
  const computed = table.computedColumns.get(name);
  if (!computed) return undefined;
  checkDefiner(context, { ...computed.routine, isDefiner: computed.isDefiner });
  return { source: { kind: 'computed', column: computed }, path };
}

/** The same, but throws PGRST204 if there is none. */
export function getField(scope: Pick<Scope, 'context' | 'table'>, name: FieldName): Field {
  const field = findField(scope, name);
  if (field) return field;
  throw unknownColumn(scope.table, name.name);
}
