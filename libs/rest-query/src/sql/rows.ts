import type { Column } from '#libs/catalog';
import type { Format, OrderTerm, Output, Representation } from '../types.js';
import { columnOfTable, quoteIdent } from './builder.js';

/**
 * A statement that gives each row of `source` (anything that may stand after FROM, with the alias `t`)
 * as one column of text in the caller's format. `tail` follows the order: limit and offset.
 */
export function rowsSql(rows: Representation, source: string, tail = ''): string {
  const outputs = rows.outputs.map(outputSql).join(', ');
  const inner = `select ${outputs} from ${source}${orderClause(rows.order)}${tail}`;
  return `select ${rowText(rows.format)} from (${inner}) r`;
}

function outputSql({ column, cast, name }: Output): string {
  const value = cast === undefined ? columnOfTable(column) : `${columnOfTable(column)}::${cast}`;
  return name === column.name && cast === undefined ? value : `${value} as ${quoteIdent(name)}`;
}

function orderClause(order: readonly OrderTerm<Column>[]): string {
  const terms = order.map(({ field, isDescending, nulls }) => {
    const direction = isDescending ? ' desc' : '';
    return columnOfTable(field) + direction + (nulls ? ` nulls ${nulls}` : '');
  });
  return terms.length === 0 ? '' : ` order by ${terms.join(', ')}`;
}

// A line of CSV begins with its line break, because the names stand before the first one. Values are
// those of the row's JSON, so that numbers, times and nested values look the same in both formats.
// NULL is nothing and the empty text is "" (RFC 4180 has no NULL).
const CSV_LINE = [
  "E'\\r\\n' || (select string_agg(case",
  `when f.value = '' or f.value ~ '[",\\r\\n]' then '"' || replace(f.value, '"', '""') || '"'`,
  "else coalesce(f.value, '') end, ',' order by f.place)",
  'from json_each_text(row_to_json(r)) with ordinality as f(key, value, place))',
].join(' ');

function rowText({ kind, stripNulls }: Format): string {
  switch (kind) {
    case 'csv':
      return CSV_LINE;
    case 'array':
    case 'object':
      return stripNulls ? 'json_strip_nulls(row_to_json(r))::text' : 'row_to_json(r)::text';
  }
}
