import type { EngineQueries } from '#libs/database';

/** In how many milliseconds each kind of work is due; 0 or less is now, null never. */
export interface DueWork {
  readonly deliveries: number | null;
  /** Reservations to end and blobs to remove. */
  readonly cleaning: number | null;
  readonly relocation: number | null;
}

/** Looks for work in one statement, which reads a row or two of an index for each kind. */
export async function findDueWork(db: EngineQueries): Promise<DueWork> {
  const [due] = await db.queryAsEngine<DueWork>(
    `select
       ${millisecondsUntil('min(oldest.next_attempt_at)')} as deliveries,
       ${millisecondsUntil(`least(
         (select not_before from storage.garbage order by not_before limit 1),
         (select expires_at from storage.uploads
          where leased_until is null or leased_until <= now() order by expires_at limit 1)
       )`)} as cleaning,
       ${millisecondsUntil(`(
         select coalesce(leased_until, now()) from storage.relocations where state = 'running'
       )`)} as relocation
     from storage.webhooks w
     cross join lateral (
       select o.next_attempt_at from storage.webhook_outbox o
       where o.webhook_id = w.id and o.status = 'pending' order by o.next_attempt_at limit 1
     ) oldest
     where w.active`,
  );
  return due ?? { deliveries: null, cleaning: null, relocation: null };
}

function millisecondsUntil(time: string): string {
  return `(extract(epoch from ${time} - now()) * 1000)::float8`;
}
