// Carries out operations in the test's process, without a queue and without waiting for their time.
import {
  type OperationAttempt,
  planUnfinished,
  type ProjectsContext,
  runOperation,
} from '#libs/control-plane';

type Kind = OperationAttempt['operation']['kind'];

/** Plans unfinished work, runs each open operation of these kinds once, and returns how each attempt went. */
export async function runOperations(
  context: ProjectsContext,
  kinds: readonly Kind[],
): Promise<readonly OperationAttempt[]> {
  await planUnfinished(context);
  // As if the lease of each had run out: the lock of the project alone keeps two attempts apart.
  const [due]: [{ id: string }[], number] = await context.dataSource.query(
    `update operation set next_try_at = pg_catalog.now(), leased_until = null, state = 'waiting'
     where finished_at is null and kind = any ($1) returning id`,
    [kinds],
  );
  const attempts: OperationAttempt[] = [];
  for (const { id } of due) {
    const attempt = await runOperation(context, id, async () => undefined);
    if (attempt) attempts.push(attempt);
  }
  return attempts;
}

/** Finishes creations and deletions that a crash cut short. Returns the refs of those that are gone, in order. */
export async function finishHalfDone(
  context: ProjectsContext,
  onFailure: (ref: string, error: unknown) => void = (_ref, error) => {
    throw error;
  },
): Promise<string[]> {
  const cleared: string[] = [];
  for (const { operation, outcome, error } of await runOperations(context, ['create', 'delete'])) {
    if (outcome === 'failed') onFailure(operation.ref, error);
    if (outcome === 'done') cleared.push(operation.ref);
  }
  return cleared.sort();
}
