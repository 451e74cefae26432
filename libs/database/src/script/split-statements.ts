import { type AppError, fail } from '#libs/errors';
import { type SqlToken, sqlTokens } from '#libs/sql-text';
import { stepChars, type Steps } from '#libs/steps';

/** Enough to recognise `create or replace function`. */
const openingWordCount = 4;

/** The maximum number: each statement costs more than its text. */
const maxStatements = 10_000;

export interface ScriptStatement {
  /** The first bare words, in lower case; at most four, of each the first 32 characters. */
  readonly words: readonly string[];
  /** Where the first token begins in the script. */
  readonly start: number;
  /** After the last token, without the semicolon. */
  readonly end: number;
}

/**
 * Returns the statements of a script. Bodies in `begin atomic … end` and parentheses may contain semicolons. Throws
 * INVALID_INPUT for more than 10,000 statements.
 */
export function* splitStatements(script: string): Steps<readonly ScriptStatement[]> {
  const statements: ScriptStatement[] = [];
  let statement: OpenStatement | undefined;
  let done = 0;
  for (const token of sqlTokens(script)) {
    if (token.kind === 'semicolon' && (!statement || statement.isComplete)) {
      if (statement) statements.push(statement.close());
      statement = undefined;
    } else {
      if (statements.length === maxStatements) throw tooMany();
      statement ??= new OpenStatement(token.start);
      statement.add(token);
    }
    if (token.end - done < stepChars) continue;
    done = token.end;
    yield;
  }
  if (statement) statements.push(statement.close());
  return statements;
}

function tooMany(): AppError {
  const reason = `more than ${maxStatements} statements are not allowed`;
  return fail('INVALID_INPUT', { field: 'query', reason });
}

class OpenStatement {
  readonly #words: string[] = [];
  readonly #start: number;
  #end: number;
  #depth = 0;
  #previous = '';
  /** Between `begin atomic` and its `end`. */
  #isInBody = false;

  constructor(start: number) {
    this.#start = start;
    this.#end = start;
  }

  /** Whether a semicolon ends it here. */
  get isComplete(): boolean {
    return this.#depth === 0 && !this.#isInBody;
  }

  add({ kind, text, end }: SqlToken): void {
    this.#end = end;
    if (kind === 'open') this.#depth++;
    else if (kind === 'close') this.#depth = Math.max(0, this.#depth - 1);
    else if (kind === 'word') this.#addWord(text);
    this.#previous = kind === 'word' || kind === 'semicolon' ? text : '';
  }

  close(): ScriptStatement {
    return { words: this.#words, start: this.#start, end: this.#end };
  }

  /**
   * The statements of a body each end with a semicolon, so its `end` follows one, unlike the `end` of a `case`. A
   * function, a column or an alias may be called `begin`, `case` or `end`.
   */
  #addWord(word: string): void {
    if (this.#isInBody) {
      const mayEnd = this.#previous === ';' || this.#previous === 'atomic';
      if (word === 'end' && mayEnd && this.#depth === 0) this.#isInBody = false;
    } else if (word === 'atomic' && this.#previous === 'begin' && this.#depth === 0) {
      this.#isInBody = isRoutine(this.#words);
    }
    if (this.#words.length < openingWordCount) this.#words.push(word);
  }
}

/** Whether a statement creates a function or procedure: no other has a body with semicolons. */
function isRoutine([first, second, third, fourth]: readonly string[]): boolean {
  if (first !== 'create') return false;
  const kind = second === 'or' && third === 'replace' ? fourth : second;
  return kind === 'function' || kind === 'procedure';
}
