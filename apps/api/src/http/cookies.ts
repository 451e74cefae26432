// The cookies of a request. A browser also sends those that another host of the same domain has set for all hosts,
// and the server cannot distinguish them from its own.

/**
 * Returns the value of the cookie `name` as it was sent. Undefined when it is missing, and when it came more than
 * once: one of them may be of a neighbor.
 */
export function cookieIn(header: string, name: string): string | undefined {
  const values = pairsIn(header).filter((pair) => pair.name === name);
  return values.length === 1 ? values[0]?.value : undefined;
}

/** Returns the header without the cookies of that prefix that came more than once. */
export function withoutDoubtful(header: string, prefix: string): string {
  const pairs = pairsIn(header);
  const counts = new Map<string, number>();
  for (const { name } of pairs) counts.set(name, (counts.get(name) ?? 0) + 1);
  return pairs
    .filter(({ name }) => !name.startsWith(prefix) || counts.get(name) === 1)
    .map(({ text }) => text)
    .join('; ');
}

interface Pair {
  readonly name: string;
  readonly value: string;
  readonly text: string;
}

function pairsIn(header: string): Pair[] {
  return header.split(';').flatMap((part) => {
    const text = part.trim();
    const end = text.indexOf('=');
    if (end < 0) return [];
    return [{ name: text.slice(0, end).trim(), value: text.slice(end + 1).trim(), text }];
  });
}
