import { fail } from '#libs/errors';
import type { Catalog, Column, ColumnDefault, ForeignKey, Table, UniqueKey } from './catalog.js';
import { CATALOG_SQL } from './load.sql.js';

/** Runs one statement and gives its rows as objects of text. */
export type CatalogQuery = (
  text: string,
  values: readonly string[],
) => Promise<readonly Readonly<Record<string, unknown>>[]>;

/**
 * The catalog of the database behind `query`, read with one statement.
 * The role of `query` needs to read `platform.schema_version`, nothing else. Its search path decides
 * which names in default expressions are written without a schema, so it is the one of the requests.
 * Throws DATABASE_ERROR when the schema version is missing, and whatever `query` throws.
 */
export async function loadCatalog(query: CatalogQuery): Promise<Catalog> {
  const rows = await query(CATALOG_SQL, []);
  const text = rows[0]?.['catalog'];
  if (typeof text !== 'string') throw fail('DATABASE_ERROR');
  // CATALOG_SQL alone decides the shape of this text.
  const content = JSON.parse(text) as CatalogContent;
  if (content.version === null) throw fail('DATABASE_ERROR');
  return buildCatalog(content, content.version);
}

interface CatalogContent {
  readonly version: string | null;
  readonly types: readonly TypeRow[] | null;
  readonly tables: readonly TableRow[] | null;
  readonly columns: readonly ColumnsRow[] | null;
  readonly defaults: readonly DefaultRow[] | null;
  readonly uniqueKeys: readonly UniqueKeyRow[] | null;
  readonly foreignKeys: readonly ForeignKeyRow[] | null;
}

type TypeRow = readonly [key: string, type: string, elementType: string | null];
type TableRow = readonly [oid: number, name: string, kind: 'r' | 'p', hasRls: boolean];
/** The columns of one table, in its order. */
type ColumnsRow = readonly [
  tableOid: number,
  numbers: readonly number[],
  names: readonly string[],
  types: readonly string[],
  flags: readonly string[],
];
type DefaultRow = readonly [tableOid: number, columnNumber: number, sql: string];
type UniqueKeyRow = readonly [
  tableOid: number,
  name: string,
  isPrimary: boolean,
  columnCount: number,
  /** Numbers of the columns, blank separated; the first `columnCount` are the key, the rest INCLUDE. */
  columnNumbers: string,
];
type ForeignKeyRow = readonly [
  tableOid: number,
  name: string,
  columnNumbers: readonly number[],
  targetSchema: string,
  targetTable: string,
  targetOid: number,
  targetNumbers: readonly number[],
  /** Names of the target's columns by number; null when the target is in the catalog itself. */
  targetNames: Readonly<Record<string, string>> | null,
];

type NameOfColumn = (tableOid: number, columnNumber: number) => string;

function buildCatalog(content: CatalogContent, schemaVersion: string): Catalog {
  const tables = content.tables ?? [];
  const columnNames = new Map<number, ReadonlyMap<number, string>>();
  const columnsByTable = new Map<number, ColumnsRow>();
  for (const row of content.columns ?? []) {
    const [oid, numbers, names] = row;
    columnsByTable.set(oid, row);
    columnNames.set(oid, new Map(numbers.map((number, i) => [number, names[i] ?? ''])));
  }
  const nameOf: NameOfColumn = (oid, number) => columnNames.get(oid)?.get(number) ?? '';
  const types = new Map((content.types ?? []).map((row) => [row[0], row]));
  const defaults = groupByTable(content.defaults ?? []);
  const uniqueKeys = groupByTable(content.uniqueKeys ?? []);
  const foreignKeys = groupByTable(content.foreignKeys ?? []);
  const tableByName = new Map<string, Table>();
  for (const row of tables) {
    const [oid, name] = row;
    const columns = buildColumns(columnsByTable.get(oid), types, defaults.get(oid) ?? []);
    const keys = buildKeys(uniqueKeys.get(oid) ?? [], foreignKeys.get(oid) ?? [], nameOf);
    tableByName.set(name, buildTable(row, columns, keys));
  }
  return Object.freeze({ schemaVersion, tableByName });
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

type Keys = Pick<Table, 'primaryKey' | 'uniqueKeys' | 'foreignKeys'>;

function buildTable(row: TableRow, columns: readonly Column[], keys: Keys): Table {
  const [, name, kind, hasRls] = row;
  return Object.freeze({
    schema: 'public',
    name,
    kind: kind === 'p' ? 'partitioned' : 'table',
    hasRls,
    columns: Object.freeze(columns),
    columnByName: new Map(columns.map((column) => [column.name, column])),
    ...keys,
  });
}

function buildColumns(
  row: ColumnsRow | undefined,
  typeByKey: ReadonlyMap<string, TypeRow>,
  defaults: readonly DefaultRow[],
): readonly Column[] {
  if (!row) return [];
  const [, numbers, names, types, flags] = row;
  return numbers.map((number, i) => {
    const [, type, elementType] = typeByKey.get(types[i] ?? '') ?? ['', 'text', null];
    const flag = flags[i] ?? '';
    return Object.freeze({
      name: names[i] ?? '',
      type,
      elementType: elementType ?? undefined,
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
  for (const [oid, name, isPrimary, count, numbers] of uniqueRows) {
    const columns = numbers
      .split(' ')
      .slice(0, count)
      .map((number) => nameOf(oid, Number(number)));
    uniqueKeys.push({ name, columns });
    if (isPrimary) primaryKey = columns;
  }
  const foreignKeys = foreignRows.map((row) => buildForeignKey(row, uniqueKeys, nameOf));
  return { primaryKey, uniqueKeys, foreignKeys };
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
