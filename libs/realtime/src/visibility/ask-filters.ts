// Which rows match which filters, for listeners that see different rows.
import type { ChangeFilter } from '#libs/realtime-core';

import type { TableFacts } from './facts.js';
import { type Ask, FilterCalls, type Means, mostAtOnce, type RunOnRows } from './filter-calls.js';
import { FilterBudget } from './filter-cost.js';
import { unitsOf } from './filter-program.js';
import { anyBits } from './layout.js';
import { partsOfRows } from './row-parts.js';
import type { Bits, EvaluationError } from './types.js';

/** A filter with the rows that listeners may see, a `1` for each: listeners of one mask see the same rows. */
export interface WantedFilter {
  /** In the question. */
  readonly index: number;
  readonly filter: ChangeFilter;
  readonly masks: readonly Bits[];
}

/** A filter that failed on rows of a mask. */
export interface FilterFailure {
  readonly index: number;
  readonly mask: Bits;
  readonly error: EvaluationError;
}

export interface FilterAnswer {
  /** By index of the filter. */
  readonly matches: ReadonlyMap<number, Bits>;
  readonly failures: readonly FilterFailure[];
}

export interface FilterQuestion {
  readonly facts: TableFacts;
  readonly wanted: readonly WantedFilter[];
  readonly rows: readonly string[];
  /** Limit of a call. */
  readonly limitMs: number;
  /** The time of all calls before the filters that cost the most come last; after twice as much they are refused. */
  readonly budgetMs: number;
}

/**
 * Undefined if the facts have changed. A filter is evaluated once for all of its listeners. Where that fails it is
 * evaluated for each mask by itself, so that listeners receive no error of a row that is hidden from them.
 */
export async function askFilters(
  question: FilterQuestion,
  run: RunOnRows,
): Promise<FilterAnswer | undefined> {
  const asks = question.wanted.flatMap(({ index, filter, masks }): readonly Ask[] =>
    masks.length === 0 ? [] : [{ index, filter, mask: masks.reduce(anyBits) }],
  );
  const budget = new FilterBudget(question.budgetMs);
  const together = await askAll(asks, question, { run, budget });
  const masksOf = new Map(question.wanted.map(({ index, masks }) => [index, masks]));
  const apart = [...(together?.errors.keys() ?? [])].flatMap((place): readonly Ask[] => {
    const ask = asks[place];
    const masks = ask ? (masksOf.get(ask.index) ?? []) : [];
    return ask && masks.length > 1 ? masks.map((mask) => ({ ...ask, mask })) : [];
  });
  const again = await askAll(apart, question, { run, budget });
  if (!together || !again) return undefined;
  const areApart = new Set(apart.map(({ index }) => index));
  const answers = [
    ...asks.map((ask, place) => ({ ...ask, place, answer: together })),
    ...apart.map((ask, place) => ({ ...ask, place, answer: again })),
  ].filter(({ index, answer }) => answer === again || !areApart.has(index));
  const matches = new Map<number, Bits>();
  const failures: FilterFailure[] = [];
  for (const { index, mask, place, answer } of answers) {
    const bits = answer.matches.get(place);
    if (bits !== undefined) matches.set(index, anyBits(matches.get(index) ?? bits, bits));
    const error = answer.errors.get(place);
    if (error) failures.push({ index, mask, error });
  }
  return { matches, failures };
}

/** By place of an ask its matches, or its error; undefined if the facts have changed. */
async function askAll(asks: readonly Ask[], question: FilterQuestion, means: Means) {
  const matches = new Map<number, Bits>();
  const errors = new Map<number, EvaluationError>();
  let firstRow = 0;
  for (const rows of partsOfRows(question.rows)) {
    const [from, to] = [firstRow, firstRow + rows.length];
    const masked = asks.map((ask) => ({ ...ask, mask: ask.mask.slice(from, to) }));
    const calls = new FilterCalls({ ...question, asks: masked, rows }, { ...means, errors });
    const places = [...asks.keys()].filter(
      (place) => !errors.has(place) && masked[place]?.mask.includes('1'),
    );
    const size = mostAtOnce(rows);
    for (let first = 0; first < places.length; first += size) {
      await calls.ask(places.slice(first, first + size), unitsOf);
    }
    await calls.askLate();
    if (calls.hasChanged) return undefined;
    const none = '0'.repeat(rows.length);
    for (const place of asks.keys()) {
      matches.set(place, `${matches.get(place) ?? ''}${calls.matches.get(place) ?? none}`);
    }
    firstRow = to;
  }
  for (const place of errors.keys()) matches.delete(place);
  return { matches, errors };
}
