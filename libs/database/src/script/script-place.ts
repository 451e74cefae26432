import type { ScriptStatement } from './split-statements.js';

/** The place of an error in a script. All numbers count from 1. */
export interface ScriptPlace {
  /** The number of the statement. */
  readonly statement: number;
  readonly line: number;
  /** In characters, not in UTF-16 units. */
  readonly column: number;
}

/** The known facts of a failure: a position, or how many statements had ended before it. */
export type FailurePoint =
  | { readonly kind: 'position'; readonly position: number; readonly sentFrom: number }
  | { readonly kind: 'statement'; readonly index: number };

/**
 * Returns the place of a failure in a script. A `position` counts characters from 1, as PostgreSQL does, in the text
 * that begins at the offset `sentFrom` of the script. Without a position it is the place where the statement begins; an
 * index after the last statement means the last one, because a failure at the end of the transaction belongs to no
 * other. Undefined for a script without statements.
 */
export function placeOf(
  script: string,
  statements: readonly ScriptStatement[],
  point: FailurePoint,
): ScriptPlace | undefined {
  if (statements.length === 0) return undefined;
  if (point.kind === 'statement') {
    const index = Math.min(point.index, statements.length - 1);
    return placeAt(script, index, statements[index]?.start ?? 0);
  }
  const offset = offsetOf(script, point.sentFrom, point.position);
  const index = statements.findLastIndex(({ start }) => start <= offset);
  return placeAt(script, Math.max(0, index), offset);
}

function placeAt(script: string, index: number, offset: number): ScriptPlace {
  let line = 1;
  let lineStart = 0;
  for (
    let at = script.indexOf('\n');
    at >= 0 && at < offset;
    at = script.indexOf('\n', lineStart)
  ) {
    line++;
    lineStart = at + 1;
  }
  return { statement: index + 1, line, column: charactersIn(script, lineStart, offset) + 1 };
}

function charactersIn(script: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) if (!isLowSurrogate(script.charCodeAt(at))) count++;
  return count;
}

/** The UTF-16 offset of the character at `position`. */
function offsetOf(script: string, from: number, position: number): number {
  let offset = from;
  for (let passed = 1; passed < position && offset < script.length; passed++) {
    offset += isLowSurrogate(script.charCodeAt(offset + 1)) ? 2 : 1;
  }
  return offset;
}

/** The second half of a character of two units: scripts are well-formed. */
function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
