/** A name as an identifier, for the statements that make a random schema. */
export function ident(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The kinds of tokens that statements are looked at for. */
export type SqlToken =
  | { readonly kind: 'name' | 'literal'; readonly value: string }
  | { readonly kind: 'word' | 'number' | 'parameter' | 'sign'; readonly value: string };

const TOKENS: readonly (readonly [SqlToken['kind'], RegExp])[] = [
  ['name', /"((?:[^"]|"")*)"/y],
  ['literal', /[eE]'((?:[^'\\]|''|\\.)*)'/sy],
  ['literal', /'((?:[^']|'')*)'/y],
  ['parameter', /\$(\d+)/y],
  ['number', /(\d+(?:\.\d+)?)/y],
  ['word', /([a-z_][a-z0-9_]*)/iy],
  [
    'sign',
    /(::|:=|->>|->|<=|>=|<>|!=|&&|\|\||@>|<@|@@|<<|>>|&<|&>|-\|-|~\*|#>|-(?!-)|[()[\],.*+<>=~])/y,
  ],
];

/**
 * The tokens of a statement. Throws for what no statement of ours may hold: a comment, a semicolon, a text or
 * a name that does not end, and signs that are neither operators nor punctuation.
 */
export function sqlTokens(text: string): readonly SqlToken[] {
  const tokens: SqlToken[] = [];
  let at = 0;
  while (at < text.length) {
    if (' \n'.includes(text.charAt(at))) {
      at++;
      continue;
    }
    const found = tokenAt(text, at);
    if (!found) throw new Error(`no token at ${at}: ${text.slice(at, at + 40)}`);
    tokens.push(found.token);
    at = found.end;
  }
  return tokens;
}

function tokenAt(text: string, at: number): { readonly token: SqlToken; end: number } | undefined {
  for (const [kind, pattern] of TOKENS) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (!match) continue;
    const value = kind === 'name' ? (match[1] ?? '').replaceAll('""', '"') : unescaped(kind, match);
    return { token: { kind, value }, end: pattern.lastIndex };
  }
  return undefined;
}

function unescaped(kind: SqlToken['kind'], [whole, value = '']: RegExpExecArray): string {
  if (kind !== 'literal') return value;
  const text = value.replaceAll("''", "'");
  return /^e'/i.test(whole)
    ? text.replace(
        /\\(.)/gs,
        (_, character: string) => ({ r: '\r', n: '\n' })[character] ?? character,
      )
    : text;
}
