// Catalogs made by hand, for tests that need no database.
import type {
  Argument,
  Catalog,
  Column,
  ColumnDefault,
  ComputedColumn,
  ComputedRelation,
  ForeignKey,
  Routine,
  Table,
  ValueKind,
  ValueType,
} from '#libs/catalog';

const NONE: ColumnDefault = { kind: 'none' };
const KINDS: Readonly<Record<string, ValueKind>> = {
  text: 'text',
  json: 'json',
  jsonb: 'jsonb',
  tsvector: 'tsvector',
  'public.geometry': 'geometry',
};

/** Returns the type with this SQL text; a text that ends in `[]` is an array type. */
export function valueType(type: string): ValueType {
  const elementType = type.endsWith('[]') ? type.slice(0, -2) : undefined;
  const valueKind = elementType === undefined ? (KINDS[type] ?? 'other') : 'array';
  return { type, baseType: type, elementType, valueKind };
}

export function column(name: string, type: string, byDefault: ColumnDefault = NONE): Column {
  return { name, ...valueType(type), isNullable: true, default: byDefault };
}

interface TableParts {
  /** `name type`, or whole columns. */
  readonly columns: readonly (string | Column)[];
  readonly primaryKey?: readonly string[];
  readonly foreignKeys?: readonly ForeignKey[];
  readonly computedColumns?: readonly ComputedColumn[];
  readonly computedRelations?: readonly ComputedRelation[];
}

export function table(name: string, parts: TableParts): Table {
  const columns = parts.columns.map((each) => {
    if (typeof each !== 'string') return each;
    const [columnName = '', ...type] = each.split(' ');
    return column(columnName, type.join(' '));
  });
  const primaryKey = parts.primaryKey ?? [];
  return tableOf(name, columns, {
    primaryKey,
    uniqueKeys:
      primaryKey.length > 0
        ? [{ name: `${name}_pkey`, columns: primaryKey, obstacle: undefined }]
        : [],
    foreignKeys: parts.foreignKeys ?? [],
    computedColumns: new Map((parts.computedColumns ?? []).map((each) => [each.name, each])),
    computedRelations: parts.computedRelations ?? [],
  });
}

/** A table of `public` without keys, unless `more` says otherwise. */
export function tableOf(
  name: string,
  columns: readonly Column[],
  more: Partial<Table> = {},
): Table {
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
    temporalKeys: [],
    computedColumns: new Map(),
    computedRelations: [],
    ...more,
  };
}

interface KeyParts {
  readonly name?: string;
  readonly isOneToOne?: boolean;
  readonly schema?: string;
}

/** A foreign key `columns -> table(columns)`: `author_id -> authors(id)`, `a, b -> things(x, y)`. */
export function foreignKey(text: string, parts: KeyParts = {}): ForeignKey {
  const match = /^(.*) -> (\w+)\((.*)\)$/.exec(text);
  const columns = (match?.[1] ?? '').split(', ');
  return {
    name: parts.name ?? `${columns.join('_')}_fkey`,
    columns,
    target: {
      schema: parts.schema ?? 'public',
      table: match?.[2] ?? '',
      columns: (match?.[3] ?? '').split(', '),
    },
    isOneToOne: parts.isOneToOne ?? false,
  };
}

/** An argument `[variadic ][name] type[ default]`; a type alone has no name. */
export function argument(text: string): Argument {
  const words = text.split(' ');
  const isVariadic = words[0] === 'variadic';
  const hasDefault = words.at(-1) === 'default';
  const [first = '', second] = words.slice(isVariadic ? 1 : 0, hasDefault ? -1 : undefined);
  const name = second === undefined ? undefined : first;
  return { ...valueType(second ?? first), name, hasDefault, isVariadic };
}

export function routine(
  name: string,
  args: readonly string[],
  parts: Partial<Routine> = {},
): Routine {
  return {
    schema: 'public',
    name,
    args: args.map(argument),
    returns: { kind: 'scalar', isSet: false, ...valueType('integer') },
    volatility: 'volatile',
    isDefiner: false,
    ...parts,
  };
}

export function catalogOf(
  tables: readonly Table[],
  routines: readonly Routine[] = [],
  more: Partial<Catalog> = {},
): Catalog {
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
    enumByType: new Map(),
    castTypes: new Set(['mood']),
    ...more,
  };
}
