// A worker's look into the database of a project that may not be open: whether deliveries wait, and when to look again.
import type { EngineQueries } from '#libs/database';

/** Rows are written without a request of the platform, too: over a direct connection, or by a job in the database. */
const busySeconds = 5;
const triggersSeconds = 15;
/** What a process has stored that died before it could deliver it. */
const hooksSeconds = 60;

export interface DeliveryLook {
  readonly isDue: boolean;
  /** When to look again; undefined: nothing here can have deliveries. */
  readonly nextSeconds: number | undefined;
}

interface Row {
  readonly dueSeconds: number | null;
  readonly hasTriggers: boolean;
  readonly isBusy: boolean;
  readonly hasHook: boolean;
  readonly hasSchedules: boolean;
  readonly isWatched: boolean;
}

const look = `
select
  (
    select extract(epoch from pg_catalog.min(next.at) - pg_catalog.now())::pg_catalog.float8
    from (
      select 'hook' as kind, 'events' as source where hook.is_on
      union all select 'trigger', id::pg_catalog.text from platform.edge_triggers where is_active
      union all select 'schedule', id::pg_catalog.text from platform.edge_schedules
      union all select 'webhook', id::pg_catalog.text from storage.webhooks where active
    ) open
    cross join lateral (
      select o.next_attempt_at as at from platform.outbox o
      where o.kind = open.kind and o.source = open.source and o.status = 'pending'
      order by o.next_attempt_at limit 1
    ) next
  ) as "dueSeconds",
  exists (select from platform.edge_triggers where is_active) as "hasTriggers",
  exists (
    select from platform.outbox where created_at > pg_catalog.now() - interval '5 minutes'
  ) as "isBusy",
  hook.is_on or exists (select from storage.webhooks where active) as "hasHook",
  exists (select from platform.edge_schedules) as "hasSchedules",
  platform.has_watched_triggers() as "isWatched"
from (
  select exists (
    select from platform.app_settings
    where name = 'auth.hooks' and (value -> 'events' ->> 'enabled')::pg_catalog.bool
  ) as is_on
) hook`;

/** Opens the capture of changes for triggers where a restore of the database has closed it. */
export async function lookAtDeliveries(db: EngineQueries): Promise<DeliveryLook> {
  const [row] = await db.queryAsEngine<Row>(look);
  if (!row) throw new Error('the look at deliveries has no row');
  if (!row.isWatched) await db.queryAsEngine('select platform.watch_triggers()');
  const { dueSeconds } = row;
  const isDue = dueSeconds !== null && dueSeconds <= 0;
  const pauses = [
    ...(dueSeconds !== null ? [Math.max(dueSeconds, busySeconds)] : []),
    ...(row.hasTriggers ? [row.isBusy ? busySeconds : triggersSeconds] : []),
    ...(row.hasHook || row.hasSchedules ? [hooksSeconds] : []),
  ];
  return { isDue, nextSeconds: pauses.length === 0 ? undefined : Math.min(...pauses) };
}
