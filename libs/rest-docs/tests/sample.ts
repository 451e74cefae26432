// Catalogs and rights by hand, for the tests of the document.
import type {
  Argument,
  Catalog,
  Column,
  Routine,
  Table,
  ValueKind,
  ValueType,
} from '#libs/catalog';

import { catalogOf as buildCatalog } from '../../catalog/tests/build-catalog.js';
import type { CallerRights, TableRights } from '../src/rights.js';

export { tableOf as table } from '../../catalog/tests/build-catalog.js';

/** A type by its SQL text; with `baseType` for a domain and for a type with a modifier. */
export function valueType(
  type: string,
  more: { readonly baseType?: string; readonly kind?: ValueKind } = {},
): ValueType {
  const isArray = type.endsWith('[]');
  return {
    type,
    baseType: more.baseType ?? type.replace(/\(.*\)/, ''),
    elementType: isArray ? type.slice(0, -2) : undefined,
    valueKind: more.kind ?? (isArray ? 'array' : 'other'),
  };
}

/** A column that may be null and has no default, unless `more` says otherwise. */
export function column(
  name: string,
  type: string | ValueType,
  more: Partial<Pick<Column, 'isNullable' | 'default'>> = {},
): Column {
  const value = typeof type === 'string' ? valueType(type) : type;
  return { name, ...value, isNullable: true, default: { kind: 'none' }, ...more };
}

export function argument(name: string | undefined, type: string, hasDefault = false): Argument {
  return { name, ...valueType(type), hasDefault, isVariadic: false };
}

export function routine(
  name: string,
  args: readonly Argument[],
  more: Partial<Routine> = {},
): Routine {
  return {
    schema: 'public',
    name,
    args,
    returns: { kind: 'void' },
    volatility: 'volatile',
    isDefiner: false,
    ...more,
  };
}

export function catalogOf(
  tables: readonly Table[],
  routines: readonly Routine[] = [],
  enumByType: Catalog['enumByType'] = new Map(),
): Catalog {
  const more = { schemaVersion: '7', enumByType, castTypes: new Set<string>() };
  return buildCatalog(tables, routines, more);
}

const everything: TableRights = {
  select: 'all',
  insert: 'all',
  update: 'all',
  canDelete: true,
  comment: undefined,
  columnComments: new Map(),
};

/** Every right on everything in the catalog; `change` gives other rights on a table, or none. */
export function allRights(
  { tableByName, routines }: Catalog,
  change: Readonly<Record<string, Partial<TableRights> | undefined>> = {},
): CallerRights {
  const lists = [...routines.values()].flatMap((byName) => [...byName.values()]).flat();
  const names = [...tableByName.keys()].filter(
    (name) => !(Object.hasOwn(change, name) && change[name] === undefined),
  );
  return {
    tableByName: new Map(names.map((name) => [name, { ...everything, ...change[name] }])),
    routineByKey: new Map(lists.map((each) => [keyOf(each), { comment: undefined }])),
    routineNames: new Set(lists.map(({ schema, name }) => JSON.stringify([schema, name]))),
  };
}

function keyOf({ schema, name, args }: Routine): string {
  return JSON.stringify([schema, name, ...args.map((each) => each.name ?? null)]);
}
