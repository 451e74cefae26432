// Rows of a question in parts for one call each, so that no call comes near its limits of time and size.

/** Rows of one part, and their characters. A row alone may have more. */
const maxRows = 500;
const maxCharacters = 1024 * 1024;

export function partsOfRows(rows: readonly string[]): readonly (readonly string[])[] {
  const parts: string[][] = [];
  let characters = 0;
  for (const row of rows) {
    const part = parts.at(-1);
    characters += row.length;
    if (part && part.length < maxRows && characters <= maxCharacters) part.push(row);
    else {
      parts.push([row]);
      characters = row.length;
    }
  }
  return parts;
}
