// Collects the answers of the calls for one question. Everything is hidden until an answer says otherwise.

import type { Answer } from './answer.js';
import type { TableFacts } from './facts.js';
import { columnsOf } from './filter.js';
import type { FilterAnswer, WantedFilter } from './ask-filters.js';
import { type Groups, pickBits, type RowLayout } from './layout.js';
import type { Bits, EvaluationError, Question, Verdict } from './types.js';

interface Place {
  /** Index of the first group of the call, and of its first row. */
  readonly first: number;
  readonly firstRow: number;
  readonly groups: Groups;
}

export class VerdictDraft {
  readonly #question: Question;
  readonly #layout: RowLayout;
  /** By group, over the rows so far. */
  readonly #visible: (Bits | undefined)[] = [];
  readonly #groupErrors = new Map<number, EvaluationError>();
  readonly #matches = new Map<number, Bits>();
  readonly #filterErrors = new Map<number, EvaluationError>();
  readonly #listenerErrors = new Map<number, Map<number, EvaluationError>>();
  /** By row; undefined without an answer. */
  readonly #cut: (string | null | undefined)[] = [];
  /** By row; undefined without an answer. */
  readonly #usable: (string | undefined)[] = [];
  #groupOf: readonly number[];
  /** By filter the rows that listeners may see, with these listeners. */
  readonly #masks = new Map<number, ReadonlyMap<Bits, readonly number[]>>();
  /** By audience, over the rows that filters are about; undefined until the policies are answered. */
  #filterRows: readonly Bits[] | undefined;

  constructor(question: Question, layout: RowLayout) {
    this.#question = question;
    this.#layout = layout;
    this.#groupOf = question.audiences.map(() => 0);
  }

  /**
   * The filters with the rows on which they are evaluated, after the policies. Those on columns that the role may not
   * read are refused for every listener that sees a row.
   */
  wantedFilters({ columns }: TableFacts): readonly WantedFilter[] {
    const readable = new Set(columns.filter((c) => c.isReadable).map(({ name }) => name));
    return this.#question.filters.flatMap((filter, index) => {
      const masks = this.#masksOf(index);
      this.#masks.set(index, masks);
      const refused = columnsOf(filter).find((column) => !readable.has(column));
      if (refused === undefined) return [{ index, filter, masks: [...masks.keys()] }];
      const message = `The column ${refused} does not exist, or the role may not read it`;
      for (const mask of masks.keys()) this.#fail(index, mask, { code: '42703', message });
      return [];
    });
  }

  /** Rows of a group are added in their order. */
  add(answer: Answer, { first, firstRow, groups }: Place): void {
    this.#groupOf = groups.groupOf;
    for (const [row, text] of answer.cut.entries()) this.#cut[firstRow + row] = text;
    for (const [row, bit] of [...answer.usable].entries()) this.#usable[firstRow + row] = bit;
    for (const [index, bits] of answer.visible.entries()) {
      const group = first + index;
      if (bits !== undefined) this.#visible[group] = `${this.#visible[group] ?? ''}${bits}`;
    }
    for (const [index, error] of answer.errors) this.#groupErrors.set(first + index, error);
  }

  /** A call has failed for all of its callers. */
  refuse(
    error: EvaluationError,
    { first, count, groups }: Omit<Place, 'firstRow'> & { readonly count: number },
  ): void {
    this.#groupOf = groups.groupOf;
    for (let i = 0; i < count; i++) this.#groupErrors.set(first + i, error);
  }

  addFilters({ matches, failures }: FilterAnswer): void {
    for (const [index, bits] of matches) this.#matches.set(index, bits);
    for (const { index, mask, error } of failures) this.#fail(index, mask, error);
  }

  finish(table: Verdict['table'], { isLocked = false, hasGap = false } = {}): Verdict {
    const { newRow, oldRow } = this.#layout;
    const { changes, filters } = this.#question;
    const none = '0'.repeat(changes.length);
    const pickNew = picker(newRow, none);
    const pickOld = picker(oldRow, none);
    const rows = this.#rowsByAudience();
    return {
      table,
      isLocked,
      hasGap: hasGap || this.#hasUndecidedRows(),
      newVisible: rows.map(pickNew),
      oldVisible: rows.map(pickOld),
      filterMatches: filters.map((_, index) => this.#matches.get(index) ?? none),
      newTexts: this.#texts(newRow),
      oldTexts: this.#texts(oldRow),
      errors: this.#errorsByAudience(),
      filterErrors: this.#filterErrors,
      listenerErrors: this.#listenerErrors,
    };
  }

  /** Rows that were cut, or have the columns and types of an earlier table. */
  #hasUndecidedRows(): boolean {
    const { newRow, oldRow } = this.#layout;
    return [...newRow, ...oldRow].some((row) => this.#usable[row] === '0');
  }

  #rowsByAudience(): readonly (Bits | undefined)[] {
    return this.#groupOf.map((group) =>
      this.#groupErrors.has(group) ? undefined : this.#visible[group],
    );
  }

  /** Listeners that see no row are left out. */
  #masksOf(filter: number): ReadonlyMap<Bits, readonly number[]> {
    const { changes, listeners } = this.#question;
    if (!listeners) return new Map([['1'.repeat(changes.length), []]]);
    this.#filterRows ??= this.#rowsByAudience().map(
      picker(this.#layout.filterRow, '0'.repeat(changes.length)),
    );
    const masks = new Map<Bits, number[]>();
    for (const audience of listeners[filter] ?? []) {
      const mask = this.#filterRows[audience] ?? '';
      if (!mask.includes('1')) continue;
      const known = masks.get(mask);
      if (known) known.push(audience);
      else masks.set(mask, [audience]);
    }
    return masks;
  }

  #fail(filter: number, mask: Bits, error: EvaluationError): void {
    if (!this.#filterErrors.has(filter)) this.#filterErrors.set(filter, error);
    const errors = this.#listenerErrors.get(filter) ?? new Map<number, EvaluationError>();
    this.#listenerErrors.set(filter, errors);
    for (const audience of this.#masks.get(filter)?.get(mask) ?? []) errors.set(audience, error);
  }

  /** Without an answer no column is known to be readable, and no text is given. */
  #texts(rowOf: readonly number[]): (string | null)[] {
    return rowOf.map((row) => {
      const text = this.#cut[row];
      return text === null ? (this.#layout.rows[row] ?? null) : (text ?? null);
    });
  }

  #errorsByAudience(): ReadonlyMap<number, EvaluationError> {
    const errors = new Map<number, EvaluationError>();
    if (this.#groupErrors.size === 0) return errors;
    for (const [index, group] of this.#groupOf.entries()) {
      const error = this.#groupErrors.get(group);
      if (error) errors.set(index, error);
    }
    return errors;
  }
}

/** Picks bits once for each text. */
function picker(rowOf: readonly number[], none: Bits): (bits: Bits | undefined) => Bits {
  const known = new Map<Bits, Bits>();
  return (bits) => {
    if (bits === undefined) return none;
    const picked = known.get(bits) ?? pickBits(bits, rowOf);
    known.set(bits, picked);
    return picked;
  };
}
