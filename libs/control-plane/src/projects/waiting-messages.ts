// Which messages wait in the databases of projects, so that the worker finds those without a job and opens no database
// of a project in which nothing waits.
import type { ProjectsContext } from './projects-context.js';

type Context = Pick<ProjectsContext, 'dataSource'>;

/** The job of a new message has this time before the worker adds another one. */
const graceSeconds = 30;
/** After this time a message that is not in the database of its project was never committed. */
const uncommittedMinutes = 10;

export interface WaitingMessage {
  readonly ref: string;
  readonly id: string;
}

/** Notes messages that are about to be stored in the database of a project, or to wait there again. */
export async function noteMessages(
  { dataSource }: Context,
  ref: string,
  ids: readonly string[],
): Promise<void> {
  await dataSource.query(
    `insert into waiting_message (ref, id, due_at)
     select $1, id, pg_catalog.now() + pg_catalog.make_interval(secs => $3)
     from pg_catalog.unnest($2::pg_catalog.uuid[]) as given (id)
     on conflict (ref, id) do update set due_at = excluded.due_at`,
    [ref, [...ids], graceSeconds],
  );
}

/** Notes stored messages whose notes may be lost. Those that are noted stay as they are. */
export async function renoteMessages(
  { dataSource }: Context,
  ref: string,
  ids: readonly string[],
): Promise<void> {
  await dataSource.query(
    `insert into waiting_message (ref, id, due_at)
     select $1, id, pg_catalog.now() from pg_catalog.unnest($2::pg_catalog.uuid[]) as given (id)
     on conflict do nothing`,
    [ref, [...ids]],
  );
}

/**
 * Lists messages that should have a job by now, those first that are due longest, and lets each wait for
 * `againSeconds`: their jobs may take that long.
 */
export async function listWaitingMessages(
  { dataSource }: Context,
  { limit, againSeconds }: { readonly limit: number; readonly againSeconds: number },
): Promise<readonly WaitingMessage[]> {
  // TypeORM answers an update with the rows and their number.
  const [rows]: [WaitingMessage[], number] = await dataSource.query(
    `with due as materialized (
       select ref, id from waiting_message where due_at <= pg_catalog.now()
       order by due_at limit $1 for update skip locked
     )
     update waiting_message w set due_at = pg_catalog.now() + pg_catalog.make_interval(secs => $2)
     from due where w.ref = due.ref and w.id = due.id
     returning w.ref, w.id`,
    [limit, againSeconds],
  );
  return rows;
}

/** Lets a message wait for its next try, and for its job to make it. */
export async function postponeMessage(
  { dataSource }: Context,
  { ref, id }: WaitingMessage,
  delaySeconds: number,
): Promise<void> {
  await dataSource.query(
    `update waiting_message set due_at = pg_catalog.now() + pg_catalog.make_interval(secs => $3)
     where ref = $1 and id = $2::pg_catalog.uuid`,
    [ref, id, delaySeconds + graceSeconds],
  );
}

/** Deletes the notes of messages that no longer wait, or with `neverCommitted` of those that were never stored. */
export async function forgetMessages(
  { dataSource }: Context,
  ref: string,
  {
    ids,
    neverCommitted = false,
  }: { readonly ids: readonly string[]; readonly neverCommitted?: boolean },
): Promise<void> {
  if (ids.length === 0) return;
  await dataSource.query(
    `delete from waiting_message
     where ref = $1 and id = any ($2::pg_catalog.uuid[])
       and ($3::pg_catalog.int4 = 0 or noted_at < pg_catalog.now() - pg_catalog.make_interval(mins => $3))`,
    [ref, [...ids], neverCommitted ? uncommittedMinutes : 0],
  );
}
