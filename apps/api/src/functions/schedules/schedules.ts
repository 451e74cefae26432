// Schedules: a function is called at the times of a cron expression. The store of jobs has the times, and the database
// each run.
import { randomUUID } from 'node:crypto';

import type { Transaction } from '#libs/database';
import { fail } from '#libs/errors';
import { type DeliveryRow, listDeliveries } from '#libs/outbox';
import { appendAudit, type AuditActor, type ProjectRuntime } from '#libs/project-runtime';
import { isUuid } from '#libs/storage-rules';

import type { DeliveriesQuery } from '../../http/deliveries-query.js';
import { nextTime, requireTimes } from './cron.js';
import type { ChangedScheduleBody, NewScheduleBody } from './schedules.dto.js';
import {
  deleteSchedule,
  findSchedule,
  insertSchedule,
  type LastRun,
  listSchedules,
  type ScheduleRow,
  updateSchedule,
} from './schedules.sql.js';

const maxSchedules = 100;

export interface ScheduleView extends ScheduleRow {
  /** Null while it is off. */
  readonly nextRunAt: Date | null;
}

export interface ScheduleList {
  /** By name. */
  readonly schedules: readonly (ScheduleView & { readonly lastRun: LastRun | null })[];
}

export interface ScheduleRuns {
  /** The latest first. `dead` means that a run failed. */
  readonly runs: readonly Omit<DeliveryRow, 'source'>[];
}

export function readSchedules({ db }: ProjectRuntime): Promise<ScheduleList> {
  return db.runAsEngine(async (tx) => {
    const rows = await listSchedules(tx);
    return {
      schedules: rows.map(({ lastRun, ...row }) => Object.assign(viewOf(row), { lastRun })),
    };
  });
}

/** Throws INVALID_INPUT, EDGE_FUNCTION_NOT_FOUND, FUNCTION_SCHEDULE_EXISTS and TOO_MANY_FUNCTIONS. */
export async function createSchedule(
  project: ProjectRuntime,
  actor: AuditActor,
  input: NewScheduleBody,
): Promise<ScheduleView> {
  const { timeZone = 'UTC', body = null, isActive = true } = input;
  requireTimes(input.cron, timeZone);
  await requireFunction(project, input.function);
  const made = await project.db.runAsEngine(async (tx) => {
    if ((await listSchedules(tx)).length >= maxSchedules) {
      throw fail('TOO_MANY_FUNCTIONS', { limit: maxSchedules, kind: 'schedules' });
    }
    const { name, function: slug, cron } = input;
    const fields = { name, function: slug, cron, timeZone, body, isActive };
    const after = await insertSchedule(tx, fields);
    if (!after) throw fail('FUNCTION_SCHEDULE_EXISTS', { name });
    await note(tx, { actor, action: 'schedule.create', before: null, after });
    return after;
  });
  return plan(project, made);
}

/** Throws FUNCTION_SCHEDULE_NOT_FOUND, and like {@link createSchedule}. */
export async function changeSchedule(
  project: ProjectRuntime,
  actor: AuditActor,
  { id, input }: { readonly id: string; readonly input: ChangedScheduleBody },
): Promise<ScheduleView> {
  if (input.function !== undefined) await requireFunction(project, input.function);
  const changed = await project.db.runAsEngine(async (tx) => {
    const before = await getSchedule(tx, id);
    const next = { ...before, ...given(input) };
    requireTimes(next.cron, next.timeZone);
    const after = await updateSchedule(tx, id, next);
    if (!after) throw fail('FUNCTION_SCHEDULE_EXISTS', { name: next.name });
    await note(tx, { actor, action: 'schedule.update', before, after });
    return after;
  });
  return plan(project, changed);
}

/** Its runs go with it. Throws FUNCTION_SCHEDULE_NOT_FOUND. */
export async function removeSchedule(
  project: ProjectRuntime,
  actor: AuditActor,
  id: string,
): Promise<void> {
  await project.db.runAsEngine(async (tx) => {
    const before = await getSchedule(tx, id);
    await deleteSchedule(tx, id);
    await note(tx, { actor, action: 'schedule.delete', before, after: null });
  });
  await project.deps.schedules.remove(project.record.ref, id);
}

/** Runs a schedule now, also while it is off. Throws FUNCTION_SCHEDULE_NOT_FOUND. */
export async function runSchedule(
  project: ProjectRuntime,
  actor: AuditActor,
  id: string,
): Promise<{ readonly eventId: string }> {
  const eventId = randomUUID();
  const schedule = await project.db.runAsEngine(async (tx) => {
    const found = await getSchedule(tx, id);
    await appendAudit(tx, {
      actor,
      action: 'schedule.run',
      target: id,
      before: null,
      after: { eventId },
    });
    return found;
  });
  await project.deliveries.run(schedule, eventId);
  return { eventId };
}

/** Throws FUNCTION_SCHEDULE_NOT_FOUND. */
export async function readRuns(
  { db }: ProjectRuntime,
  id: string,
  { status, before, limit }: DeliveriesQuery,
): Promise<ScheduleRuns> {
  await db.runAsEngine((tx) => getSchedule(tx, id));
  const filter = { kind: 'schedule', source: id, status, beforeId: before, limit } as const;
  const rows = await listDeliveries(db, filter);
  return { runs: rows.map(({ source: _source, ...row }) => row) };
}

/** Has the store of jobs know the times of a schedule, or that it has none. */
async function plan({ deps, record }: ProjectRuntime, row: ScheduleRow): Promise<ScheduleView> {
  const { ref } = record;
  await (row.isActive ? deps.schedules.save(ref, row) : deps.schedules.remove(ref, row.id));
  await deps.noteDeliveries(ref, 0);
  return viewOf(row);
}

function viewOf(row: ScheduleRow): ScheduleView {
  return { ...row, nextRunAt: row.isActive ? nextTime(row.cron, row.timeZone) : null };
}

const given = (input: ChangedScheduleBody): Partial<ScheduleRow> =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));

async function requireFunction({ functions }: ProjectRuntime, slug: string): Promise<void> {
  if (!(await functions.findBySlug(slug))) throw fail('EDGE_FUNCTION_NOT_FOUND', { slug });
}

async function getSchedule(tx: Transaction, id: string): Promise<ScheduleRow> {
  const found = isUuid(id) ? await findSchedule(tx, id) : undefined;
  if (!found) throw fail('FUNCTION_SCHEDULE_NOT_FOUND');
  return found;
}

interface Entry {
  readonly actor: AuditActor;
  readonly action: string;
  readonly before: ScheduleRow | null;
  readonly after: ScheduleRow | null;
}

function note(tx: Transaction, { before, after, ...entry }: Entry): Promise<void> {
  const target = (before ?? after)?.id ?? '';
  return appendAudit(tx, { target, before, after, ...entry });
}
