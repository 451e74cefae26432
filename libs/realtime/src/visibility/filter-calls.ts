// Asks the database which rows match which filters. A filter that fails, or takes too long, is an error of its own: those
// that are evaluated with it are answered all the same.
import { errorsIn } from './answer.js';
import { CHANGED } from './block.js';
import type { TableFacts } from './facts.js';
import { FilterBudget, FilterCosts } from './filter-cost.js';
import {
  bitsOfUnit,
  buildFilterProgram,
  type FilterUnit,
  type MaskedFilter,
  singleUnits,
  unitsOf,
} from './filter-program.js';
import { bothBits } from './layout.js';
import { type BlockResult, tooLarge } from './policy-calls.js';
import type { Bits, EvaluationError } from './types.js';

/** Filters of one call, and filters by rows. */
const maxFilters = 2_000;
const maxAnswers = 500_000;
/** When the budget is used up, calls have this fraction of their time: the feed waits for all of them. */
const shortenedBy = 5;
/** The SQLSTATE of a filter that takes too long. */
export const FILTER_TOO_SLOW = '57014';
const tooSlow: EvaluationError = { code: FILTER_TOO_SLOW, message: 'The filter took too long' };

/** A filter on some rows. */
export interface Ask extends MaskedFilter {
  readonly index: number;
}

/** Runs a block on rows. Throws the errors that are not about what it evaluates. */
export type RunOnRows = (
  text: string,
  call: { readonly rows: readonly string[]; readonly limitMs: number },
) => Promise<BlockResult>;

/** What calls need beside their filters. */
export interface Means {
  readonly run: RunOnRows;
  readonly budget: FilterBudget;
}

/** Filters of one call about these rows. */
export function mostAtOnce({ length }: readonly string[]): number {
  return Math.max(1, Math.min(maxFilters, Math.floor(maxAnswers / length)));
}

/** A question about one part of the rows. */
interface PartQuestion {
  readonly facts: TableFacts;
  readonly asks: readonly Ask[];
  readonly rows: readonly string[];
  /** Limit of a call. */
  readonly limitMs: number;
}

/** The unit in which a call has reached its limit, and how long that one has taken. */
interface Stopped {
  readonly index: number;
  readonly ms: number;
}

/** Filters on one part of the rows. */
export class FilterCalls {
  readonly matches = new Map<number, Bits>();
  hasChanged = false;
  readonly #errors: Map<number, EvaluationError>;
  readonly #run: RunOnRows;
  readonly #budget: FilterBudget;
  readonly #costs: FilterCosts;
  readonly #largestRow: number;
  /** Those that wait for their turn since the budget is used up. */
  #late: number[] = [];

  constructor(
    private readonly question: PartQuestion,
    parts: Means & { readonly errors: Map<number, EvaluationError> },
  ) {
    this.#run = parts.run;
    this.#budget = parts.budget;
    this.#costs = new FilterCosts(question.rows, question.facts);
    this.#errors = parts.errors;
    this.#largestRow = Math.max(0, ...question.rows.map(({ length }) => length));
  }

  async ask(places: readonly number[], plan: typeof unitsOf): Promise<void> {
    if (this.hasChanged || places.length === 0) return;
    if (this.#budget.isUsedUp) this.#late.push(...places);
    else await this.#call(places, plan);
  }

  /**
   * Asks about those that are left when the budget is used up: filters that cost little first, so that they never wait
   * for others, then the rest by their costs. What is left of that after twice the budget is refused.
   */
  async askLate(): Promise<void> {
    const most = mostAtOnce(this.question.rows);
    let size = most;
    while (this.#late.length > 0 && !this.hasChanged) {
      const left = this.#late;
      const { low, high } = this.#byCost(left);
      if (this.#budget.isOverdrawn) this.#refuse(high, tooSlow);
      const next = (low.length > 0 || this.#budget.isOverdrawn ? low : high).slice(0, size);
      const isNext = new Set(next);
      const isRefused = this.#budget.isOverdrawn;
      this.#late = [...low, ...(isRefused ? [] : high)].filter((place) => !isNext.has(place));
      if (next.length === 0) continue;
      await this.#call(next, singleUnits);
      // Without an answer to any of them the next call has fewer; one alone is always answered or refused.
      size = this.#late.length < left.length ? most : Math.ceil(next.length / 2);
    }
  }

  /** Filters of low costs as they come, and those of high costs from the lowest to the highest. */
  #byCost(places: readonly number[]) {
    const low: number[] = [];
    const high: { readonly place: number; readonly ms: number }[] = [];
    for (const place of places) {
      const ask = this.question.asks[place];
      if (ask && this.#costs.isHigh(ask)) high.push({ place, ms: this.#costs.msOf(ask) });
      else low.push(place);
    }
    return { low, high: high.toSorted((a, b) => a.ms - b.ms).map(({ place }) => place) };
  }

  async #call(places: readonly number[], plan: typeof unitsOf): Promise<void> {
    const { facts, rows } = this.question;
    const asks = places.flatMap((place) => this.question.asks[place] ?? []);
    const units = plan(
      asks.map(({ filter }) => filter),
      this.#largestRow,
    );
    const { limitMs } = this;
    const answer = await this.#run(buildFilterProgram(facts, asks, units), { rows, limitMs });
    // What a call waits for a connection is no time of its filters.
    if (answer.kind === 'timeout') this.#budget.note(limitMs);
    switch (answer.kind) {
      case 'output':
        return this.#take(answer.text, { units, places, limitMs });
      case 'timeout':
        return this.#halve(places, tooSlow, plan);
      case 'too-large':
        return this.#halve(places, tooLarge, plan);
      case 'error':
        return this.#halve(places, answer.error, plan);
    }
  }

  private get limitMs(): number {
    const { limitMs } = this.question;
    return this.#budget.isUsedUp ? Math.ceil(limitMs / shortenedBy) : limitMs;
  }

  async #take(
    text: string,
    call: {
      readonly units: readonly FilterUnit[];
      readonly places: readonly number[];
      readonly limitMs: number;
    },
  ): Promise<void> {
    if (text === CHANGED) {
      this.hasChanged = true;
      return;
    }
    // Only the block writes this setting after the filters have run.
    const output = JSON.parse(text) as {
      readonly all: readonly (string | null)[];
      readonly errors: readonly string[];
      readonly stopped: string | null;
      readonly ms: number;
    };
    this.#budget.note(output.ms);
    const errors = errorsIn(output.errors);
    const placesOf = (unit: FilterUnit) => unit.places.flatMap((place) => call.places[place] ?? []);
    const failed: number[] = [];
    for (const [index, answer] of output.all.entries()) {
      const unit = call.units[index];
      if (!unit) continue;
      const own = placesOf(unit);
      if (typeof answer === 'string') {
        const bits = bitsOfUnit(unit, answer, this.question.rows.length);
        for (const [at, place] of own.entries()) {
          const { mask = '' } = this.question.asks[place] ?? {};
          this.matches.set(place, bothBits(bits[at] ?? '', mask));
        }
      } else if (own.length > 1) failed.push(...own);
      else this.#refuse(own, errors.get(index) ?? { code: 'XX000', message: 'no answer' });
    }
    await this.ask(failed, singleUnits);
    if (output.stopped === null) return;
    const [index = 0, ms = 0] = output.stopped.split(' ').map(Number);
    await this.#goOn(call.units.map(placesOf), { index, ms }, call.limitMs);
  }

  /** Asks about the filters that a call has not reached before its limit. */
  async #goOn(
    units: readonly (readonly number[])[],
    { index, ms }: Stopped,
    limitMs: number,
  ): Promise<void> {
    const interrupted = units[index] ?? [];
    const isAlone = units.length === 1;
    if (interrupted.length > 1) await this.ask(interrupted, singleUnits);
    // What others have used up is not its own slowness.
    else if (isAlone || ms * 2 >= limitMs) this.#refuse(interrupted, tooSlow);
    else await this.ask(interrupted, singleUnits);
    const plan = units.every(({ length }) => length === 1) ? singleUnits : unitsOf;
    await this.ask(units.slice(index + 1).flat(), plan);
  }

  async #halve(
    places: readonly number[],
    error: EvaluationError,
    plan: typeof unitsOf,
  ): Promise<void> {
    if (places.length === 1) {
      this.#refuse(places, error);
      return;
    }
    const half = Math.ceil(places.length / 2);
    await this.ask(places.slice(0, half), plan);
    await this.ask(places.slice(half), plan);
  }

  #refuse(places: readonly number[], error: EvaluationError): void {
    for (const place of places) {
      this.#errors.set(place, error);
      const { filter } = this.question.asks[place] ?? {};
      if (error === tooSlow && filter) this.#costs.noteSlow(filter);
    }
  }
}
