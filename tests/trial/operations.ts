// Work on projects as operators see it.
import { planSweepsSql } from '../../bench/sweep-times.js';
import { asRecord } from '../support/deployment.js';
import type { TrialDeployment } from './deployment.js';

export interface OpenOperation {
  readonly ref: string;
  readonly kind: string;
  readonly state: string;
  readonly step: string | null;
  readonly attempts: number;
  readonly lastError: string | null;
  /** In ISO 8601. */
  readonly since: string;
}

/** The operations that are not finished, at most 200. Throws when the console does not answer. */
export async function listOperations(
  deployment: TrialDeployment,
): Promise<readonly OpenOperation[]> {
  const reply = await deployment.console({ path: '/platform/operations?limit=200' });
  if (reply.status !== 200) throw new Error(`operations: ${reply.status} ${reply.text}`);
  // The route's answer has these fields.
  return asRecord(reply.body)['operations'] as readonly OpenOperation[];
}

/** Plans the sweep of the projects that `condition` (SQL over `project`) selects, as the hourly round plans that of all. */
export async function planSweeps(
  deployment: TrialDeployment,
  condition = `status = 'active'`,
): Promise<void> {
  await deployment.ask(planSweepsSql(condition));
}

/** Whether no sweep is open, but for those of the project `but`. */
export async function isEverySweepDone(deployment: TrialDeployment, but = ''): Promise<boolean> {
  const [row] = await deployment.ask(
    `select pg_catalog.count(*)::pg_catalog.int4 as open from operation
     where finished_at is null and kind = 'sweep' and ref <> '${but}'`,
  );
  return row?.['open'] === 0;
}

/** How long a round of sweeps may take: half a second for each project, and a minute for the rest; milliseconds. */
export const sweepRoundMs = (projects: number): number => projects * 500 + 60_000;

/** The longest time from the plan of a sweep to its end, with all projects of a fleet in its round. */
const longestRoundMs = 10 * 60_000;

/**
 * Whether an operation should have come to its end. The hourly round may be under way at any moment, so a sweep of its
 * first attempt that has not failed is not stuck.
 */
export function isStuck(operation: OpenOperation, now: number): boolean {
  const { kind, attempts, lastError, since } = operation;
  const isOfRound = kind === 'sweep' && attempts <= 1 && lastError === null;
  return !isOfRound || now - Date.parse(since) > longestRoundMs;
}
