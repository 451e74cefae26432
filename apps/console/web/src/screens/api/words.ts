// Names and values as TypeScript, as addresses and as words of a shell. Names may be any text.

/** A string literal, in single quotes where nothing in the text needs an escape. */
export function textLiteral(text: string): string {
  if (/^[\x20-\x26\x28-\x5B\x5D-\x7E…]*$/.test(text)) return `'${text}'`;
  const escaped = JSON.stringify(text);
  // JSON does not escape these two, and editors treat them as line ends.
  return escaped.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

/** A name before the colon of an object. `__proto__` would be the prototype. */
function keyOf(name: string): string {
  if (name === '__proto__') return `['__proto__']`;
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : textLiteral(name);
}

/** A value of JSON as TypeScript, on one line. */
export function valueLiteral(value: unknown): string {
  if (typeof value === 'string') return textLiteral(value);
  if (Array.isArray(value)) return `[${value.map(valueLiteral).join(', ')}]`;
  return JSON.stringify(value);
}

/** An object: each value is TypeScript. Short ones are on one line. */
export function objectLiteral(
  entries: readonly (readonly [name: string, value: string])[],
  indent: string,
): string {
  if (entries.length === 0) return '{}';
  const members = entries.map(([name, value]) => `${keyOf(name)}: ${value}`);
  const line = `{ ${members.join(', ')} }`;
  if (line.length <= 60) return line;
  return `{\n${members.map((member) => `${indent}  ${member},\n`).join('')}${indent}}`;
}

/** Parameters of the routes of tables: a column of such a name is quoted. */
const parameters: ReadonlySet<string> = new Set([
  'select',
  'order',
  'limit',
  'offset',
  'or',
  'and',
  'not.or',
  'not.and',
  'columns',
  'on_conflict',
]);

/** Whether a column is a filter by its name alone (docs/rest/filters.md). */
export function isPlainColumn(name: string): boolean {
  return /^[\p{L}\p{N}_$](?:[\p{L}\p{N}_$ ]*[\p{L}\p{N}_$])?$/u.test(name) && !parameters.has(name);
}

/** A column in the grammar of filters. */
export function filterName(name: string): string {
  return isPlainColumn(name) ? name : `"${name.replaceAll(/[\\"]/g, '\\$&')}"`;
}

/** A value as the text behind `eq.`. */
export function filterText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A part of a path, or a name or value of a query. */
export function encoded(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\uFFFD'));
}

/** One word for the shell, whatever the text contains. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
