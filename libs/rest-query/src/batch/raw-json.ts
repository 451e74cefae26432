// The members of a small JSON object as they were written. A number would lose digits in JavaScript, so values travel
// as text from the body to PostgreSQL. Every text here was already accepted by JSON.parse.

/** The members of an object by name; if a name is repeated, the last counts, as in JSON.parse and PostgreSQL. */
export function rawMembers(object: string): ReadonlyMap<string, string> {
  const members = new Map<string, string>();
  let at = skipBlanks(object, skipBlanks(object, 0) + 1);
  while (at < object.length && object[at] !== '}') {
    const nameEnd = stringEnd(object, at);
    const name = String(JSON.parse(object.slice(at, nameEnd)));
    const colon = skipBlanks(object, nameEnd);
    const start = skipBlanks(object, colon + 1);
    const end = valueEnd(object, start);
    members.set(name, object.slice(start, end));
    at = skipBlanks(object, end);
    if (object[at] === ',') at = skipBlanks(object, at + 1);
  }
  return members;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\n\r'.includes(text.charAt(at))) at++;
  return at;
}

function valueEnd(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return stringEnd(text, start);
  if (first === '{' || first === '[') return containerEnd(text, start);
  const delimiter = /[,\]}\s]/g;
  delimiter.lastIndex = start;
  return delimiter.exec(text)?.index ?? text.length;
}

function containerEnd(text: string, start: number): number {
  const mark = /["[\]{}]/g;
  let depth = 0;
  mark.lastIndex = start;
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    if (found[0] === '"') mark.lastIndex = stringEnd(text, found.index);
    else depth += found[0] === '{' || found[0] === '[' ? 1 : -1;
    if (depth === 0) return mark.lastIndex;
  }
  return text.length;
}

/** After the closing quote: the first quote preceded by an even number of backslashes. */
function stringEnd(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (quote !== -1 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote === -1 ? text.length : quote + 1;
}

function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text[before - 1] === '\\') before--;
  return (at - before) % 2 === 1;
}
