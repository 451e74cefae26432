import type { DataSource } from 'typeorm';
import { fail } from '#libs/errors';
import { rolesWith } from '../organizations/roles.js';
import type { Viewer } from '../projects/list-projects.js';
import { minuteMs } from './usage-steps.js';

/** The most counts of an answer: the last hour of 1,000 projects. */
const maxCounts = 60_000;

/** The usage of a project in a list. */
export interface ProjectUsageRow {
  readonly ref: string;
  /** Requests of each minute, oldest first; empty if there were none. */
  readonly requests: readonly number[];
  /** Failed requests of each minute, in the same order. */
  readonly serverErrors: readonly number[];
  /** The last minute in which a request was counted; null if none is known. */
  readonly lastRequestAt: Date | null;
  /** What the database took when it was last measured, in bytes; null before the first time. */
  readonly databaseBytes: number | null;
  /** The same of the files. */
  readonly storageBytes: number | null;
}

export interface UsagePage {
  /** Start of the first minute. */
  readonly from: Date;
  readonly projects: readonly ProjectUsageRow[];
  readonly next: string | null;
}

interface UsageListQuery {
  /** How many minutes, up to now. */
  readonly minutes: number;
  /** The last ref of the previous page. */
  readonly after?: string | undefined;
  readonly limit: number;
}

interface FoundRow extends Pick<ProjectUsageRow, 'ref' | 'lastRequestAt'> {
  readonly databaseBytes: string | null;
  readonly storageBytes: string | null;
  /** Of each minute in which something was counted: its number, requests, and failed requests. */
  readonly counts:
    readonly (readonly [minute: number, requests: number, serverErrors: number])[] | null;
}

/**
 * Returns the last minutes of the projects whose content the viewer may read, by ref. Throws INVALID_INPUT, which names
 * `limit`, for more counts than an answer may have.
 */
export async function listUsage(
  dataSource: DataSource,
  viewer: Viewer,
  { minutes, after, limit }: UsageListQuery,
): Promise<UsagePage> {
  if (limit * minutes > maxCounts) {
    const reason = `with ${minutes} minutes it must be at most ${Math.floor(maxCounts / minutes)}`;
    throw fail('INVALID_INPUT', { field: 'limit', reason });
  }
  const end = Math.ceil(Date.now() / minuteMs) * minuteMs;
  const from = new Date(end - minutes * minuteMs);
  const found: FoundRow[] = await dataSource.query(
    `select project.ref, project.database_bytes as "databaseBytes", project.storage_bytes as "storageBytes",
       (select pg_catalog.max(at) from project_usage_minute where project_ref = project.ref) as "lastRequestAt",
       (select pg_catalog.json_agg(pg_catalog.json_build_array(
          (extract(epoch from at - $3) / 60)::pg_catalog.int4, requests, server_errors))
        from project_usage_minute where project_ref = project.ref and at >= $3) as counts
     from project
     where ($2 or exists (
         select from membership
         where membership.operator_id = $1 and membership.organization_id = project.organization_id
           and (membership.project_ref is null or membership.project_ref = project.ref)
           and (membership.role = any ($6)
             or membership.role = 'custom' and 'content.read' = any (membership.capabilities))))
       and ($4::pg_catalog.text is null or project.ref > $4)
     order by project.ref
     limit $5`,
    [
      viewer.operatorId,
      viewer.isDeploymentAdmin,
      from,
      after ?? null,
      limit + 1,
      rolesWith('content.read'),
    ],
  );
  const projects = found.slice(0, limit).map((row) => rowOf(row, minutes));
  return { from, projects, next: found.length > limit ? (projects.at(-1)?.ref ?? null) : null };
}

function rowOf(found: FoundRow, minutes: number): ProjectUsageRow {
  const requests = Array.from({ length: found.counts ? minutes : 0 }, () => 0);
  const serverErrors = [...requests];
  for (const [minute, count, failed] of found.counts ?? []) {
    if (minute >= minutes) continue; // Of a process whose clock is ahead.
    requests[minute] = count;
    serverErrors[minute] = failed;
  }
  const numberOrNull = (value: string | null) => (value === null ? null : Number(value));
  return {
    ref: found.ref,
    requests,
    serverErrors,
    lastRequestAt: found.lastRequestAt,
    databaseBytes: numberOrNull(found.databaseBytes),
    storageBytes: numberOrNull(found.storageBytes),
  };
}
