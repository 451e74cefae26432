import { readQuoted, shorten, syntaxError } from './names.js';

/**
 * The values of `(a,"b,c",d)`, the operand of `in`. `()` has no value, also with blanks inside, and `("")` is the empty
 * text. Double quotes are syntax only if they enclose a whole value: `(")` is one quote character. Throws PGRST100 if
 * the parentheses are missing.
 */
export function parseValueList(operand: string): readonly string[] {
  const text = operand.trim();
  if (!text.startsWith('(') || !text.endsWith(')') || text.length < 2) {
    throw syntaxError(`in needs a list in parentheses, not ${shorten(operand)}`);
  }
  const inner = text.slice(1, -1).replace(/^[ \t]+/, '');
  if (inner === '') return [];
  const values: string[] = [];
  // After an unclosed quote none is closed.
  let mayBeQuoted = true;
  for (let at = 0; at <= inner.length;) {
    const isQuote = inner.charAt(at) === '"';
    const quoted = isQuote && mayBeQuoted ? readQuoted(inner, at, ',') : undefined;
    if (isQuote && !quoted) mayBeQuoted = false;
    const comma = inner.indexOf(',', at);
    const end = quoted?.end ?? (comma === -1 ? inner.length : comma);
    values.push(quoted?.text ?? inner.slice(at, end));
    at = end + 1;
  }
  return values;
}

/** An array literal of PostgreSQL (manual 8.15.2) with every element quoted, so that none is NULL. */
export function arrayLiteral(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/[\\"]/g, String.raw`\$&`)}"`).join(',')}}`;
}
