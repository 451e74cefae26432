import { type Statement, statementsOf, type Word } from './statements.js';

/** A statement that takes away what cannot be brought back. */
export interface Loss {
  /** What the operator types to go on. */
  readonly word: 'drop' | 'truncate' | 'delete' | 'update';
  /** What it does, in words. */
  readonly why: string;
  /** Its text. */
  readonly sql: string;
}

/** The statements of a text that drop, empty or overwrite without a condition. */
export function lossesIn(text: string): readonly Loss[] {
  return statementsOf(text).flatMap((statement) => {
    const found = lossOf(statement);
    return found ? [{ ...found, sql: text.slice(statement.start, statement.end) }] : [];
  });
}

function lossOf({ words }: Statement): Omit<Loss, 'sql'> | undefined {
  const from = isMeasured(words) ? explainedFrom(words) : 0;
  const first = words[from]?.text;
  if (first === 'drop') return { word: 'drop', why: 'drops, with everything in it' };
  if (first === 'truncate') return { word: 'truncate', why: 'deletes every row' };
  if (first === 'alter' && words.some(({ text }) => text === 'drop')) {
    return { word: 'drop', why: 'drops a part of what it alters' };
  }
  for (const [index, { text }] of words.entries()) {
    if (index < from || !beginsStatement(words, index, from)) continue;
    if ((text === 'delete' || text === 'update') && !hasWhere(words, index)) {
      const why = text === 'delete' ? 'deletes every row' : 'changes every row';
      return { word: text, why: `${why}, because it has no where` };
    }
  }
  return undefined;
}

/** `explain analyze`, which can be spelled `analyse`, runs its statement; `explain` alone does not. */
const isMeasured = (words: readonly Word[]): boolean =>
  words[0]?.text === 'explain' &&
  words.some(({ text }) => text === 'analyze' || text === 'analyse');

const statementWords = new Set(['delete', 'update', 'insert', 'merge', 'select', 'with']);

function explainedFrom(words: readonly Word[]): number {
  const index = words.findIndex(({ text, depth }) => depth === 0 && statementWords.has(text));
  return Math.max(0, index);
}

/** Whether a statement, or one within `with`, begins at the word: `for update` and `do update` are parts of others. */
function beginsStatement(words: readonly Word[], index: number, from: number): boolean {
  if (index === from) return true;
  const before = words[index - 1]?.text;
  if (before === '(') return true;
  return before === ')' && words[from]?.text === 'with';
}

function hasWhere(words: readonly Word[], index: number): boolean {
  const depth = words[index]?.depth ?? 0;
  for (const word of words.slice(index + 1)) {
    if (word.depth < depth || (word.text === ')' && word.depth === depth - 1)) return false;
    if (word.depth === depth && word.text === 'where') return true;
  }
  return false;
}
