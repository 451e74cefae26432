// Records which messages wait in the databases of projects, so that the worker finds messages without a job and does
// not open databases without waiting messages.
import { fromOutage } from '#libs/errors';

import type { ProjectsContext } from './projects-context.js';

type Context = Pick<ProjectsContext, 'dataSource'>;

/** The time for a new message's own job before the worker adds another one. */
const graceSeconds = 30;
/** After this time a message that is missing in the database of its project was never committed. */
const uncommittedMinutes = 10;

export interface WaitingMessage {
  readonly ref: string;
  readonly id: string;
}

/**
 * Records messages that are about to be stored in the database of a project, or to wait there again. Throws
 * DATABASE_UNAVAILABLE (503) if the control plane cannot be reached.
 */
export async function noteMessages(
  { dataSource }: Context,
  ref: string,
  ids: readonly string[],
): Promise<void> {
  const text = `
    insert into waiting_message (ref, id, due_at)
    select $1, id, pg_catalog.now() + pg_catalog.make_interval(secs => $3)
    from pg_catalog.unnest($2::pg_catalog.uuid[]) as given (id)
    on conflict (ref, id) do update set due_at = excluded.due_at`;
  await dataSource.query(text, [ref, [...ids], graceSeconds]).catch((error: unknown) => {
    throw fromOutage(error);
  });
}

/** Records stored messages whose records may be lost. Existing records stay unchanged. */
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
 * Lists messages that should have a job by now, longest due first, and defers each for `againSeconds`: their jobs may
 * take that long.
 */
export async function listWaitingMessages(
  { dataSource }: Context,
  { limit, againSeconds }: { readonly limit: number; readonly againSeconds: number },
): Promise<readonly WaitingMessage[]> {
  // TypeORM returns the rows of an update and their number.
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

/** The worker adds its own jobs for all messages that wait: the process that had one may have died. */
export async function hurryMessages({ dataSource }: Context): Promise<void> {
  await dataSource.query(
    'update waiting_message set due_at = pg_catalog.now() where due_at > pg_catalog.now()',
  );
}

/** The worker adds its own job for a message after this time. */
export async function postponeMessage(
  { dataSource }: Context,
  { ref, id }: WaitingMessage,
  seconds: number,
): Promise<void> {
  await dataSource.query(
    `update waiting_message set due_at = pg_catalog.now() + pg_catalog.make_interval(secs => $3)
     where ref = $1 and id = $2::pg_catalog.uuid`,
    [ref, id, seconds],
  );
}

/** Deletes the records of messages that no longer wait, or with `neverCommitted` of messages that were never stored. */
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
