/** What the address of the screen says. The page takes words that it knows; all others are as if they were absent. */
export interface RealtimeSearch {
  /** The open tab. */
  readonly tab?: string | undefined;
  /** Part of the name of a table, or of an event of the log. */
  readonly q?: string | undefined;
  /** The events of the log that are shown; absent: all. */
  readonly kind?: string | undefined;
  /** The page of topics. */
  readonly page?: number | undefined;
}

/** Texts and numbers of the address, so far. This is part of the first load. */
export function readSearch({ tab, q, kind, page }: Record<string, unknown>): RealtimeSearch {
  return { tab: text(tab), q: text(q), kind: text(kind), page: Number(page) || undefined };
}

/** The router reads numbers out of addresses: `?q=42`. */
function text(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value || undefined : undefined;
}
