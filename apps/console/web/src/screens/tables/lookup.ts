// Single rows of other tables: those that foreign keys mean, and candidates for them.
import type { SchemaForeignKey, SchemaTable } from '../project/schema.js';
import { asText, encodeQuery, quotedName } from './filters.js';
import { readRows, type Viewer } from './requests.js';
import type { RowTexts } from './staging.js';
import { kindOf } from './value-kinds.js';

interface Place {
  readonly ref: string;
  readonly viewer: Viewer;
  readonly signal: AbortSignal;
}

/** The row with these values; undefined if there is none, or the viewer does not see it. */
export async function findRow(
  { ref, viewer, signal }: Place,
  table: SchemaTable,
  values: RowTexts,
): Promise<RowTexts | undefined> {
  const query = encodeQuery([
    selectOf(table),
    ...Object.entries(values).map(
      ([column, value]) => [quotedName(column), `eq.${value ?? ''}`] as const,
    ),
    ['limit', '1'],
  ]);
  const [row] = await readRows({ ref, viewer, signal, table: table.name, query });
  return row;
}

const shownCandidates = 30;

/** Rows in which a text occurs, or the first ones. */
export function findCandidates(
  { ref, viewer, signal }: Place,
  table: SchemaTable,
  text: string,
): Promise<readonly RowTexts[]> {
  const wanted = text.trim();
  const query = encodeQuery([
    selectOf(table),
    ...(wanted === '' ? [] : [searchFor(table, wanted)]),
    ...(table.primaryKey.length > 0
      ? [['order', table.primaryKey.map(quotedName).join(',')] as const]
      : []),
    ['limit', String(shownCandidates)],
  ]);
  return readRows({ ref, viewer, signal, table: table.name, query });
}

const selectOf = ({ columns }: SchemaTable): readonly [string, string] => [
  'select',
  columns.map(({ name }) => asText(name)).join(','),
];

/** Texts that contain it, and whole numbers and ids that equal it. */
function searchFor({ columns }: SchemaTable, wanted: string): readonly [string, string] {
  const pattern = `"*${wanted.replace(/["\\]/g, '\\$&')}*"`;
  const conditions = columns.flatMap((column) => {
    const kind = kindOf(column);
    const name = quotedName(column.name);
    if (kind === 'text') return [`${name}.ilike.${pattern}`];
    if (kind === 'integer' && /^\d{1,18}$/.test(wanted)) return [`${name}.eq.${wanted}`];
    return kind === 'uuid' && /^[0-9a-f-]{36}$/i.test(wanted) ? [`${name}.eq.${wanted}`] : [];
  });
  return conditions.length > 0 ? ['or', `(${conditions.join(',')})`] : ['limit', '0'];
}

/** The values by which a row of the referring table names its row; undefined if one of them is missing. */
export function referenceOf(key: SchemaForeignKey, values: RowTexts): RowTexts | undefined {
  const entries = key.columns.map((column, index): readonly [string, string | null] => [
    key.foreignColumns[index] ?? '',
    values[column] ?? null,
  ]);
  return entries.every(([, value]) => value !== null) ? Object.fromEntries(entries) : undefined;
}

/** The values of the referring columns that name this row. */
export function valuesFor(key: SchemaForeignKey, row: RowTexts): RowTexts {
  return Object.fromEntries(
    key.columns.map((column, index) => [column, row[key.foreignColumns[index] ?? ''] ?? null]),
  );
}
