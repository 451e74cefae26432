// Work that may take long is done in steps, so that its runner can let other requests run in between.

/** Work that yields after each step and returns its result at the end. */
export type Steps<Result> = Generator<undefined, Result, void>;

/** Characters per step: a few milliseconds at most, whatever they are. */
export const stepChars = 16 * 1024;

/** Runs all steps at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/**
 * Runs one step after the other and calls `pause` in between: it returns a promise if other work runs first, or
 * undefined if the next step may follow at once.
 */
export async function inTurns<Result>(
  steps: Steps<Result>,
  pause: () => Promise<void> | undefined,
): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    const paused = pause();
    if (paused) await paused;
  }
}
