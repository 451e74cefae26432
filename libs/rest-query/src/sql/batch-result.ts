// Results of one operation of a batch for the later ones. The rows are kept in a setting of the transaction, so that a
// batch needs one round trip: nothing has to be read before the next operation is sent.
import type { Table } from '#libs/catalog';
import { quoteIdent } from '#libs/wire';
import type { BodyReference, ResultReference } from '../types/grammar.js';
import { nullIfEmpty, builtInOperator, quoteLiteral, typeName } from './quote.js';

/** Name of the setting with the rows of an operation, without the operation's index. */
export const RESULT_SETTING = 'rowhouse.result_';

/**
 * Column of a write's RETURNING with the row for {@link keepRows}: the columns of the catalog alone, because a later
 * operation may refer to any of them.
 */
export function keptRow({ columns }: Table): string {
  const list = columns.map(({ name }) => `t.${quoteIdent(name)}`).join(', ');
  return `(select pg_catalog.row_to_json(k.*) from (select ${list}) k) as kept`;
}

/** A statement that keeps the rows of the common table `t`; `index` is the index of the operation. */
export function keepRows(index: number): string {
  const rows = "coalesce(pg_catalog.json_agg(t.kept), '[]')::pg_catalog.text";
  return `select pg_catalog.set_config(${settingOf(index)}, ${rows}, true) from t`;
}

/**
 * A value of an earlier result as jsonb, including JSON null. The statement fails with BATCH_REFERENCE_MISSING if the
 * row or the column does not exist. A setting from an earlier transaction of the connection is now the empty text.
 */
function resultSql(reference: ResultReference): string {
  return `coalesce(${keptRows(reference.operation)} ${builtInOperator('#>')} ${pathOf(reference)}, ${MISSING})`;
}

/** The same value as `type`, read by the rules for bodies. */
export function resultOfType(reference: ResultReference, type: string): string {
  const object = `pg_catalog.json_build_object('v', ${resultSql(reference)})`;
  return `(select x.v from pg_catalog.json_to_record(${object}) as x (v ${typeName(type)}))`;
}

/**
 * The body, a placeholder, as json in which values of earlier results replace the references. Each result is read once
 * and the body is traversed once, however many references there are.
 */
export function referencedBody(
  body: string,
  references: readonly BodyReference[],
  kind: 'object' | 'array',
): string {
  if (references.length === 0) return `${body}::pg_catalog.json`;
  const values = foundValues(references);
  if (kind === 'object') {
    const merged = `${body}::pg_catalog.jsonb ${builtInOperator('||')} f.found`;
    return `(select (${merged})::pg_catalog.json from (${values}) f)`;
  }
  const merged = `r.element ${builtInOperator('||')} coalesce(f.found, '{}')`;
  return (
    `(select pg_catalog.jsonb_agg(${merged} order by r.number)::pg_catalog.json ` +
    `from pg_catalog.jsonb_array_elements(${body}::pg_catalog.jsonb) with ordinality as r (element, number) ` +
    `left join (${values}) f on f.place ${builtInOperator('=')} r.number)`
  );
}

// One row for each row of the body that has references: its number, from 1, and an object of the values.
function foundValues(references: readonly BodyReference[]): string {
  const wanted = references.map(
    ({ row, column, reference }) =>
      `(${row + 1}, ${quoteLiteral(column)}, ${reference.operation}, ${pathOf(reference)})`,
  );
  const operations = new Set(references.map(({ reference }) => reference.operation));
  const kept = [...operations].map((operation) => `(${operation}, ${keptRows(operation)})`);
  const value = `coalesce(k.kept ${builtInOperator('#>')} w.path, ${MISSING})`;
  return (
    `select w.place, pg_catalog.jsonb_object_agg(w.name, ${value}) as found ` +
    `from (values ${wanted.join(', ')}) as w (place, name, operation, path) ` +
    `join (values ${kept.join(', ')}) as k (operation, kept) on k.operation ${builtInOperator('=')} w.operation ` +
    'group by w.place'
  );
}

const MISSING = "auth.deny('400', 'BATCH_REFERENCE_MISSING')::pg_catalog.jsonb";

function keptRows(operation: number): string {
  return `${nullIfEmpty(`pg_catalog.current_setting(${settingOf(operation)}, true)`)}::pg_catalog.jsonb`;
}

function pathOf({ row, column }: ResultReference): string {
  return `array['${row}', ${quoteLiteral(column)}]`;
}

function settingOf(index: number): string {
  return `'${RESULT_SETTING}${index}'`;
}
