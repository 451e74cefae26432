// How many connections the product holds, and the wait until it has closed those that no request uses.

import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { BENCH_APPLICATION } from './database/connection.js';
import type { Project } from './product.js';

const POLL_MS = 500;
const LIMIT_MS = 90_000;

export interface Idle {
  /** Connections that stayed until the limit; 0 when the last was closed before. */
  readonly left: number;
  readonly seconds: number;
}

/** Connections of the product to projects; `admin` is a superuser. */
export async function countConnections(
  admin: Client,
  projects: readonly Project[],
): Promise<number> {
  const { rows } = await admin.query<{ connections: number }>(
    `select count(*)::integer as connections from pg_stat_activity
      where datname = any($1) and backend_type = 'client backend' and application_name <> $2`,
    [projects.map((project) => project.databaseName), BENCH_APPLICATION],
  );
  return rows[0]?.connections ?? 0;
}

/** Waits until no connection is left or the limit is over. */
export async function waitForIdle(admin: Client, projects: readonly Project[]): Promise<Idle> {
  const startedAt = performance.now();
  for (;;) {
    const left = await countConnections(admin, projects);
    const waitedMs = performance.now() - startedAt;
    if (left === 0 || waitedMs > LIMIT_MS) return { left, seconds: waitedMs / 1000 };
    await delay(POLL_MS);
  }
}
