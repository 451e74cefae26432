// Work on projects as operators see it.
import { planSweepsSql } from '../../bench/sweep-times.js';
import { asRecord } from '../support/house.js';
import type { Deployment } from './deployment.js';

export interface OpenOperation {
  readonly ref: string;
  readonly kind: string;
  readonly state: string;
  readonly step: string | null;
  readonly attempts: number;
  readonly lastError: string | null;
}

/** The operations that are not finished, at most 200. Throws when the console does not answer. */
export async function listOperations(deployment: Deployment): Promise<readonly OpenOperation[]> {
  const reply = await deployment.console({ path: '/platform/operations?limit=200' });
  if (reply.status !== 200) throw new Error(`operations: ${reply.status} ${reply.text}`);
  // The route's answer has these fields.
  return asRecord(reply.body)['operations'] as readonly OpenOperation[];
}

/** Plans the sweep of the projects that `condition` (SQL over `project`) selects, as the hourly round plans that of all. */
export async function planSweeps(
  deployment: Deployment,
  condition = `status = 'active'`,
): Promise<void> {
  await deployment.ask(planSweepsSql(condition));
}
