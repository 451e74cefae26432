/** How long one request may work before others get the event loop. */
const maxSliceMs = 5;

/**
 * Returns the `pause` of `inTurns` for one request. It lets other work run when the request has had the event loop for
 * `maxSliceMs`. A pause after each step would cost more than most steps.
 */
export function createPause(): () => Promise<void> | undefined {
  let begun = performance.now();
  return () => {
    if (performance.now() - begun < maxSliceMs) return undefined;
    return new Promise((resolve) =>
      setImmediate(() => {
        begun = performance.now();
        resolve();
      }),
    );
  };
}
