// Only one attempt at a time creates or removes the database, the logins and the folder of a project.
import { AppError, databaseAway, isOutage } from '#libs/errors';
import { tryWithLock } from '../provisioning/advisory-lock.js';
import { withAdmin } from '../provisioning/database-server.js';
import { type Step, UndoFailedError } from '../provisioning/steps.js';
import { noteStep } from '../operations/operations.js';
import type { ProjectsContext } from './projects-context.js';

/** An attempt that holds the lock of its project. */
export interface Attempt {
  /** Its name in the operation. */
  readonly owner: string;
  /** Rejects if the lock is lost: with its connection, if the server dies. */
  readonly assertLocked: () => Promise<void>;
}

/**
 * Runs `work` as the attempt `owner` that holds the lock of a project. Undefined if another attempt holds it. Throws
 * DATABASE_UNAVAILABLE for work that failed because the server became unavailable.
 */
export async function withProjectLock<T>(
  { server }: Pick<ProjectsContext, 'server'>,
  { ref, owner }: { readonly ref: string; readonly owner: string },
  work: (attempt: Attempt) => Promise<T>,
): Promise<T | undefined> {
  return withAdmin(server, undefined, (client) =>
    tryWithLock(client, `rowhouse project ${ref}`, async () => {
      const assertLocked = async () => void (await client.query('select'));
      try {
        return await work({ owner, assertLocked });
      } catch (error) {
        throw (await isOfOutage(error, assertLocked)) ? databaseAway(error) : error;
      }
    }),
  );
}

/**
 * Whether work failed because the server became unavailable. Once the lock is lost, other errors are consequences: a
 * step that could not be taken back, or an attempt of the worker that was faster.
 */
async function isOfOutage(error: unknown, assertLocked: Attempt['assertLocked']): Promise<boolean> {
  if (error instanceof AppError) return false;
  const causes = error instanceof UndoFailedError ? [error.cause, error.undoError] : [error];
  if (causes.some(isOutage)) return true;
  return assertLocked().then(
    () => false,
    () => true,
  );
}

/** Returns the steps such that the operation records the current one, and each runs only while the lock is held. */
export function trackedSteps(
  { dataSource }: Pick<ProjectsContext, 'dataSource'>,
  { owner, assertLocked }: Attempt,
  steps: readonly Step[],
): readonly Step[] {
  return steps.map((step) => ({
    ...step,
    async run() {
      await Promise.all([assertLocked(), noteStep(dataSource.manager, owner, step.name)]);
      await step.run();
    },
  }));
}
