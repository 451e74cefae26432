/** One step of something that happens as a whole or not at all. */
export interface Step {
  readonly name: string;
  run(): Promise<void>;
  /**
   * Takes back whatever `run` did or began to do, also when it did nothing: the answer to a statement
   * can be lost after the statement took effect. Leaves alone what other attempts made.
   */
  undo(): Promise<void>;
}

/** Returns the step that runs `steps` at the same time, and takes them back one after the other. */
export function sideBySide(name: string, steps: readonly Step[]): Step {
  return {
    name,
    async run() {
      // What is taken back must have come to its end.
      const results = await Promise.allSettled(steps.map((step) => step.run()));
      for (const result of results) if (result.status === 'rejected') throw result.reason;
    },
    async undo() {
      for (const step of steps.toReversed()) await step.undo();
    },
  };
}

/** The steps failed and could not all be taken back; `cause` is the failure of the step. */
export class UndoFailedError extends Error {
  constructor(
    step: string,
    cause: unknown,
    readonly undoError: unknown,
  ) {
    super(`The step "${step}" could not be taken back`, { cause });
  }
}

/**
 * Runs the steps in their order. When one fails, it and those before it are taken back in reverse order
 * and its error is thrown. Taking back stops at the first failure, so that an early step (the row that
 * says there is something to clean) outlives what it stands for.
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
