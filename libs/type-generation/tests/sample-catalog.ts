// Builds catalogs for tests from short descriptions.
import type { Argument, Catalog, Column, Routine, Table, ValueKind } from '#libs/catalog';

import { catalogOf as buildCatalog } from '../../catalog/tests/build-catalog.js';

export { tableOf as table } from '../../catalog/tests/build-catalog.js';

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
  const enumByType = new Map(Object.entries(enums));
  return buildCatalog(tables, routines, { enumByType, castTypes: new Set() });
}
