// The statements of a text and their words, for warnings and for finding the one at the cursor. PostgreSQL decides what
// the text really is; this is enough to ask before something is lost.

export interface Word {
  /** In lower case; a parenthesis is a word of its own. */
  readonly text: string;
  /** How many parentheses are open around it. */
  readonly depth: number;
}

export interface Statement {
  /** Where its first word begins in the text. */
  readonly start: number;
  /** Behind its last character, without the semicolon. */
  readonly end: number;
  readonly words: readonly Word[];
}

const element = new RegExp(
  [
    String.raw`(?<space>\s+|--[^\n]*)`,
    String.raw`(?<comment>/\*)`,
    String.raw`(?<literal>e'(?:\\[\s\S]|''|[^'\\])*'?|'(?:''|[^'])*'?|"(?:""|[^"])*"?)`,
    String.raw`(?<dollar>\$(?:[a-z_]\w*)?\$)`,
    String.raw`(?<word>[a-z_\u0080-\uffff][\w$\u0080-\uffff]*)`,
    String.raw`(?<other>[\s\S])`,
  ].join('|'),
  'iy',
);

/** The statements of a text, in their order; empty ones are left out. */
export function statementsOf(text: string): readonly Statement[] {
  const statements: Statement[] = [];
  let words: Word[] = [];
  let start = -1;
  let end = 0;
  let depth = 0;
  const close = (): void => {
    if (start >= 0) statements.push({ start, end, words });
    [words, start, depth] = [[], -1, 0];
  };
  for (let at = 0; at < text.length;) {
    element.lastIndex = at;
    const groups = element.exec(text)?.groups ?? {};
    const from = at;
    at = endOf(text, at, groups);
    if (groups['space'] !== undefined || groups['comment'] !== undefined) continue;
    if (groups['other'] === ';' && depth === 0) {
      close();
      continue;
    }
    if (start < 0) start = from;
    end = at;
    const shown = groups['word'] ?? groups['other'];
    if (shown === ')') depth = Math.max(0, depth - 1);
    if (shown !== undefined) words.push({ text: shown.toLowerCase(), depth });
    if (shown === '(') depth += 1;
  }
  close();
  return statements;
}

function endOf(text: string, at: number, groups: Readonly<Record<string, string>>): number {
  if (groups['comment'] !== undefined) return commentEnd(text, at);
  const tag = groups['dollar'];
  if (tag !== undefined) {
    const closing = text.indexOf(tag, at + tag.length);
    return closing < 0 ? text.length : closing + tag.length;
  }
  return element.lastIndex;
}

/** Comments of PostgreSQL nest. */
function commentEnd(text: string, start: number): number {
  const mark = /\/\*|\*\//g;
  mark.lastIndex = start;
  let depth = 0;
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    depth += found[0] === '/*' ? 1 : -1;
    if (depth === 0) return mark.lastIndex;
  }
  return text.length;
}
