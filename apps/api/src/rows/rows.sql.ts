// The statements on one row. Values are texts in both directions: PostgreSQL reads them as the type of their column, so
// no digit and no order of keys is lost. It also writes the row as JSON, which is sent on as it is. Names come from the
// catalog.
import type { Column, Table } from '#libs/catalog';
import { boundedJson, type JsonRow, type Transaction } from '#libs/database';
import { quoteIdent } from '#libs/wire';

/** The values of a row by their columns. */
export type RowTexts = Readonly<Record<string, string | null>>;

/** The most bytes that all rows of an answer have together, as JSON. */
export const maxRowsBytes = 16 * 1024 * 1024;

/** A value with its column. */
export interface ColumnValue {
  readonly column: Column;
  readonly text: string | null;
}

/** A row that is locked. */
export interface LockedRow extends JsonRow {
  /** Whether it has the values that were read; then it has no content. */
  readonly isAsRead: boolean;
}

/**
 * Locks the row with this primary key and compares it; undefined if there is none. One with other values than `was` has
 * its content, which is null if it has more than `maxBytes` bytes.
 */
export async function lockRow(
  tx: Transaction,
  table: Table,
  { key, was }: { readonly key: readonly ColumnValue[]; readonly was: readonly ColumnValue[] },
  maxBytes: number,
): Promise<LockedRow | undefined> {
  const values = [...textsIn(key), ...textsIn(was.filter(({ text }) => text !== null))];
  const isAsRead = hasTexts(was, key.length);
  const { rows } = await tx.query<LockedRow>(
    `select ${isAsRead} as "isAsRead",
            case when not (${isAsRead}) then ${contentOf(table, values.length)} end as content
       from ${nameOf(table)} t where ${whereKey(key, 0)} for update`,
    [...values, namesIn(table), maxBytes],
  );
  return rows[0];
}

/** Returns the new row, as JSON of at most `maxBytes` bytes; undefined if a trigger has kept it from being written. */
export async function insertRow(
  tx: Transaction,
  table: Table,
  values: readonly ColumnValue[],
  maxBytes: number,
): Promise<JsonRow | undefined> {
  const isIdentityGiven = values.some(({ column }) => column.default.kind === 'identity');
  const columns = values.map(({ column }) => quoteIdent(column.name)).join(', ');
  const places = values.map((_, index) => `$${index + 1}`).join(', ');
  const content =
    values.length === 0
      ? 'default values'
      : `(${columns})${isIdentityGiven ? ' overriding system value' : ''} values (${places})`;
  const { rows } = await tx.query<JsonRow>(
    `insert into ${nameOf(table)} as t ${content}
     returning ${contentOf(table, values.length)} as content`,
    [...textsIn(values), namesIn(table), maxBytes],
  );
  return rows[0];
}

/** Returns the row after the change, as JSON of at most `maxBytes` bytes; undefined if it was not changed. */
export async function updateRow(
  tx: Transaction,
  table: Table,
  {
    key,
    values,
  }: { readonly key: readonly ColumnValue[]; readonly values: readonly ColumnValue[] },
  maxBytes: number,
): Promise<JsonRow | undefined> {
  const changes = values
    .map(({ column }, index) => `${quoteIdent(column.name)} = $${index + 1}`)
    .join(', ');
  const given = [...textsIn(values), ...textsIn(key)];
  const { rows } = await tx.query<JsonRow>(
    `update ${nameOf(table)} as t set ${changes} where ${whereKey(key, values.length)}
     returning ${contentOf(table, given.length)} as content`,
    [...given, namesIn(table), maxBytes],
  );
  return rows[0];
}

/** Whether the row is gone; a trigger may keep it. */
export async function deleteRow(
  tx: Transaction,
  table: Table,
  key: readonly ColumnValue[],
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `delete from ${nameOf(table)} as t where ${whereKey(key, 0)}`,
    textsIn(key),
  );
  return rowCount > 0;
}

const nameOf = ({ schema, name }: Table): string => `${quoteIdent(schema)}.${quoteIdent(name)}`;

const textsIn = (values: readonly ColumnValue[]): readonly (string | null)[] =>
  values.map(({ text }) => text);

const namesIn = ({ columns }: Table): readonly string[] => columns.map(({ name }) => name);

/**
 * The row `t` as a JSON object of texts; the parameters after the first `given` ones are the names of the columns and the
 * limit. An array of twice the bytes of any answer is not written as JSON at all.
 */
function contentOf({ columns }: Table, given: number): string {
  const texts = columns.map(({ name }) => `t.${quoteIdent(name)}::pg_catalog.text`).join(', ');
  return boundedJson(
    `select case when pg_catalog.pg_column_size(r.texts) operator(pg_catalog.<=) ${2 * maxRowsBytes}
                 then pg_catalog.json_object($${given + 1}::pg_catalog.text[], r.texts) end
       from (select array[${texts}]::pg_catalog.text[] as texts offset 0) as r`,
    `$${given + 2}::pg_catalog.int4`,
  );
}

/** Whether the row `t` has these texts, to the byte; the parameters of texts come after the first `offset` ones. */
function hasTexts(values: readonly ColumnValue[], offset: number): string {
  let place = offset;
  const same = values.map(({ column: { name }, text }) => {
    const own = `t.${quoteIdent(name)}::pg_catalog.text`;
    if (text === null) return `${own} is null`;
    place += 1;
    return `coalesce(${own} collate pg_catalog."C" operator(pg_catalog.=) $${place}::pg_catalog.text, false)`;
  });
  return ['true', ...same].join(' and ');
}

function whereKey(key: readonly ColumnValue[], offset: number): string {
  return key
    .map(({ column: { name, baseType } }, index) => {
      // A type of an extension or of the project has its own operator, which the search path finds.
      const equals = baseType.includes('.') ? '=' : 'operator(pg_catalog.=)';
      return `t.${quoteIdent(name)} ${equals} $${offset + index + 1}`;
    })
    .join(' and ');
}
