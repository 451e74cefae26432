// A function of a project that a request calls may switch back to the login of its session, and PostgreSQL lets every
// login change its own password and settings. Then the API cannot sign in to that project. The worker compares the
// logins every minute and restores those that differ.
import { digestLogins } from '../provisioning/login-state.js';
import type { ProjectsContext } from './projects-context.js';
import { listServable } from './releases.js';
import { type LoginsContext, restoreIfChanged } from './restore-logins.js';

/** Projects whose logins are restored in one run; each takes some milliseconds of processor time. */
const repairsPerRun = 50;

/** The refs of the projects whose logins have changed, without those that are recorded for the first time. */
export interface LoginRepairs {
  readonly restored: readonly string[];
  /** Left for the next run. */
  readonly waiting: readonly string[];
}

interface NotedLogins {
  readonly ref: string;
  readonly id: string;
  readonly digest: string | null;
}

/**
 * Restores the passwords and settings of logins that the project has changed. The error of a project whose logins
 * cannot be restored goes to `onFailure`, and the others follow; the project is the last of the next run.
 */
export async function repairChangedLogins(
  context: LoginsContext & Pick<ProjectsContext, 'release'>,
  {
    signal,
    onFailure,
  }: { readonly signal: AbortSignal; readonly onFailure: (ref: string, error: unknown) => void },
): Promise<LoginRepairs> {
  const changed = await findChanged(context);
  const restored: string[] = [];
  const tried = new Set<string>();
  for (const { ref } of changed.slice(0, repairsPerRun)) {
    if (signal.aborted) break;
    tried.add(ref);
    try {
      await noteAttempt(context, ref);
      // One after the other: hashing the passwords of many would block the processor for other work.
      if (await restoreIfChanged(context, ref)) restored.push(ref);
    } catch (error) {
      onFailure(ref, error);
    }
  }
  const waiting = changed.filter(({ ref, digest }) => digest !== null && !tried.has(ref));
  return { restored, waiting: waiting.map(({ ref }) => ref) };
}

/** The projects that this release can serve whose logins differ, least recently tried first. */
async function findChanged(
  context: Pick<ProjectsContext, 'dataSource' | 'server' | 'release'>,
): Promise<readonly NotedLogins[]> {
  const { dataSource, server } = context;
  // Logins of this release may be missing in a project that is not migrated yet.
  const noted: NotedLogins[] = await dataSource.query(
    `select ref, database_id as id, login_digest as digest from project
     where status in ('active', 'paused') and migrated_to = any ($1::pg_catalog.text[])
     order by logins_tried_at nulls first, ref`,
    [await listServable(context)],
  );
  const present = await digestLogins(
    server,
    noted.map(({ id }) => id),
  );
  return noted.filter(({ id, digest }) => (present.get(id) ?? digest) !== digest);
}

async function noteAttempt({ dataSource }: LoginsContext, ref: string): Promise<void> {
  await dataSource.query(
    'update project set logins_tried_at = pg_catalog.clock_timestamp() where ref = $1',
    [ref],
  );
}
