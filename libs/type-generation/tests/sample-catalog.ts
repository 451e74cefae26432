// Builds catalogs for tests from short descriptions.
import type { Argument, Catalog, Column, Routine, Table, ValueKind } from '#libs/catalog';

const kinds: Readonly<Record<string, ValueKind>> = {
  json: 'json',
  jsonb: 'jsonb',
  text: 'text',
  tsvector: 'tsvector',
  'public.geometry': 'geometry',
};

/** A type by its SQL text; `integer[]` is an array. */
export function typed(type: string, baseType = type.replace(/\(.*\)/, '')) {
  const isArray = type.endsWith('[]');
  return {
    type,
    baseType,
    elementType: isArray ? type.slice(0, -2) : undefined,
    valueKind: isArray ? ('array' as const) : (kinds[baseType] ?? ('other' as const)),
  };
}

/** A column that must be given, unless `more` says otherwise. */
export function column(name: string, type: string, more: Partial<Column> = {}): Column {
  return { name, ...typed(type), isNullable: false, default: { kind: 'none' }, ...more };
}

export function table(name: string, columns: readonly Column[], more: Partial<Table> = {}): Table {
  return {
    schema: 'public',
    name,
    kind: 'table',
    hasRls: true,
    columns,
    columnByName: new Map(columns.map((each) => [each.name, each])),
    primaryKey: [],
    uniqueKeys: [],
    foreignKeys: [],
    computedColumns: new Map(),
    computedRelations: [],
    ...more,
  };
}

/** An argument that must be given, unless `more` says otherwise. */
export function argument(
  name: string | undefined,
  type: string,
  more: Partial<Argument> = {},
): Argument {
  return { name, ...typed(type), hasDefault: false, isVariadic: false, ...more };
}

export function routine(name: string, more: Partial<Routine> = {}): Routine {
  return {
    schema: 'public',
    name,
    args: [],
    returns: { kind: 'void' },
    volatility: 'stable',
    isDefiner: false,
    ...more,
  };
}

interface CatalogParts {
  readonly tables?: readonly Table[];
  readonly routines?: readonly Routine[];
  readonly enums?: Readonly<Record<string, readonly string[]>>;
}

export function catalogOf({ tables = [], routines = [], enums = {} }: CatalogParts): Catalog {
  const schemas = new Map<string, Map<string, Routine[]>>();
  for (const each of routines) {
    const names = schemas.get(each.schema) ?? new Map<string, Routine[]>();
    schemas.set(each.schema, names);
    names.set(each.name, [...(names.get(each.name) ?? []), each]);
  }
  return {
    schemaVersion: '1',
    tableByName: new Map(tables.map((each) => [each.name, each])),
    routines: schemas,
    enumByType: new Map(Object.entries(enums)),
    castTypes: new Set(),
  };
}
