import { sqlTokens } from './sql-tokens.js';

/** As many as it takes to know `create or replace function`. */
const openingWordCount = 4;

export interface ScriptStatement {
  /** The first bare words, in lower case; four at most. */
  readonly words: readonly string[];
  /** From the first token to the last one, without the semicolon. */
  readonly text: string;
  /** Where the text begins in the script. */
  readonly start: number;
}

/** Returns the statements of a script. Bodies in `begin atomic … end` and parentheses may hold semicolons. */
export function splitStatements(script: string): readonly ScriptStatement[] {
  const statements: ScriptStatement[] = [];
  let words: string[] = [];
  let depth = 0;
  let bodyDepth = 0;
  let start: number | undefined;
  let end = 0;
  const finish = (): void => {
    if (start !== undefined) statements.push({ words, text: script.slice(start, end), start });
    words = [];
    start = undefined;
  };
  for (const token of sqlTokens(script)) {
    if (token.kind === 'semicolon' && depth === 0 && bodyDepth === 0) {
      finish();
      continue;
    }
    start ??= token.start;
    ({ end } = token);
    if (token.kind === 'open') depth++;
    else if (token.kind === 'close') depth = Math.max(0, depth - 1);
    else if (token.kind === 'word') {
      bodyDepth = nextBodyDepth(bodyDepth, words, token.text);
      if (words.length < openingWordCount) words.push(token.text);
    }
  }
  finish();
  return statements;
}

/** Only `create function` and `create procedure` have bodies with semicolons; `case` ends with `end` too. */
function nextBodyDepth(depth: number, words: readonly string[], word: string): number {
  if (depth === 0) {
    const isRoutine =
      words[0] === 'create' && /^(or replace )?(function|procedure)/.test(words.slice(1).join(' '));
    return isRoutine && word === 'begin' ? 1 : 0;
  }
  if (word === 'begin' || word === 'case') return depth + 1;
  return word === 'end' ? depth - 1 : depth;
}
