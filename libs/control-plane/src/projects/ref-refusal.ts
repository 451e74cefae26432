import { type AppError, fail } from '#libs/errors';
import type { ProjectsContext } from './projects-context.js';

/**
 * Returns why a ref cannot be given to a new project: REF_TAKEN, or REF_BEING_RELEASED if it is free soon. With
 * `isLocked` the caller holds the lock of the project, so that no other process is creating it.
 */
export async function refusalOf(
  { dataSource }: Pick<ProjectsContext, 'dataSource'>,
  ref: string,
  { isLocked = false }: { readonly isLocked?: boolean } = {},
): Promise<AppError> {
  // The first attempt of a creation creates the project; further attempts take it back. The lease of a killed attempt
  // lasts some seconds more.
  const [row]: { isReleased: boolean }[] = await dataSource.query(
    `select status = 'deleting' or status = 'creating' and ($2 or not exists (
       select from operation
       where operation.ref = project.ref and kind = 'create' and finished_at is null
         and state = 'running' and attempts = 1 and leased_until > pg_catalog.now()
     )) as "isReleased"
     from project where ref = $1`,
    [ref, isLocked],
  );
  // Without a row, another process is about to create the project or has just removed it.
  return fail((row?.isReleased ?? true) ? 'REF_BEING_RELEASED' : 'REF_TAKEN', { ref });
}
