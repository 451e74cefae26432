// Where the statements of an SQL script begin, by PostgreSQL's lexical rules (manual, "Lexical Structure"),
// with standard_conforming_strings on: strings, E'' strings, dollar quotes, quoted names, nested comments,
// parentheses, and function bodies in `begin atomic … end`.

/** As many as it takes to know `create or replace function`. */
const OPENING_WORDS = 4;

/** The first bare words of each statement, in lower case; four at most. */
export function openingWords(script: string): string[][] {
  const statements: string[][] = [];
  let words: string[] = [];
  let depth = 0;
  let bodyDepth = 0;
  let isEmpty = true;
  for (const token of tokens(script)) {
    if (token.kind === 'semicolon' && depth === 0 && bodyDepth === 0) {
      if (!isEmpty) statements.push(words);
      words = [];
      isEmpty = true;
      continue;
    }
    isEmpty = false;
    if (token.kind === 'open') depth++;
    else if (token.kind === 'close') depth = Math.max(0, depth - 1);
    else if (token.kind === 'word') {
      bodyDepth = nextBodyDepth(bodyDepth, words, token.text);
      if (words.length < OPENING_WORDS) words.push(token.text);
    }
  }
  if (!isEmpty) statements.push(words);
  return statements;
}

interface Token {
  readonly kind: 'word' | 'semicolon' | 'open' | 'close' | 'other';
  readonly text: string;
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

const ESCAPE_BODY = String.raw`'(?:[^'\\]+|\\[^]|'')*(?:'|$)`;
/** Between two parts of one string constant: white space with a line break in it. */
const STRING_GAP = String.raw`(?:[ \t\f\v]|--[^\n\r]*)*[\n\r](?:\s|--[^\n\r]*[\n\r])*`;
const STRINGS = [
  `[eE]${ESCAPE_BODY}(?:${STRING_GAP}${ESCAPE_BODY})*`,
  String.raw`'(?:[^']+|'')*(?:'|$)`,
  String.raw`"(?:[^"]+|"")*(?:"|$)`,
];

// One alternative per lexical element, tried in this order at each place. An unclosed string or comment
// runs to the end: the server refuses such a script.
const ELEMENT = new RegExp(
  [
    String.raw`(?<space>\s+|--[^\n\r]*)`,
    String.raw`(?<comment>/\*)`,
    `(?<string>${STRINGS.join('|')})`,
    String.raw`(?<dollar>\$(?:[A-Za-z_\x80-\uffff][\w\x80-\uffff]*)?\$)`,
    String.raw`(?<word>[A-Za-z_\x80-\uffff][\w$\x80-\uffff]*)`,
    String.raw`(?<number>\d[\w.]*)`,
    String.raw`(?<mark>[^])`,
  ].join('|'),
  'y',
);

function* tokens(script: string): Generator<Token> {
  let at = 0;
  while (at < script.length) {
    ELEMENT.lastIndex = at;
    const found = ELEMENT.exec(script);
    const groups = found?.groups;
    if (!found || !groups) return;
    const [text] = found;
    at = ELEMENT.lastIndex;
    if (groups['space'] !== undefined) continue;
    if (groups['comment'] !== undefined) {
      at = commentEnd(script, at);
      continue;
    }
    if (groups['dollar'] !== undefined) {
      const close = script.indexOf(text, at);
      at = close < 0 ? script.length : close + text.length;
    }
    yield { kind: kindOf(text, groups['word'] !== undefined), text: text.toLowerCase() };
  }
}

function kindOf(text: string, isWord: boolean): Token['kind'] {
  if (isWord) return 'word';
  if (text === ';') return 'semicolon';
  if (text === '(') return 'open';
  return text === ')' ? 'close' : 'other';
}

/** The place behind a block comment whose opening ends at `from`; comments nest. */
function commentEnd(script: string, from: number): number {
  const edge = /\/\*|\*\//g;
  edge.lastIndex = from;
  let depth = 1;
  while (depth > 0) {
    const found = edge.exec(script);
    if (!found) return script.length;
    depth += found[0] === '/*' ? 1 : -1;
  }
  return edge.lastIndex;
}
