// Figures of a series of measurements.

/** The value below which the given share of the numbers lies; 0 when there are none. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** How often each text occurs, the most frequent first: `200 x 12, 503 x 1`. */
export function counted(texts: readonly (string | number)[]): string {
  const counts: Record<string, number> = {};
  for (const text of texts) counts[text] = (counts[text] ?? 0) + 1;
  return Object.entries(counts)
    .toSorted(([, a], [, b]) => b - a)
    .map(([text, count]) => `${text} x ${count}`)
    .join(', ');
}

/** Milliseconds for people: `35 ms`, `1.2 s`. */
export function shownMs(ms: number): string {
  if (ms >= 1_000) return `${(ms / 1_000).toFixed(1)} s`;
  return ms >= 10 ? `${Math.round(ms)} ms` : `${ms.toFixed(1)} ms`;
}
