// Finds out whether the worker has anything to do for a project. The conditions are those of the statements that do the
// work, and are kept beside them.
import { createHash } from 'node:crypto';

import { expiredConditions } from '#libs/auth-engine';
import type { EngineQueries } from '#libs/database';
import { deliveryConditions } from '#libs/outbox';
import type { Settings } from '#libs/settings';

import { functionConditions } from './functions/sweep-functions.js';
import { messageConditions } from './message-work/sweep-messages.js';
import { isEmptyingDue } from './storage-work/emptying.sql.js';
import { garbageConditions } from './storage-work/garbage.sql.js';
import { isRelocationDue } from './storage-work/relocation.sql.js';
import { compareConditions } from './storage-work/sweep-orphans.js';
import { changesConditions } from './trim-changes.js';

/** The time for which work is looked for: `$5` days from now. */
const at = '(pg_catalog.now() operator(pg_catalog.+) pg_catalog.make_interval(days => $5))';

const conditions = {
  ...expiredConditions({ at, guestDays: 'kept.guest_days' }),
  ...deliveryConditions({ at, keepDays: '$3' }),
  formerDeliveries: 'exists (select from platform.hook_deliveries)',
  ...messageConditions({ at, keepDays: '$4' }),
  ...garbageConditions(at),
  relocation: isRelocationDue(at),
  emptying: isEmptyingDue(at),
  ...compareConditions('kept.driver'),
  ...changesConditions(at),
  ...functionConditions({ at, keepDays: 'kept.log_days' }),
};

export type DueSweep = keyof typeof conditions;

interface SweepLimits {
  /** Settings of a project without stored settings. */
  readonly fallback: Settings;
  readonly keepDeliveriesDays: number;
  readonly keepMessagesDays: number;
}

const cases = Object.entries(conditions)
  .map(([kind, condition]) => `case when ${condition} then '${kind}' end`)
  .join(', ');

/** Subqueries of a plain select are planned separately, and each stops at its first row. */
const dueStatement = `
  select pg_catalog.array_remove(array[${cases}], null) as due
  from (
    select
      coalesce((select (value operator(pg_catalog.->>) 'keepDays')::pg_catalog.int4
        from platform.app_settings where name operator(pg_catalog.=) 'auth.methods.anonymous'),
        $1::pg_catalog.int4) as guest_days,
      coalesce((select value operator(pg_catalog.->>) 'driver'
        from platform.app_settings where name operator(pg_catalog.=) 'storage'),
        $2::pg_catalog.text) as driver,
      coalesce((select (value operator(pg_catalog.->>) 'logDays')::pg_catalog.int4
        from platform.app_settings where name operator(pg_catalog.=) 'functions'),
        $6::pg_catalog.int4) as log_days
    offset 0
  ) kept`;

/** How many days ahead a project without work is looked at, so that it needs no sweep until then. */
export const quietDays = 7;

/** The statement decides, besides the rows of the project, what is due. */
export const sweepForm = createHash('sha256')
  .update(`${dueStatement} ${quietDays}`)
  .digest('hex')
  .slice(0, 16);

/**
 * Returns the kinds of work that are due in this number of days if no row of the project changes, in one statement; with
 * 0, those that are due now. Each condition becomes true with time, so these include what becomes due before. Objects of
 * the local driver without any row are not covered: only the folder shows whether there are files.
 */
export async function findDueAfter(
  db: EngineQueries,
  days: number,
  { fallback, keepDeliveriesDays, keepMessagesDays }: SweepLimits,
): Promise<readonly DueSweep[]> {
  const [row] = await db.queryAsEngine<{ readonly due: readonly DueSweep[] }>(dueStatement, [
    fallback['auth.methods.anonymous'].keepDays,
    fallback.storage.driver,
    keepDeliveriesDays,
    keepMessagesDays,
    days,
    fallback.functions.logDays,
  ]);
  return row?.due ?? [];
}
