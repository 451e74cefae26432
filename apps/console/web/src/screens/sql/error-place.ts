import { asProblem } from '../../api/problem.js';

/** A part of the text, by offsets. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * The part of a text that an error is about: the word at the line and column of its details, which count from 1, and
 * columns by characters. `from` is the offset of the sent text in the whole one, negative after a prefix of ours.
 * Undefined for an error without a place.
 */
export function errorRange(error: unknown, sent: string, from: number): Range | undefined {
  const { details } = asProblem(error);
  if (typeof details !== 'object' || details === null) return undefined;
  const { line, column } = { line: undefined, column: undefined, ...details };
  if (typeof line !== 'number' || typeof column !== 'number') return undefined;
  const offset = offsetOf(sent, line, column);
  const word = /^[\w$]+/.exec(sent.slice(offset))?.[0] ?? sent.charAt(offset);
  const start = Math.max(0, from + offset);
  return { from: start, to: start + word.length };
}

function offsetOf(text: string, line: number, column: number): number {
  let start = 0;
  for (let count = 1; count < line; count++) {
    const end = text.indexOf('\n', start);
    if (end < 0) break;
    start = end + 1;
  }
  const before = Array.from(text.slice(start, start + 2 * column))
    .slice(0, column - 1)
    .join('');
  return Math.min(text.length, start + before.length);
}
