/** A transfer that may stall. */
interface Transfer {
  readonly limitMs: number;
  /** Changes with every byte that the store moves. */
  readonly progress: () => number;
  /** Whether the transfer waits for the store, and not for the other side. */
  readonly waitsForStore: () => boolean;
  readonly onStall: (error: Error) => void;
}

/**
 * Calls `onStall` once if the transfer waited for the store for the limit without a byte (noticed after up to twice the
 * limit). A slow reader or sender on the other side is not a stall. The returned function ends the watch.
 */
export function watchStall({ limitMs, progress, waitsForStore, onStall }: Transfer): () => void {
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
