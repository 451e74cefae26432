// One attempt at a time makes or removes the database, the logins and the folder of a project.
import { tryWithLock } from '../provisioning/advisory-lock.js';
import { withAdmin } from '../provisioning/database-server.js';
import type { Step } from '../provisioning/steps.js';
import { noteStep } from '../operations/operations.js';
import type { ProjectsContext } from './projects-context.js';

/** An attempt that holds the lock of its project. */
export interface Attempt {
  /** Its name in the operation. */
  readonly owner: string;
  /** Rejects when the lock is lost: with its connection, when the server dies. */
  readonly assertLocked: () => Promise<void>;
}

/** Runs `work` as the attempt `owner` that holds the lock of a project. Undefined when another one holds it. */
export async function withProjectLock<T>(
  { server }: Pick<ProjectsContext, 'server'>,
  { ref, owner }: { readonly ref: string; readonly owner: string },
  work: (attempt: Attempt) => Promise<T>,
): Promise<T | undefined> {
  return withAdmin(server, undefined, (client) =>
    tryWithLock(client, `rowhouse project ${ref}`, () =>
      work({ owner, assertLocked: async () => void (await client.query('select')) }),
    ),
  );
}

/** Returns the steps with the operation saying which one runs, and each only while the lock is held. */
export function trackedSteps(
  { dataSource }: Pick<ProjectsContext, 'dataSource'>,
  { owner, assertLocked }: Attempt,
  steps: readonly Step[],
): readonly Step[] {
  return steps.map((step) => ({
    ...step,
    async run() {
      await assertLocked();
      await noteStep(dataSource.manager, owner, step.name);
      await step.run();
    },
  }));
}
