/** One step of a sequence that is completed as a whole or undone. */
export interface Step {
  readonly name: string;
  run(): Promise<void>;
  /**
   * Undoes the effects of `run`, if any: a statement can take effect although its answer is lost. Leaves the
   * results of other attempts alone.
   */
  undo(): Promise<void>;
}

/** Returns a step that runs `steps` at the same time, and undoes them one after the other. */
export function sideBySide(name: string, steps: readonly Step[]): Step {
  return {
    name,
    async run() {
      // All steps must have ended before any is undone.
      const results = await Promise.allSettled(steps.map((step) => step.run()));
      for (const result of results) if (result.status === 'rejected') throw result.reason;
    },
    async undo() {
      for (const step of steps.toReversed()) await step.undo();
    },
  };
}

/** A step failed and not all steps could be undone; `cause` is the failure of the step. */
export class UndoFailedError extends Error {
  constructor(
    step: string,
    cause: unknown,
    readonly undoError: unknown,
  ) {
    super(`The step "${step}" could not be undone`, { cause });
  }
}

/**
 * Runs the steps in order. If one fails, it and the steps before it are undone in reverse order, and its error is
 * thrown. Undoing stops at the first failure, so that an early step (the row that marks the rest for removal) is
 * undone last.
 */
export async function runSteps(steps: readonly Step[]): Promise<void> {
  const started: Step[] = [];
  try {
    for (const step of steps) {
      started.push(step);
      await step.run(); // Each step needs the one before it.
    }
  } catch (cause) {
    for (const step of started.toReversed()) {
      try {
        await step.undo(); // In reverse order, for the same reason.
      } catch (undoError) {
        throw new UndoFailedError(step.name, cause, undoError);
      }
    }
    throw cause;
  }
}
