// One change of many users. The server has no request for many, so each user is a request of its own.

export interface BulkResult<Item> {
  readonly done: readonly Item[];
  readonly failed: readonly { readonly item: Item; readonly error: unknown }[];
}

/** How many requests are on their way at a time. */
const width = 4;

/** Does the work for each item, also when some fail, and says how far it is. */
export async function forEachOf<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
  onProgress: (ended: number) => void = () => undefined,
): Promise<BulkResult<Item>> {
  const done: Item[] = [];
  const failed: { item: Item; error: unknown }[] = [];
  const waiting = [...items];
  const runner = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      try {
        // One after the other, beside the other runners: the project is in use meanwhile.
        await work(item);
        done.push(item);
      } catch (error) {
        failed.push({ item, error });
      }
      onProgress(done.length + failed.length);
    }
  };
  await Promise.all(Array.from({ length: width }, runner));
  return { done, failed };
}

/** Takes a change back for each item, also when some fail. Throws the first failure after all have ended. */
export async function undoForEachOf<Item>(
  items: readonly Item[],
  undo: (item: Item) => Promise<unknown>,
): Promise<void> {
  const { failed } = await forEachOf(items, undo);
  const [first] = failed;
  if (first) throw first.error;
}
