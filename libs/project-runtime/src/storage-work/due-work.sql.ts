import type { EngineQueries } from '#libs/database';

/** The numbers are the milliseconds until work of a kind is due; 0 or less means now, null never. */
export interface DueWork {
  /** Whether messages of webhooks are due. */
  readonly hasDeliveries: boolean;
  /** Reservations to end and objects to remove. */
  readonly cleaning: number | null;
  readonly relocation: number | null;
  /** Of buckets. */
  readonly emptying: number | null;
}

/** Finds due work in one statement, which reads a row or two of an index for each kind. */
export async function findDueWork(db: EngineQueries): Promise<DueWork> {
  const [due] = await db.queryAsEngine<DueWork>(
    `select
       exists (
         select from storage.webhooks w
         join platform.outbox o on o.kind operator(pg_catalog.=) 'webhook'
           and o.source operator(pg_catalog.=) w.id::pg_catalog.text
         where w.active and o.status operator(pg_catalog.=) 'pending'
           and o.next_attempt_at operator(pg_catalog.<=) pg_catalog.now()
       ) as "hasDeliveries",
       ${millisecondsUntil(`least(
         (select not_before from storage.garbage order by not_before limit 1),
         (select expires_at from storage.uploads
          where leased_until is null or leased_until operator(pg_catalog.<=) pg_catalog.now()
          order by expires_at limit 1)
       )`)} as cleaning,
       ${millisecondsUntil(`(
         select coalesce(leased_until, pg_catalog.now()) from storage.relocations
         where state operator(pg_catalog.=) 'running'
       )`)} as relocation,
       ${millisecondsUntil(`(
         select pg_catalog.min(coalesce(leased_until, pg_catalog.now())) from storage.emptyings
         where state operator(pg_catalog.=) 'running'
       )`)} as emptying`,
  );
  return due ?? { hasDeliveries: false, cleaning: null, relocation: null, emptying: null };
}

function millisecondsUntil(time: string): string {
  return `(extract(epoch from ${time} operator(pg_catalog.-) pg_catalog.now())
    operator(pg_catalog.*) 1000)::pg_catalog.float8`;
}
