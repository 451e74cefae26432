// Builds the block that evaluates filters of bindings. There may be thousands of them on a table, most of them alike
// (`room=eq.17`), and each may be hostile: they are evaluated together, and by themselves only where that fails.
import { type ChangeFilter, patternsIn } from '#libs/realtime-core';
import { quoteIdent } from '#libs/wire';

import {
  type BlockBody,
  blockText,
  evaluateUntilLimit,
  fromNumberedRows,
  keep,
  Names,
  untilStopped,
} from './block.js';
import type { TableFacts } from './facts.js';
import { filterSql, quoteText } from './filter.js';
import type { Bits } from './types.js';

/** Filters that are evaluated by one query. Each has its place in the list of all. */
export type FilterUnit =
  /** Comparisons of one column with different values, as a join. */
  | {
      readonly kind: 'equal';
      readonly column: string;
      readonly places: readonly number[];
      readonly values: readonly string[];
    }
  | { readonly kind: 'each'; readonly places: readonly number[] };

/** Fewer comparisons than this are not worth a join. */
const fewestEqual = 8;
/** Conditions of one query. */
const mostEach = 50;
/**
 * Characters of patterns by characters of the largest row, in one query: a quarter of a second. PostgreSQL does not
 * interrupt the comparison of a value with a pattern, so a query with more would overrun the time limit.
 */
const mostCompared = 100_000_000;

/** How filters are evaluated together, on rows of which the largest has `largestRow` characters. */
export function unitsOf(
  filters: readonly ChangeFilter[],
  largestRow: number,
): readonly FilterUnit[] {
  const byColumn = new Map<string, number[]>();
  for (const [place, filter] of filters.entries()) {
    const column = equalColumn(filter);
    if (column !== undefined) byColumn.set(column, [...(byColumn.get(column) ?? []), place]);
  }
  const joined = [...byColumn].filter(([, places]) => places.length >= fewestEqual);
  const inJoins = new Set(joined.flatMap(([, places]) => places));
  const rest = [...filters.keys()].filter((place) => !inJoins.has(place));
  return [
    ...joined.map(([column, places]): FilterUnit => {
      const values = places.map((place) => equalValue(filters[place]));
      return { kind: 'equal', column, places, values };
    }),
    ...chunks(rest, (place) => patternLength(filters[place]) * largestRow).map(
      (places): FilterUnit => ({ kind: 'each', places }),
    ),
  ];
}

/** Each filter by itself. */
export function singleUnits(filters: readonly ChangeFilter[]): readonly FilterUnit[] {
  return filters.map((_, place) => ({ kind: 'each', places: [place] }));
}

/** A filter and the rows on which it is evaluated. */
export interface MaskedFilter {
  readonly filter: ChangeFilter;
  readonly mask: Bits;
}

/** The block. Its rows are numbered in the order of the input. */
export function buildFilterProgram(
  facts: TableFacts,
  asks: readonly MaskedFilter[],
  units: readonly FilterUnit[],
): string {
  const names = new Names(facts);
  const steps = units.flatMap((unit, index) => [
    evaluateUntilLimit(names, queryOf(facts, names, { unit, asks }), String(index)),
    keep(names),
  ]);
  const body: BlockBody = {
    steps: untilStopped(names, steps),
    output: ['all', 'errors', 'stopped', 'ms'],
  };
  return blockText(facts, names, body);
}

/** The query about the rows, whose answer is a text of pairs of row and place, or for each row the bits of the places. */
function queryOf(
  facts: TableFacts,
  names: Names,
  { unit, asks }: { readonly unit: FilterUnit; readonly asks: readonly MaskedFilter[] },
): string {
  const v = (name: string): string => names.of(name);
  const { alias } = facts;
  if (unit.kind === 'each') {
    const number = `${alias}.${v('n')}`;
    const bits = unit.places.map((place) => {
      const ask = asks[place];
      return ask ? bitOf(ask, alias, number) : `'0'`;
    });
    return `select pg_catalog.string_agg(pg_catalog.concat(${bits.join(', ')}), ',')
      into ${v('bits')} from ${fromNumberedRows(facts, names)};`;
  }
  const type = facts.columns.find(({ name }) => name === unit.column)?.type ?? 'pg_catalog.text';
  return `perform pg_catalog.set_config('enable_nestloop', 'off', true);
      select coalesce(pg_catalog.string_agg(pg_catalog.concat(${alias}.${v('n')}, ' ', ${v('w')}.${v('place')}), ','), '')
      into ${v('bits')}
      from ${fromNumberedRows(facts, names)}
      join pg_catalog.unnest(array[${unit.values.map(quoteText).join(', ')}]::${type}[])
        with ordinality ${v('w')} (${v('value')}, ${v('place')})
        on ${alias}.${quoteIdent(unit.column)} = ${v('w')}.${v('value')};`;
}

/** PostgreSQL evaluates the condition of a `case` only where those before it are false: never on other rows. */
function bitOf({ filter, mask }: MaskedFilter, alias: string, number: string): string {
  const matches = `when (${filterSql(filter, alias)}) then '1' else '0' end`;
  if (!mask.includes('0')) return `case ${matches}`;
  const bit = `pg_catalog.get_bit(B'${mask}', (${number} operator(pg_catalog.-) 1)::pg_catalog.int4)`;
  return `case when ${bit} operator(pg_catalog.=) 0 then '0' ${matches}`;
}

/** The bits of each place of a unit over the rows; `text` is what the block answers for it. */
export function bitsOfUnit(unit: FilterUnit, text: string, rows: number): readonly Bits[] {
  if (unit.kind === 'each') {
    const lines = text.split(',');
    return unit.places.map((_, index) => lines.map((line) => line[index] ?? '0').join(''));
  }
  const none = '0'.repeat(rows);
  const all = unit.places.map(() => none);
  for (const pair of text === '' ? [] : text.split(',')) {
    const [row = 0, place = 0] = pair.split(' ').map(Number);
    const bits = all[place - 1] ?? none;
    all[place - 1] = `${bits.slice(0, row - 1)}1${bits.slice(row)}`;
  }
  return all;
}

function equalColumn(filter: ChangeFilter): string | undefined {
  if (filter.kind !== 'leaf') return undefined;
  const { leaf } = filter;
  return leaf.kind === 'compare' && leaf.operator === 'eq' ? leaf.column : undefined;
}

function equalValue(filter: ChangeFilter | undefined): string {
  return filter?.kind === 'leaf' && filter.leaf.kind === 'compare' ? filter.leaf.value : '';
}

function patternLength(filter: ChangeFilter | undefined): number {
  return filter ? patternsIn(filter).join('').length : 0;
}

function chunks(
  places: readonly number[],
  costOf: (place: number) => number,
): readonly (readonly number[])[] {
  const all: number[][] = [];
  let cost = Infinity;
  for (const place of places) {
    const last = all.at(-1);
    cost += costOf(place);
    if (last && last.length < mostEach && cost <= mostCompared) last.push(place);
    else {
      all.push([place]);
      cost = costOf(place);
    }
  }
  return all;
}
