// What the address of the tables says: which table, which of its rows in which order, and how they are shown.
import type { Filter, Sort } from './filters.js';
import { type Operator, operators } from './operators.js';

/** Undefined: as if the address did not say it. */
export interface TablesSearch {
  readonly schema?: string | undefined;
  readonly table?: string | undefined;
  /** Part of the names in the list of tables. */
  readonly q?: string | undefined;
  /** `[column, operator, value]`; all of them apply. */
  readonly where?: readonly (readonly [string, Operator, string])[] | undefined;
  /** Columns; a minus before the name turns the order round. */
  readonly sort?: readonly string[] | undefined;
  readonly hide?: readonly string[] | undefined;
  readonly pin?: readonly string[] | undefined;
  /** The number of the first row in sight, from 0 on. */
  readonly at?: number | undefined;
  /** Whose rights a read has: `anon` or the id of a user. */
  readonly as?: string | undefined;
}

/** The parameters that are valid. The others are undefined: what is left out is taken from the address as it is. */
export function readSearch(given: Record<string, unknown>): TablesSearch {
  const text = (name: string): string | undefined => {
    const value = given[name];
    // The router reads numbers out of addresses: `?table=42`.
    if (typeof value === 'number') return String(value);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const texts = (name: string): readonly string[] | undefined => {
    const value = given[name];
    const found = Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
    return found.length > 0 ? found : undefined;
  };
  const where = Array.isArray(given['where']) ? given['where'].filter(isFilter) : [];
  const at = given['at'];
  return {
    schema: text('schema'),
    table: text('table'),
    q: text('q'),
    where: where.length > 0 ? where : undefined,
    sort: texts('sort'),
    hide: texts('hide'),
    pin: texts('pin'),
    at: typeof at === 'number' && Number.isSafeInteger(at) && at > 0 ? at : undefined,
    as: text('as'),
  };
}

function isFilter(value: unknown): value is readonly [string, Operator, string] {
  if (!Array.isArray(value) || value.length !== 3) return false;
  const [column, operator, operand]: readonly unknown[] = value;
  return (
    typeof column === 'string' &&
    typeof operand === 'string' &&
    operators.some(({ name }) => name === operator)
  );
}

/** The filters of the address on columns that exist. */
export function filtersOf(
  { where = [] }: TablesSearch,
  columns: ReadonlySet<string>,
): readonly Filter[] {
  return where
    .filter(([column]) => columns.has(column))
    .map(([column, operator, value]) => ({ column, operator, value }));
}

export function whereOf(filters: readonly Filter[]): TablesSearch['where'] {
  if (filters.length === 0) return undefined;
  return filters.map(({ column, operator, value }) => [column, operator, value] as const);
}

/** The order of the address by columns that exist. */
export function sortsOf(
  { sort = [] }: TablesSearch,
  columns: ReadonlySet<string>,
): readonly Sort[] {
  return sort.flatMap((entry): readonly Sort[] => {
    if (columns.has(entry)) return [{ column: entry, isDescending: false }];
    const column = entry.slice(1);
    return entry.startsWith('-') && columns.has(column) ? [{ column, isDescending: true }] : [];
  });
}

export function sortOf(sorts: readonly Sort[]): TablesSearch['sort'] {
  if (sorts.length === 0) return undefined;
  return sorts.map(({ column, isDescending }) => (isDescending ? `-${column}` : column));
}
