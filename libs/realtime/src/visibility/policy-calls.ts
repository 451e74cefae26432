// Asks the database about rows and callers in several calls. A call that takes too long, or whose answer is too large, is
// made again with each half of its callers.
import { type Answer, readAnswer } from './answer.js';
import { arrayText, CHANGED } from './block.js';
import { subjectOf } from './layout.js';
import type { Method, Program } from './program.js';
import type { Audience, EvaluationError } from './types.js';

/** The rows as a JSON list, and subjects and claims of callers as arrays of PostgreSQL. */
export type BlockInput = readonly [rows: string, subjects: string, claims: string];

/** What a block has answered, or why it has not. */
export type BlockResult =
  | { readonly kind: 'output'; readonly text: string }
  | { readonly kind: 'timeout' }
  /** The output has more bytes than a result may have. */
  | { readonly kind: 'too-large' }
  | { readonly kind: 'error'; readonly error: EvaluationError };

/** Runs a block. Throws the errors that are not about what it evaluates. */
export type RunBlock = (text: string, input: BlockInput) => Promise<BlockResult>;

export type Part =
  | { readonly kind: 'changed' }
  | { readonly kind: 'answer'; readonly answer: Answer; readonly first: number }
  | {
      readonly kind: 'error';
      readonly error: EvaluationError;
      readonly first: number;
      readonly count: number;
    };

/** PostgreSQL: program_limit_exceeded. */
export const tooLarge: EvaluationError = { code: '54000', message: 'The answer is too large' };
const timedOut: EvaluationError = { code: '57014', message: 'The policies took too long' };

export class PolicyCalls {
  #timeoutsLeft: number;

  constructor(
    private readonly run: RunBlock,
    private readonly program: Program,
    maxTimeouts: number,
  ) {
    this.#timeoutsLeft = maxTimeouts;
  }

  /** `first` is the index of the first of these callers among all. */
  async ask(
    rows: readonly string[],
    audiences: readonly Audience[],
    first: number,
  ): Promise<readonly Part[]> {
    const count = audiences.length;
    if (this.#timeoutsLeft <= 0) return [{ kind: 'error', error: timedOut, first, count }];
    const { text, method } = this.program;
    const result = await this.run(text, inputOf(rows, audiences, method));
    switch (result.kind) {
      case 'output': {
        if (result.text === CHANGED) return [{ kind: 'changed' }];
        return [{ kind: 'answer', answer: readAnswer(result.text, method, count), first }];
      }
      case 'timeout':
      case 'too-large': {
        const isLate = result.kind === 'timeout';
        if (isLate) this.#timeoutsLeft--;
        const error = isLate ? timedOut : tooLarge;
        if (count <= 1) return [{ kind: 'error', error, first, count }];
        const half = Math.ceil(count / 2);
        const start = await this.ask(rows, audiences.slice(0, half), first);
        return [...start, ...(await this.ask(rows, audiences.slice(half), first + half))];
      }
      case 'error':
        return [{ kind: 'error', error: result.error, first, count }];
    }
  }
}

/** The input without callers. */
export function inputOfRows(rows: readonly string[]): BlockInput {
  // JSON is put together as text: numbers in rows keep their digits.
  return [`[${rows.join(',')}]`, '{}', '{}'];
}

function inputOf(
  rows: readonly string[],
  audiences: readonly Audience[],
  method: Method,
): BlockInput {
  const [list] = inputOfRows(rows);
  switch (method) {
    case 'once':
      return [list, '{}', '{}'];
    case 'joined':
      return [list, arrayText(audiences.map(subjectOf)), '{}'];
    case 'loop':
      return [
        list,
        arrayText(audiences.map(({ subject }) => subject)),
        arrayText(audiences.map(({ claims }) => claims)),
      ];
  }
}
