// When workers look into the databases of projects for deliveries that wait: requests have them delivered at once, and
// the look finds what a process that died, or a write without one, has left.
import { withoutFlush } from '../operations/operations.js';
import type { ProjectsContext } from './projects-context.js';

type Context = Pick<ProjectsContext, 'dataSource'>;

/** A look that was begun is repeated after this time, unless it has planned the next one. */
const leaseSeconds = 30;

/** Has a project looked at within `seconds`. */
export async function noteDeliveries(
  { dataSource }: Context,
  ref: string,
  seconds = 0,
): Promise<void> {
  await dataSource.query(
    `update project set deliver_at = pg_catalog.now() + pg_catalog.make_interval(secs => $2)
     from ${withoutFlush}
     where ref = $1 and coalesce(deliver_at > pg_catalog.now() + pg_catalog.make_interval(secs => $2), true)`,
    [ref, seconds],
  );
}

/** Has all projects looked at that may have deliveries: a process may have died before it had them delivered. */
export async function noteAllDeliveries({ dataSource }: Context): Promise<void> {
  await dataSource.query(
    'update project set deliver_at = pg_catalog.now() where deliver_at > pg_catalog.now()',
  );
}

/** Takes up to `limit` active projects to look at, the longest due first. */
export async function takeProjectsToLookAt(
  { dataSource }: Context,
  limit: number,
): Promise<readonly string[]> {
  const [rows]: [{ readonly ref: string }[], number] = await dataSource.query(
    `with due as materialized (
       select ref from project
       where deliver_at <= pg_catalog.now() and status = 'active'
       order by deliver_at limit $1 for update skip locked
     )
     update project set deliver_at = pg_catalog.now() + pg_catalog.make_interval(secs => $2)
     from due, ${withoutFlush} where project.ref = due.ref
     returning project.ref`,
    [limit, leaseSeconds],
  );
  return rows.map(({ ref }) => ref);
}

/** Plans the next look at a project after one; undefined: nothing there can have deliveries. */
export async function planLook(
  { dataSource }: Context,
  ref: string,
  seconds: number | undefined,
): Promise<void> {
  await dataSource.query(
    `update project set deliver_at = pg_catalog.now() + pg_catalog.make_interval(secs => $2)
     from ${withoutFlush} where ref = $1 and deliver_at > pg_catalog.now()`,
    [ref, seconds ?? null],
  );
}
