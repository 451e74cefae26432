// Work that may take long is done in steps, so that whoever runs it can let other requests go in between.

/** Work that yields after each step and returns its result at the end. */
export type Steps<Result> = Generator<undefined, Result, void>;

/** Characters that one step goes through: a few milliseconds at most, whatever they are. */
export const STEP_CHARS = 16 * 1024;

/** Does all steps at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Does one step after the other and waits for `turn` in between; without a second step it waits for nothing. */
export async function inTurns<Result>(
  steps: Steps<Result>,
  turn: () => Promise<void>,
): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await turn();
  }
}
