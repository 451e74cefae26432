// The triggers and schedules of a project as deliveries need them. The administration has its own statements.
import type { EngineQueries } from '#libs/database';

/** A trigger whose changes are delivered. */
export interface ActiveTrigger {
  readonly id: string;
  /** The oid of its table. */
  readonly table: number;
  readonly filter: string | null;
  readonly function: string | null;
  readonly url: string | null;
  /** Sealed. */
  readonly secret: string | null;
}

export function listActiveTriggers(db: EngineQueries): Promise<readonly ActiveTrigger[]> {
  return db.queryAsEngine<ActiveTrigger>(
    `select id::pg_catalog.text, tbl::pg_catalog.oid as "table", filter, function, url, secret
     from platform.edge_triggers where is_active order by id`,
  );
}

/** A captured change, with its rows as JSON. */
export interface CapturedChange {
  readonly kind: 'I' | 'U' | 'D';
  readonly newText: string | null;
  readonly oldText: string | null;
  readonly isCut: boolean;
}

/** The change of a delivery; undefined if it is gone. */
export async function findChange(
  db: EngineQueries,
  id: string,
): Promise<CapturedChange | undefined> {
  const [change] = await db.queryAsEngine<CapturedChange>(
    `select pg_catalog.left(payload ->> 'type', 1) as kind,
       nullif((payload -> 'record')::pg_catalog.text, 'null') as "newText",
       nullif((payload -> 'old_record')::pg_catalog.text, 'null') as "oldText",
       (payload ->> 'truncated')::pg_catalog.bool as "isCut"
     from platform.outbox where id = $1::pg_catalog.int8`,
    [id],
  );
  return change;
}

/** The schedules with runs that wait. */
export async function listWaitingSchedules(db: EngineQueries): Promise<readonly string[]> {
  const rows = await db.queryAsEngine<{ readonly source: string }>(
    `select distinct source from platform.outbox where kind = 'schedule' and status = 'pending'`,
  );
  return rows.map(({ source }) => source);
}

/** Undefined if it was removed. */
export async function findScheduledFunction(
  db: EngineQueries,
  id: string,
): Promise<string | undefined> {
  const [row] = await db.queryAsEngine<{ readonly function: string }>(
    'select function from platform.edge_schedules where id = $1::pg_catalog.uuid',
    [id],
  );
  return row?.function;
}

/** A schedule that is on. */
export interface ActiveSchedule {
  readonly id: string;
  readonly cron: string;
  readonly timeZone: string;
}

export function listActiveSchedules(db: EngineQueries): Promise<readonly ActiveSchedule[]> {
  return db.queryAsEngine<ActiveSchedule>(
    `select id::pg_catalog.text, cron, time_zone as "timeZone"
     from platform.edge_schedules where is_active`,
  );
}

/** What a run of a schedule calls; undefined if it was removed or turned off. */
export async function findSchedule(
  db: EngineQueries,
  id: string,
): Promise<{ readonly function: string; readonly body: unknown } | undefined> {
  const [row] = await db.queryAsEngine<{ readonly function: string; readonly body: unknown }>(
    `select function, body from platform.edge_schedules
     where id = $1::pg_catalog.uuid and is_active`,
    [id],
  );
  return row;
}
