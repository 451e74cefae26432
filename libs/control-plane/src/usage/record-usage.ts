import type { DataSource } from 'typeorm';
import { addUsage, type Usage } from '#libs/wire';
import { dayMs, keptDays, minuteMs } from './usage-steps.js';

/** What a project was used for in the minute of `at`, as one process has counted it. */
export interface UsageEntry {
  readonly ref: string;
  readonly at: Date;
  readonly usage: Usage;
}

/** What the database and the files of a project take, in bytes. */
export interface ProjectSize {
  readonly databaseBytes: number;
  readonly storageBytes: number;
}

/** Adds counts to the minutes and days of their projects; those of deleted projects are left out. All or nothing. */
export async function recordUsage(
  dataSource: DataSource,
  entries: readonly UsageEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  await dataSource.transaction(async (manager) => {
    await manager.query(addTo('project_usage_minute'), [rowsOf(entries, minuteMs)]);
    await manager.query(addTo('project_usage_day'), [rowsOf(entries, dayMs)]);
  });
}

/** Stores the measured size of a project. */
export async function recordSize(
  dataSource: DataSource,
  ref: string,
  { databaseBytes, storageBytes }: ProjectSize,
): Promise<void> {
  await dataSource.query(
    `update project set database_bytes = $2, storage_bytes = $3, measured_at = pg_catalog.now() where ref = $1`,
    [ref, databaseBytes, storageBytes],
  );
}

/** Deletes minutes after 30 days, and days after a year. */
export async function trimUsage(dataSource: DataSource): Promise<void> {
  for (const [table, days] of Object.entries(keptDays)) {
    await dataSource.query(
      `delete from ${table} where at < pg_catalog.now() - pg_catalog.make_interval(days => $1)`,
      [days],
    );
  }
}

/** The entries as JSON, one row for each project and span: a statement must not meet a row twice. */
function rowsOf(entries: readonly UsageEntry[], spanMs: number): string {
  const usageByKey = new Map<string, UsageEntry>();
  for (const { ref, at, usage } of entries) {
    const start = new Date(Math.floor(at.getTime() / spanMs) * spanMs);
    const key = `${ref} ${start.toISOString()}`;
    const known = usageByKey.get(key);
    usageByKey.set(key, {
      ref,
      at: start,
      usage: known ? addUsage(known.usage, usage) : usage,
    });
  }
  // Always in the same order, so that two processes do not wait for each other's rows.
  const keys = [...usageByKey.keys()].sort();
  return JSON.stringify(
    keys.map((key) => {
      const entry = usageByKey.get(key);
      return entry && { ref: entry.ref, at: entry.at, ...entry.usage };
    }),
  );
}

const addTo = (table: string): string => `
  insert into ${table} as known (
    project_ref, at, requests, client_errors, server_errors, bytes_received, bytes_sent, sign_ins, connections, latency)
  select given.ref, given.at, given.requests, given."clientErrors", given."serverErrors", given."bytesReceived",
    given."bytesSent", given."signIns", given.connections, given.latency
  from pg_catalog.json_to_recordset($1::pg_catalog.json) as given (
    ref pg_catalog.text, at pg_catalog.timestamptz, requests pg_catalog.int8, "clientErrors" pg_catalog.int8,
    "serverErrors" pg_catalog.int8, "bytesReceived" pg_catalog.int8, "bytesSent" pg_catalog.int8,
    "signIns" pg_catalog.int8, connections pg_catalog.int4, latency pg_catalog.int8[])
  join project on project.ref = given.ref
  on conflict (project_ref, at) do update set
    requests = known.requests + excluded.requests,
    client_errors = known.client_errors + excluded.client_errors,
    server_errors = known.server_errors + excluded.server_errors,
    bytes_received = known.bytes_received + excluded.bytes_received,
    bytes_sent = known.bytes_sent + excluded.bytes_sent,
    sign_ins = known.sign_ins + excluded.sign_ins,
    connections = greatest(known.connections, excluded.connections),
    latency = (
      select pg_catalog.array_agg(coalesce(old, 0) + coalesce(new, 0) order by place)
      from rows from (pg_catalog.unnest(known.latency), pg_catalog.unnest(excluded.latency))
        with ordinality as bucket (old, new, place))`;
