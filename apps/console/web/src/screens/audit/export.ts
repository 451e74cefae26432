// Reads the entries of a file, page by page.
import { type Entry, type Log, maxPerPage, readPage } from './queries.js';
import type { AuditSearch } from './search.js';

/** The most entries of a file. */
export const maxExported = 10_000;

export interface Exported {
  readonly entries: readonly Entry[];
  /** Older entries match too. */
  readonly isCut: boolean;
}

/** The newest entries that match, up to {@link maxExported}; `onProgress` gets how many there are so far. */
export async function readForExport(
  log: Log,
  search: AuditSearch,
  onProgress: (count: number) => void,
): Promise<Exported> {
  const entries: Entry[] = [];
  for (let before: string | null = ''; before !== null;) {
    // Each page begins where the one before has ended.
    const page = await readPage(log, search, { before, limit: maxPerPage });
    entries.push(...page.entries);
    before = page.next;
    onProgress(entries.length);
    if (entries.length >= maxExported)
      return { entries: entries.slice(0, maxExported), isCut: before !== null };
  }
  return { entries, isCut: false };
}
