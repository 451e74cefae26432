import type { Transaction } from '#libs/database';
import { dropSource } from '#libs/outbox';
import { queriesWithin } from '#libs/project-runtime';

/** A schedule as it is stored. */
export interface ScheduleRow {
  readonly id: string;
  readonly name: string;
  /** The slug of the function that is called. */
  readonly function: string;
  readonly cron: string;
  /** An IANA time zone. */
  readonly timeZone: string;
  /** The body of its calls, as JSON; null: an empty object. */
  readonly body: unknown;
  readonly isActive: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The last run of a schedule. */
export interface LastRun {
  readonly at: Date;
  readonly status: string;
}

type Nullable<T> = { readonly [Name in keyof T]: T[Name] | null };

const fields = `s.id::pg_catalog.text, s.name, s.function, s.cron, s.time_zone as "timeZone", s.body,
  s.is_active as "isActive", s.created_at as "createdAt", s.updated_at as "updatedAt"`;

/** By name. */
export async function listSchedules(
  tx: Transaction,
): Promise<(ScheduleRow & { readonly lastRun: LastRun | null })[]> {
  const { rows } = await tx.query<ScheduleRow & Nullable<LastRun>>(
    `select ${fields}, last.* from platform.edge_schedules s
     left join lateral (
       select o.created_at as at, o.status from platform.outbox o
       where o.kind = 'schedule' and o.source = s.id::pg_catalog.text
       order by o.id desc limit 1
     ) last on true
     order by s.name`,
  );
  return rows.map(({ at, status, ...row }) => ({
    ...row,
    lastRun: at === null || status === null ? null : { at, status },
  }));
}

export async function findSchedule(tx: Transaction, id: string): Promise<ScheduleRow | undefined> {
  const { rows } = await tx.query<ScheduleRow>(
    `select ${fields} from platform.edge_schedules s where s.id = $1::pg_catalog.uuid for update`,
    [id],
  );
  return rows[0];
}

type ScheduleFields = Omit<ScheduleRow, 'id' | 'createdAt' | 'updatedAt'>;

const valuesOf = ({ name, function: slug, cron, timeZone, body, isActive }: ScheduleFields) => [
  name,
  slug,
  cron,
  timeZone,
  body === null ? null : JSON.stringify(body),
  isActive,
];

/** Undefined if another schedule has the name. */
export async function insertSchedule(
  tx: Transaction,
  schedule: ScheduleFields,
): Promise<ScheduleRow | undefined> {
  const { rows } = await tx.query<ScheduleRow>(
    `insert into platform.edge_schedules as s (name, function, cron, time_zone, body, is_active)
     values ($1, $2, $3, $4, $5, $6) on conflict (name) do nothing returning ${fields}`,
    valuesOf(schedule),
  );
  return rows[0];
}

/** Undefined if another schedule has the name. */
export async function updateSchedule(
  tx: Transaction,
  id: string,
  schedule: ScheduleFields,
): Promise<ScheduleRow | undefined> {
  const { rows } = await tx.query<ScheduleRow>(
    `update platform.edge_schedules s
     set name = $1, function = $2, cron = $3, time_zone = $4, body = $5, is_active = $6,
       updated_at = pg_catalog.now()
     where id = $7::pg_catalog.uuid and not exists (
       select from platform.edge_schedules other
       where other.name = $1 and other.id <> $7::pg_catalog.uuid
     ) returning ${fields}`,
    [...valuesOf(schedule), id],
  );
  return rows[0];
}

export async function deleteSchedule(tx: Transaction, id: string): Promise<void> {
  await tx.query('delete from platform.edge_schedules where id = $1::pg_catalog.uuid', [id]);
  await dropSource(queriesWithin(tx), 'schedule', id);
}
