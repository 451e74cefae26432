const MAX_NAME_LENGTH = 63;
const MAX_EDITS = 3;

/**
 * The name that a misspelt name most likely means: at most three edits away and fewer than half its length; undefined
 * if no name is that near. Names longer than PostgreSQL allows are not compared.
 */
export function nearestName(wanted: string, names: Iterable<string>): string | undefined {
  if (wanted.length > MAX_NAME_LENGTH) return undefined;
  const lowered = wanted.toLowerCase();
  let nearest: string | undefined;
  let fewest = Math.min(MAX_EDITS, Math.ceil(wanted.length / 2) - 1) + 1;
  for (const name of names) {
    if (Math.abs(name.length - wanted.length) >= fewest) continue;
    const edits = countEdits(lowered, name.toLowerCase());
    if (edits < fewest) {
      nearest = name;
      fewest = edits;
    }
  }
  return nearest;
}

// Levenshtein's distance with one row of memory: `row[j]` is the distance of the first i characters
// of `from` to the first j of `to`.
function countEdits(from: string, to: string): number {
  const row = Array.from({ length: to.length + 1 }, (_unused, j) => j);
  for (let i = 1; i <= from.length; i++) {
    let diagonal = row[0] ?? 0;
    row[0] = i;
    for (let j = 1; j <= to.length; j++) {
      const above = row[j] ?? 0;
      const left = row[j - 1] ?? 0;
      const replaced = diagonal + (from[i - 1] === to[j - 1] ? 0 : 1);
      row[j] = Math.min(above + 1, left + 1, replaced);
      diagonal = above;
    }
  }
  return row[to.length] ?? 0;
}
