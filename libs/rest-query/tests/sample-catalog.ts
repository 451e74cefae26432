// A catalog made by hand, for tests that need no database.
import type { Catalog, Column, ColumnDefault, Table } from '#libs/catalog';

const NONE: ColumnDefault = { kind: 'none' };

function column(name: string, type: string, byDefault: ColumnDefault = NONE): Column {
  return { name, type, elementType: undefined, isNullable: true, default: byDefault };
}

function table(name: string, primaryKey: readonly string[], columns: readonly Column[]): Table {
  return {
    schema: 'public',
    name,
    kind: 'table',
    hasRls: true,
    columns,
    columnByName: new Map(columns.map((each) => [each.name, each])),
    primaryKey,
    uniqueKeys: [],
    foreignKeys: [],
  };
}

const tables = [
  table(
    'planets',
    ['id'],
    [
      column('id', 'bigint', { kind: 'identity', isAlways: false }),
      column('name', 'text'),
      column('mass', 'numeric', { kind: 'expression', sql: '1' }),
      column('found_at', 'timestamp with time zone', { kind: 'expression', sql: 'now()' }),
    ],
  ),
  table('odd "name"', [], [column('päth.x', 'text'), column('a"b', 'integer')]),
  table('session', [], [column('token', 'text')]),
];

/** Tables `planets` (id, name, mass, found_at), one with odd names and one that is blocked. */
export const sampleCatalog: Catalog = {
  schemaVersion: '1',
  tableByName: new Map(tables.map((each) => [each.name, each])),
};
