/**
 * Calls back once when the store has moved no byte for the limit (up to twice the limit passes) although it was
 * its turn. A slow reader or sender on the other side is not a stall. Ends by the function it answers with.
 * `progress` changes with every byte that the store moves; `waitsForStore` says whether the store is waited for.
 */
export function watchStall(
  limitMs: number,
  progress: () => number,
  waitsForStore: () => boolean,
  onStall: (error: Error) => void,
): () => void {
  let before = progress();
  let wasWaiting = waitsForStore();
  const timer = setInterval(() => {
    const now = progress();
    const isWaiting = waitsForStore();
    if (now === before && wasWaiting && isWaiting) {
      clearInterval(timer);
      onStall(
        Object.assign(new Error(`The store moved no byte for ${limitMs} ms`), {
          code: 'ETIMEDOUT',
        }),
      );
    }
    before = now;
    wasWaiting = isWaiting;
  }, limitMs).unref();
  return () => clearInterval(timer);
}
