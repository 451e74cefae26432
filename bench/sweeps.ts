// Sweeps of idle projects, one at a time: several would share the processors. A project is idle when nothing has changed
// there since its last sweep, and that sweep has looked ahead, which takes two of them. The further ones take a minute,
// in which autovacuum has visited every new database: the statistics that it writes are changes.

import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Project } from './product.js';
import { planSweepsSql, timeSweeps } from './sweep-times.js';

const SWEPT_PROJECTS = 10;
const SWEEPS_BEFORE = 6;
const POLL_MS = 100;
const LIMIT_MS = 30_000;

async function waitUntilSwept(controlPlane: Client, ref: string): Promise<void> {
  const giveUpAt = performance.now() + LIMIT_MS;
  for (;;) {
    const { rowCount } = await controlPlane.query(
      `select from operation where kind = 'sweep' and ref = $1 and finished_at is null`,
      [ref],
    );
    if (rowCount === 0) return;
    if (performance.now() > giveUpAt) throw new Error(`The sweep of ${ref} does not end`);
    await delay(POLL_MS);
  }
}

/**
 * Sweeps the last ten of these projects, which have no connections, and returns the milliseconds of each sweep.
 * `controlPlane` is a superuser in the control-plane database.
 */
export async function measureSweeps(
  controlPlane: Client,
  projects: readonly Project[],
): Promise<readonly number[]> {
  const ask = async (sql: string) => (await controlPlane.query<Record<string, unknown>>(sql)).rows;
  const swept = projects.slice(-SWEPT_PROJECTS);
  const sweepAll = async (): Promise<void> => {
    for (const { ref } of swept) {
      // Refs of the bench are letters and digits.
      await ask(planSweepsSql(`ref = '${ref}'`));
      await waitUntilSwept(controlPlane, ref);
    }
  };
  for (let before = 0; before < SWEEPS_BEFORE; before += 1) await sweepAll();
  const times = await timeSweeps(ask, sweepAll);
  if (times.length === swept.length) return times;
  throw new Error(`${String(times.length)} of ${String(swept.length)} sweeps were seen`);
}
