import type { Steps } from '#libs/steps';
import type {
  Column,
  ColumnDefault,
  ComputedColumn,
  ComputedRelation,
  ForeignKey,
  Table,
  UniqueKey,
} from './catalog.js';
import type { TypeByKey } from './build-types.js';
import type {
  CatalogContent,
  ColumnsRow,
  DefaultRow,
  ForeignKeyRow,
  TableRow,
  UniqueKeyRow,
} from './content.js';

/**
 * Columns of tables and composite types by the oid of their relation. A column is left out if its values name roles or
 * databases of other projects (`isOfCluster`).
 */
export type ColumnsByRelation = ReadonlyMap<number, readonly Column[]>;

/** Functions that take one row of a table. */
export interface Computed {
  readonly columns: ReadonlyMap<string, ComputedColumn>;
  readonly relations: readonly ComputedRelation[];
}

/** Returns the empty text for a column that is left out. A key with such a column is left out, too. */
type NameOfColumn = (tableOid: number, columnNumber: number) => string;

export function* buildColumnsByRelation(
  content: CatalogContent,
  typeByKey: TypeByKey,
): Steps<ColumnsByRelation> {
  const defaults = groupByTable(content.defaults ?? []);
  const columns = new Map<number, readonly Column[]>();
  for (const row of content.columns ?? []) {
    const [oid] = row;
    columns.set(oid, Object.freeze(buildColumns(row, typeByKey, defaults.get(oid) ?? [])));
    yield;
  }
  return columns;
}

/** The tables in the order of their names, each with its keys and the functions of its rows. */
export function* buildTables(
  content: CatalogContent,
  columns: ColumnsByRelation,
  computed: ReadonlyMap<number, Computed>,
): Steps<readonly Table[]> {
  const nameOf = yield* columnNames(content, columns);
  const uniqueKeys = groupByTable(content.uniqueKeys ?? []);
  const foreignKeys = groupByTable(content.foreignKeys ?? []);
  const tables: Table[] = [];
  for (const row of content.tables ?? []) {
    const [oid] = row;
    const keys = buildKeys(uniqueKeys.get(oid) ?? [], foreignKeys.get(oid) ?? [], nameOf);
    tables.push(buildTable(row, columns.get(oid) ?? [], { keys, computed: computed.get(oid) }));
    yield;
  }
  return tables;
}

function* columnNames(content: CatalogContent, columns: ColumnsByRelation): Steps<NameOfColumn> {
  const names = new Map<number, ReadonlyMap<number, string>>();
  for (const [oid, numbers, texts] of content.columns ?? []) {
    const shown = new Set(columns.get(oid)?.map(({ name }) => name));
    const named = numbers.map((number, i) => [number, texts[i] ?? ''] as const);
    names.set(oid, new Map(named.filter(([, name]) => shown.has(name))));
    yield;
  }
  return (oid, number) => names.get(oid)?.get(number) ?? '';
}

function groupByTable<Row extends readonly [number, ...unknown[]]>(
  rows: readonly Row[],
): ReadonlyMap<number, readonly Row[]> {
  const groups = new Map<number, Row[]>();
  for (const row of rows) {
    const group = groups.get(row[0]);
    if (group) group.push(row);
    else groups.set(row[0], [row]);
  }
  return groups;
}

type Keys = Pick<Table, 'primaryKey' | 'uniqueKeys' | 'foreignKeys' | 'temporalKeys'>;

function buildTable(
  row: TableRow,
  columns: readonly Column[],
  { keys, computed }: { readonly keys: Keys; readonly computed: Computed | undefined },
): Table {
  const [, name, kind, hasRls] = row;
  return Object.freeze({
    schema: 'public',
    name,
    kind: kind === 'p' ? 'partitioned' : 'table',
    hasRls,
    columns,
    columnByName: new Map(columns.map((column) => [column.name, column])),
    ...keys,
    computedColumns: computed?.columns ?? new Map<string, ComputedColumn>(),
    computedRelations: computed?.relations ?? [],
  });
}

function buildColumns(
  row: ColumnsRow,
  typeByKey: TypeByKey,
  defaults: readonly DefaultRow[],
): readonly Column[] {
  const [, numbers, names, typeKeys, flags] = row;
  return numbers.flatMap((number, i) => {
    const type = typeByKey(typeKeys[i] ?? '');
    if (type.isOfCluster) return [];
    const flag = flags[i] ?? '';
    return Object.freeze({
      name: names[i] ?? '',
      ...type.value,
      isNullable: !flag.startsWith('n'),
      default: buildDefault(flag, defaults.find((each) => each[1] === number)?.[2]),
    });
  });
}

// The flags are `n` for not null, then pg_attribute.attidentity (a, d), then attgenerated (s, v).
function buildDefault(flags: string, sql: string | undefined): ColumnDefault {
  if (flags.includes('a')) return { kind: 'identity', isAlways: true };
  if (flags.includes('d')) return { kind: 'identity', isAlways: false };
  if (flags.includes('s') || flags.includes('v')) return { kind: 'generated' };
  return sql === undefined ? { kind: 'none' } : { kind: 'expression', sql };
}

function buildKeys(
  uniqueRows: readonly UniqueKeyRow[],
  foreignRows: readonly ForeignKeyRow[],
  nameOf: NameOfColumn,
): Keys {
  let primaryKey: readonly string[] = [];
  const uniqueKeys: UniqueKey[] = [];
  for (const [oid, name, isPrimary, count, numbers, obstacle] of uniqueRows) {
    const columns = numbers
      .split(' ')
      .slice(0, count)
      .map((number) => nameOf(oid, Number(number)));
    if (columns.includes('')) continue;
    uniqueKeys.push({ name, columns, obstacle: obstacle ?? undefined });
    if (isPrimary) primaryKey = columns;
  }
  const keysOf = (isTemporal: boolean): readonly ForeignKey[] =>
    foreignRows
      .filter((row) => row.at(-1) === isTemporal)
      .map((row) => buildForeignKey(row, uniqueKeys, nameOf))
      .filter(({ columns, target }) => ![...columns, ...target.columns].includes(''));
  return { primaryKey, uniqueKeys, foreignKeys: keysOf(false), temporalKeys: keysOf(true) };
}

function buildForeignKey(
  row: ForeignKeyRow,
  uniqueKeys: readonly UniqueKey[],
  nameOf: NameOfColumn,
): ForeignKey {
  const [oid, name, numbers, schema, table, targetOid, targetNumbers, targetNames] = row;
  const columns = numbers.map((number) => nameOf(oid, number));
  return {
    name,
    columns,
    target: {
      schema,
      table,
      columns: targetNumbers.map((n) => targetNames?.[String(n)] ?? nameOf(targetOid, n)),
    },
    isOneToOne: uniqueKeys.some((key) => key.columns.every((column) => columns.includes(column))),
  };
}
