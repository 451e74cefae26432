// The tables of a schema as boxes with lines between them: what is drawn, and how large each box is.
import { qualified } from '../../sql/quote.js';
import type { SchemaColumn, SchemaForeignKey, SchemaTable } from '../project/schema.js';
import type { DiagramSearch } from './search.js';

export interface BoxColumn {
  readonly name: string;
  /** The type in the short names of PostgreSQL. */
  readonly type: string;
  readonly isPrimary: boolean;
  readonly isForeign: boolean;
  readonly isNullable: boolean;
}

export interface TableBox {
  /** The name with its schema, as SQL writes it. */
  readonly id: string;
  readonly name: string;
  /** Undefined for a table of another schema, which is drawn because a key refers to it. */
  readonly table: SchemaTable | undefined;
  /** The columns that are drawn. */
  readonly columns: readonly BoxColumn[];
  /** How many more the table has, of those that were asked for. */
  readonly moreColumns: number;
  readonly width: number;
  readonly height: number;
}

/** A foreign key. Several of them may lead from one table to another. */
export interface Relation {
  readonly id: string;
  readonly from: string;
  readonly fromColumns: readonly string[];
  readonly to: string;
  readonly toColumns: readonly string[];
  readonly key: SchemaForeignKey;
  /** Whether the key is also the primary key, so that a row is referred to by one row at most. */
  readonly isOneToOne: boolean;
}

export interface Graph {
  readonly boxes: readonly TableBox[];
  readonly relations: readonly Relation[];
}

export const headPx = 36;
export const rowPx = 24;
const footPx = 6;
const minWidth = 190;
const maxWidth = 380;
/** More columns of a table are counted, not drawn. */
export const maxColumns = 40;
/** About the width of a letter, of names and of types. */
const letterPx = 7.4;

type Part = Pick<DiagramSearch, 'around' | 'only' | 'columns'>;

/** The part of a schema to draw. Partitions are drawn as the table that they belong to. */
export function graphOf(tables: readonly SchemaTable[], part: Part): Graph {
  const whole = tables.filter(({ partitionOf }) => partitionOf === null);
  const relations = whole.flatMap(relationsOf);
  const wanted = wantedIds(whole, relations, part);
  const shown = whole.filter((table) => wanted.has(qualified(table)));
  const drawn = relations.filter(({ from, to }) => wanted.has(from) && wanted.has(to));
  const own = new Set(whole.map(qualified));
  const foreign = [...new Set(drawn.flatMap(({ to }) => (own.has(to) ? [] : [to])))];
  return {
    boxes: [
      ...shown.map((table) => boxOf(table, part.columns)),
      ...foreign.map((id): TableBox => {
        const empty = { id, name: id, table: undefined, columns: [], moreColumns: 0 };
        return { ...empty, ...sizeOf({ name: id, columns: [], moreColumns: 0 }) };
      }),
    ],
    relations: drawn,
  };
}

/** The tables that the filter leaves, and the tables of other schemas that these refer to. */
function wantedIds(
  tables: readonly SchemaTable[],
  relations: readonly Relation[],
  { around, only }: Part,
): ReadonlySet<string> {
  const ends = relations.flatMap(({ from, to }) => [from, to]);
  if (around !== undefined) {
    const center = tables.find(({ name }) => name === around);
    const id = center && qualified(center);
    const near = relations.filter(({ from, to }) => from === id || to === id);
    return new Set([...(id === undefined ? [] : [id]), ...near.flatMap((r) => [r.from, r.to])]);
  }
  if (only === 'related') {
    const related = relations.filter(({ from, to }) => from !== to);
    return new Set(related.flatMap(({ from, to }) => [from, to]));
  }
  return new Set([...tables.map(qualified), ...ends]);
}

function relationsOf(table: SchemaTable): readonly Relation[] {
  const from = qualified(table);
  const primary = table.primaryKey.toSorted().join('\0');
  return table.foreignKeys.map((key) => ({
    id: `${from} ${key.name}`,
    from,
    fromColumns: key.columns,
    to: qualified({ schema: key.schema, name: key.table }),
    toColumns: key.foreignColumns,
    key,
    isOneToOne: key.columns.toSorted().join('\0') === primary,
  }));
}

function boxOf(table: SchemaTable, columns: DiagramSearch['columns']): TableBox {
  const foreign = new Set(table.foreignKeys.flatMap((key) => key.columns));
  const all = table.columns.map((column) => boxColumn(table, column, foreign));
  const asked =
    columns === 'none'
      ? []
      : columns === 'keys'
        ? all.filter((c) => c.isPrimary || c.isForeign)
        : all;
  const shown = asked.slice(0, maxColumns);
  const moreColumns = asked.length - shown.length;
  const content = { name: table.name, columns: shown, moreColumns };
  return { id: qualified(table), table, ...content, ...sizeOf(content) };
}

function boxColumn(
  { primaryKey }: SchemaTable,
  { name, type, isNullable }: SchemaColumn,
  foreign: ReadonlySet<string>,
): BoxColumn {
  return {
    name,
    type: shortType(type),
    isPrimary: primaryKey.includes(name),
    isForeign: foreign.has(name),
    isNullable,
  };
}

function sizeOf({
  name,
  columns,
  moreColumns,
}: Pick<TableBox, 'name' | 'columns' | 'moreColumns'>) {
  const head = name.length * (letterPx + 0.8) + 96;
  const rows = columns.map((column) => (column.name.length + column.type.length) * letterPx + 62);
  const width = Math.round(Math.min(maxWidth, Math.max(minWidth, head, ...rows)));
  const count = columns.length + (moreColumns > 0 ? 1 : 0);
  return { width, height: headPx + count * rowPx + (count > 0 ? footPx : 0) };
}

const shortNames: readonly (readonly [RegExp, string])[] = [
  [/^timestamp(\(\d\))? with time zone/, 'timestamptz$1'],
  [/^timestamp(\(\d\))? without time zone/, 'timestamp$1'],
  [/^time(\(\d\))? with time zone/, 'timetz$1'],
  [/^time(\(\d\))? without time zone/, 'time$1'],
  [/^character varying/, 'varchar'],
  [/^character\b/, 'char'],
  [/^double precision/, 'float8'],
  [/^public\./, ''],
];

/** A type in the short names of PostgreSQL. */
export function shortType(type: string): string {
  return shortNames.reduce((text, [long, short]) => text.replace(long, short), type);
}

/** The boxes with a text in the name of the table or of one of its columns. */
export function boxesWith({ boxes }: Pick<Graph, 'boxes'>, text: string): readonly TableBox[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [];
  return boxes.filter(
    ({ name, table }) =>
      name.toLowerCase().includes(wanted) ||
      table?.columns.some((column) => column.name.toLowerCase().includes(wanted)),
  );
}
