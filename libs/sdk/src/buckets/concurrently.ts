/** Runs `work` for every item, some at the same time, and returns the results in the order of the items. */
export async function concurrently<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = items.entries();
  const takeTurns = async () => {
    // The next item begins when an earlier one has ended.
    for (const [index, item] of waiting) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.max(1, limit) }, takeTurns));
  return results;
}
