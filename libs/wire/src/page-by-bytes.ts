/** The most bytes of the entries of one page; a single entry may have more. */
const maxPageBytes = 8 * 1024 * 1024;

/**
 * Returns the entries of a page: the first ones of `found`, at most `limit` and not more than 8 MB, but one at least.
 * `found` has one entry more than `limit` if there is one. `hasMore`: others follow.
 */
export function pageByBytes<Entry extends { readonly bytes: number }>(
  found: readonly Entry[],
  limit: number,
): { readonly entries: readonly Entry[]; readonly hasMore: boolean } {
  let bytes = 0;
  const end = found.findIndex((entry, place) => {
    bytes += entry.bytes;
    return place >= limit || (place > 0 && bytes > maxPageBytes);
  });
  return end === -1
    ? { entries: found, hasMore: false }
    : { entries: found.slice(0, end), hasMore: true };
}
