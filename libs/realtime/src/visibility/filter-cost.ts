// What the filters of a question may cost together, and which of them cost the most.
import type { ChangeFilter, ChangeTest } from '#libs/realtime-core';

import type { TableFacts } from './facts.js';
import type { MaskedFilter } from './filter-program.js';

/** PostgreSQL compares each character of a value with each of a pattern; milliseconds. */
const comparisonMs = 2.5e-6;
/** `ilike` folds a value before, which takes as long as the comparison with this many characters. */
const foldingCharacters = 20;
/** Thousands of filters that each take less do not hold the feed. */
const mostMs = 1;

/** The time that the filters of one question have taken. */
export class FilterBudget {
  #usedMs = 0;

  constructor(private readonly budgetMs: number) {}

  note(ms: number): void {
    this.#usedMs += ms;
  }

  /** From now on filters that cost little are evaluated first. */
  get isUsedUp(): boolean {
    return this.#usedMs >= this.budgetMs;
  }

  /** From now on filters that cost much are refused. */
  get isOverdrawn(): boolean {
    return this.#usedMs >= 2 * this.budgetMs;
  }
}

/** The costs of filters on one part of the rows. */
export class FilterCosts {
  readonly #lengths = new Map<string, readonly number[]>();
  #values: readonly Readonly<Record<string, unknown>>[] | undefined;
  /** Columns with types of the project, whose operators have taken too long. */
  readonly #slowColumns = new Set<string>();
  readonly #ownTypes: ReadonlySet<string>;

  constructor(
    private readonly rows: readonly string[],
    { columns }: TableFacts,
  ) {
    this.#ownTypes = new Set(columns.filter((one) => !one.isBuiltIn).map(({ name }) => name));
  }

  /** At most this long does a filter take for its patterns, on the rows of its mask; milliseconds. */
  msOf({ filter, mask }: MaskedFilter): number {
    return testsOf(filter).reduce((sum, test) => {
      const characters = comparedCharacters(test);
      if (characters === 0) return sum;
      const lengths = this.#lengthsOf(test.column);
      const length = lengths.reduce((all, one, row) => (mask[row] === '1' ? all + one : all), 0);
      return sum + characters * length * comparisonMs;
    }, 0);
  }

  /** A filter has taken too long: others that use operators of the project on its columns are as slow. */
  noteSlow(filter: ChangeFilter): void {
    for (const column of comparedColumns(filter)) {
      if (this.#ownTypes.has(column)) this.#slowColumns.add(column);
    }
  }

  isHigh(ask: MaskedFilter): boolean {
    return (
      comparedColumns(ask.filter).some((one) => this.#slowColumns.has(one)) ||
      this.msOf(ask) > mostMs
    );
  }

  #lengthsOf(column: string): readonly number[] {
    const known = this.#lengths.get(column);
    if (known) return known;
    // The feed writes rows as objects.
    this.#values ??= this.rows.map((row) => JSON.parse(row) as Record<string, unknown>);
    const lengths = this.#values.map((values) => lengthOf(values[column]));
    this.#lengths.set(column, lengths);
    return lengths;
  }
}

function lengthOf(value: unknown): number {
  if (value === undefined || value === null) return 0;
  return typeof value === 'string' ? value.length : JSON.stringify(value).length;
}

/** The columns whose operators a filter uses. */
function comparedColumns(filter: ChangeFilter): readonly string[] {
  return testsOf(filter)
    .filter(({ kind }) => kind !== 'is')
    .map(({ column }) => column);
}

function testsOf(filter: ChangeFilter): readonly ChangeTest[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.nodes.flatMap(testsOf);
    case 'not':
      return testsOf(filter.node);
    case 'leaf':
      return [filter.leaf];
  }
}

/** The characters of a pattern that are compared with each place of a value: those after its first wildcard. */
function comparedCharacters(test: ChangeTest): number {
  if (test.kind !== 'compare') return 0;
  const { operator, value } = test;
  if (operator !== 'like' && operator !== 'ilike') return 0;
  const wildcard = value.indexOf('%');
  const compared = wildcard < 0 ? 0 : value.length - wildcard - 1;
  return operator === 'ilike' ? compared + foldingCharacters : compared;
}
