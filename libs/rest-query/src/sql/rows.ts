import { quoteIdent } from '#libs/wire';

import type { Geometry, Level, RowStyle } from '../types/plan.js';
import { builtInOperator } from './quote.js';

/** The written rows: `outputs`, in a style. */
export interface Writing {
  readonly style: RowStyle;
  readonly outputs: readonly Pick<Level['outputs'][number], 'name'>[];
}

/** A statement that returns each row of the select `rows` as one column of text. */
export function rowsSql(writing: Writing, rows: string): string {
  return `select ${rowText(writing)} from (${rows}) r`;
}

function rowText({ style, outputs }: Writing): string {
  switch (style.kind) {
    case 'csv':
      return CSV_LINE;
    case 'geojson':
      return featureText(style.geometry, outputs);
    case 'array':
    case 'object':
      return style.stripNulls
        ? 'pg_catalog.json_strip_nulls(pg_catalog.row_to_json(r.*))::pg_catalog.text'
        : 'pg_catalog.row_to_json(r.*)::pg_catalog.text';
  }
}

// A line of CSV begins with its line break, because the names precede the first one. Values are those of the row's
// JSON, so that numbers, times and nested values look the same in both formats. NULL is nothing and the empty text is
// "" (RFC 4180 has no NULL).
const CSV_LINE = [
  `E'\\r\\n' ${builtInOperator('||')} (select pg_catalog.string_agg(case`,
  `when f.value ${builtInOperator('=')} '' or f.value ${builtInOperator('~')} '[",\\r\\n]'`,
  `then '"' ${builtInOperator('||')} pg_catalog.replace(f.value, '"', '""') ${builtInOperator('||')} '"'`,
  "else coalesce(f.value, '') end, ',' order by f.place)",
  'from pg_catalog.json_each_text(pg_catalog.row_to_json(r.*)) with ordinality as f (key, value, place))',
].join(' ');

// A feature of GeoJSON (RFC 7946 §3.2). All outputs but its geometry are its properties.
function featureText(geometry: Geometry, outputs: Writing['outputs']): string {
  const rest = outputs
    .filter(({ name }) => name !== geometry.name)
    .map(({ name }) => `r.${quoteIdent(name)}`)
    .join(', ');
  const properties = `(select pg_catalog.row_to_json(p.*) from (select ${rest}) p)`;
  const members = `'type', 'Feature', 'geometry', ${geometrySql(geometry)}, 'properties', ${properties}`;
  return `pg_catalog.json_build_object(${members})::pg_catalog.text`;
}

function geometrySql({ name, encoding }: Geometry): string {
  const value = `r.${quoteIdent(name)}`;
  switch (encoding.kind) {
    case 'postgis':
      return `${quoteIdent(encoding.schema)}.st_asgeojson(${value})::pg_catalog.json`;
    case 'json':
      return value;
    case 'text':
      return `${value}::pg_catalog.json`;
  }
}
