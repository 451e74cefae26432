import { fail } from '#libs/errors';
import { addUsage, latencyPercentile, noUsage, type Usage } from '#libs/wire';
import type { DataSource } from 'typeorm';
import { stepRules, type UsageStep } from './usage-steps.js';

/** What is shown of usage: the time of requests by one figure. */
export interface UsageFigures extends Omit<Usage, 'latency'> {
  /** 95 of 100 requests ended within this time, in milliseconds; null without requests. */
  readonly p95Ms: number | null;
}

export interface UsagePoint extends UsageFigures {
  /** Start of the step. */
  readonly at: Date;
}

export interface ProjectUsage {
  readonly ref: string;
  readonly step: UsageStep;
  readonly from: Date;
  readonly to: Date;
  /** Of the whole span. */
  readonly total: UsageFigures;
  /** Steps in which something was counted, oldest first. */
  readonly points: readonly UsagePoint[];
  /** What database and files took when they were last measured; null before the first time. */
  readonly size: {
    readonly databaseBytes: number;
    readonly storageBytes: number;
    readonly measuredAt: Date;
  } | null;
}

export interface UsageQuery {
  readonly step: UsageStep;
  /** Default: as long before `to` as fits the step. */
  readonly from?: Date | undefined;
  /** Default: now. */
  readonly to?: Date | undefined;
}

/** Returns what a project was used for. Throws INVALID_INPUT, which names `from`, for a span that is not readable. */
export async function readUsage(
  dataSource: DataSource,
  ref: string,
  query: UsageQuery,
): Promise<ProjectUsage> {
  const { ms, table } = stepRules[query.step];
  const { from, to } = spanOf(query);
  const found: StoredUsage[] = await dataSource.query(
    `select at, ${storedColumns} from ${table}
     where project_ref = $1 and at >= $2 and at < $3 order by at`,
    [ref, from, to],
  );
  const usageByStart = new Map<number, Usage>();
  for (const row of found) {
    const start = Math.floor(row.at.getTime() / ms) * ms;
    usageByStart.set(start, addUsage(usageByStart.get(start) ?? noUsage, usageOf(row)));
  }
  return {
    ref,
    step: query.step,
    from,
    to,
    total: figuresOf([...usageByStart.values()].reduce(addUsage, noUsage)),
    points: [...usageByStart].map(([start, usage]) => ({
      at: new Date(start),
      ...figuresOf(usage),
    })),
    size: await readSize(dataSource, ref),
  };
}

/** The span in whole steps: the step of `to` is part of it. */
function spanOf({ step, from, to = new Date() }: UsageQuery): {
  readonly from: Date;
  readonly to: Date;
} {
  const { ms, maxMs, defaultMs } = stepRules[step];
  const end = Math.ceil(to.getTime() / ms) * ms;
  const start = from ? Math.floor(from.getTime() / ms) * ms : end - defaultMs;
  if (start >= end) {
    throw fail('INVALID_INPUT', { field: 'from', reason: 'it must be before `to`' });
  }
  if (end - start > maxMs + ms) {
    const days = maxMs / stepRules.day.ms;
    const reason = `with \`step=${step}\` it can be at most ${days} ${days === 1 ? 'day' : 'days'} before \`to\``;
    throw fail('INVALID_INPUT', { field: 'from', reason });
  }
  return { from: new Date(start), to: new Date(end) };
}

async function readSize(dataSource: DataSource, ref: string): Promise<ProjectUsage['size']> {
  const found: {
    databaseBytes: string | null;
    storageBytes: string | null;
    measuredAt: Date | null;
  }[] = await dataSource.query(
    `select database_bytes as "databaseBytes", storage_bytes as "storageBytes", measured_at as "measuredAt"
     from project where ref = $1`,
    [ref],
  );
  const [row] = found;
  if (row === undefined) throw fail('PROJECT_NOT_FOUND');
  const { databaseBytes, storageBytes, measuredAt } = row;
  if (measuredAt === null) return null;
  return { databaseBytes: Number(databaseBytes), storageBytes: Number(storageBytes), measuredAt };
}

/** A row of usage; the driver returns a bigint as text. */
interface StoredUsage {
  readonly at: Date;
  readonly requests: string;
  readonly clientErrors: string;
  readonly serverErrors: string;
  readonly bytesReceived: string;
  readonly bytesSent: string;
  readonly signIns: string;
  readonly connections: number;
  readonly latency: readonly string[];
}

const storedColumns = `requests, client_errors as "clientErrors", server_errors as "serverErrors", bytes_received as "bytesReceived",
  bytes_sent as "bytesSent", sign_ins as "signIns", connections, latency`;

function usageOf(row: StoredUsage): Usage {
  return {
    requests: Number(row.requests),
    clientErrors: Number(row.clientErrors),
    serverErrors: Number(row.serverErrors),
    bytesReceived: Number(row.bytesReceived),
    bytesSent: Number(row.bytesSent),
    signIns: Number(row.signIns),
    connections: row.connections,
    latency: row.latency.map(Number),
  };
}

function figuresOf({ latency, ...counts }: Usage): UsageFigures {
  const p95Ms = latencyPercentile(latency, 0.95);
  return { ...counts, p95Ms: p95Ms === null ? null : Math.round(p95Ms * 10) / 10 };
}
