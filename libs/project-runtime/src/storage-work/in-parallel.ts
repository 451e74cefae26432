/**
 * Runs `work` for each item, `atOnce` of them at a time. Rejects with the first failure, after the others have ended.
 */
export async function inParallel<Item>(
  items: Iterable<Item>,
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items[Symbol.iterator]();
  let hasFailed = false;
  const takeNext = async (): Promise<void> => {
    for (let next = rest.next(); !next.done && !hasFailed; next = rest.next()) {
      try {
        // One after the other here; several of these loops run at once.
        await work(next.value);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const results = await Promise.allSettled(Array.from({ length: atOnce }, takeNext));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
