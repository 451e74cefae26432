// The parts of SQL expressions as PostgreSQL writes them out: parentheses around every operation.

/** The text without parentheses around all of it. */
export function unwrapped(text: string): string {
  let inner = text.trim();
  while (inner.startsWith('(') && closingOf(inner) === inner.length - 1) {
    inner = inner.slice(1, -1).trim();
  }
  return inner;
}

/** The parts between a word, such as ` AND `, that is in no parentheses and no literal. */
export function partsBetween(text: string, word: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  for (const at of placesOutside(text)) {
    if (at < start || text.slice(at, at + word.length).toUpperCase() !== word) continue;
    parts.push(text.slice(start, at));
    start = at + word.length;
  }
  return [...parts, text.slice(start)];
}

function closingOf(text: string): number {
  // The first parenthesis is the only place outside until it closes.
  return placesOutside(text)[1] ?? -1;
}

/** The indexes that are outside of parentheses, literals and quoted names; a parenthesis itself is outside. */
function placesOutside(text: string): readonly number[] {
  const places: number[] = [];
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === ')') depth--;
    if (depth === 0) places.push(at);
    if (char === '(') depth++;
    else if (char === "'" || char === '"') {
      const end = text.indexOf(char, at + 1);
      at = end === -1 ? text.length : end;
    }
  }
  return places;
}
