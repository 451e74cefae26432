// The output of a block, checked as little as its own writer requires.

import { bitsOfPairs, bothBits } from './layout.js';
import type { Method } from './program.js';
import type { Bits, EvaluationError } from './types.js';

/** What one call says about its rows and callers. */
export interface Answer {
  /** By caller; undefined after an error. */
  readonly visible: readonly (Bits | undefined)[];
  /** By caller; -1 is the evaluation of all. */
  readonly errors: ReadonlyMap<number, EvaluationError>;
  /** By row its JSON with the columns that may be read; null: it has no others. */
  readonly cut: readonly (string | null)[];
  /** By row, whether it can be decided: it fits the table, and has all columns that the conditions read. */
  readonly usable: Bits;
}

interface Output {
  /** By row, whether it has all columns that the conditions read. */
  readonly known: Bits | null;
  readonly cut: readonly (string | null)[] | null;
  /** Rows that do not fit the table any more. */
  readonly broken: readonly number[];
  readonly all: readonly (Bits | null)[];
  readonly pairs: string | null;
  readonly errors: readonly string[];
}

/** Reads the output of a block. */
export function readAnswer(text: string, method: Method, callers: number): Answer {
  // Only the block writes this setting after the conditions have run.
  const output = JSON.parse(text) as Output;
  const usable = usableRows(output);
  const masked = new Map<Bits, Bits>();
  const mask = (bits: Bits): Bits => {
    const known = masked.get(bits) ?? bothBits(bits, usable);
    masked.set(bits, known);
    return known;
  };
  return {
    visible: bitsByCaller(output, method, callers).map((bits) =>
      typeof bits === 'string' ? mask(bits) : undefined,
    ),
    errors: errorsIn(output.errors),
    cut: output.cut ?? [],
    usable,
  };
}

function usableRows({ known, broken }: Output): Bits {
  if (broken.length === 0) return known ?? '';
  const isBroken = new Set(broken);
  return Array.from(known ?? '', (bit, row) => (isBroken.has(row) ? '0' : bit)).join('');
}

function bitsByCaller({ all, pairs }: Output, method: Method, callers: number) {
  const [first] = all;
  if (method !== 'joined' || typeof first !== 'string') return all;
  return bitsOfPairs(first, pairs ?? '', callers);
}

/** Errors by their index, from lines of index, SQLSTATE and message. */
export function errorsIn(lines: readonly string[]): ReadonlyMap<number, EvaluationError> {
  return new Map(
    lines.map((line) => {
      const [, index, code = '', message = ''] = /^(-?\d+) (\S+) ?([^]*)$/.exec(line) ?? [];
      return [Number(index), { code, message }];
    }),
  );
}
