// Finds out whether the worker has anything to do for a project. The conditions are those of the statements that do the
// work, and are kept beside them.
import { expiredConditions } from '#libs/auth-engine';
import type { EngineQueries } from '#libs/database';
import { deliveryConditions } from '#libs/hooks';
import type { Settings } from '#libs/settings';

import { messageConditions } from './message-work/sweep-messages.js';
import { isEmptyingDue } from './storage-work/emptying.sql.js';
import { garbageConditions } from './storage-work/garbage.sql.js';
import { isRelocationDue } from './storage-work/relocation.sql.js';
import { compareConditions } from './storage-work/sweep-orphans.js';
import { keepWebhookMessagesDays } from './storage-work/sweep-storage.js';
import { outboxConditions } from './storage-work/webhook-outbox.sql.js';

const conditions = {
  ...expiredConditions('kept.guest_days'),
  ...deliveryConditions('$3'),
  ...messageConditions('$4'),
  ...outboxConditions(keepWebhookMessagesDays),
  ...garbageConditions,
  relocation: isRelocationDue,
  emptying: isEmptyingDue,
  ...compareConditions('kept.driver'),
};

export type DueSweep = keyof typeof conditions;

interface SweepLimits {
  /** Settings of a project without stored settings. */
  readonly fallback: Settings;
  readonly keepDeliveriesDays: number;
  readonly keepMessagesDays: number;
}

const cases = Object.entries(conditions).map(
  ([kind, condition]) => `case when ${condition} then '${kind}' end`,
);

/** Subqueries of a plain select are planned separately, and each stops at its first row. */
const findDue = `
  select pg_catalog.array_remove(array[${cases.join(', ')}], null) as due
  from (
    select
      coalesce((select (value operator(pg_catalog.->>) 'keepDays')::pg_catalog.int4
        from platform.app_settings where name operator(pg_catalog.=) 'auth.methods.anonymous'),
        $1::pg_catalog.int4) as guest_days,
      coalesce((select value operator(pg_catalog.->>) 'driver'
        from platform.app_settings where name operator(pg_catalog.=) 'storage'),
        $2::pg_catalog.text) as driver
    offset 0
  ) kept`;

/**
 * Returns the kinds of work that are due, in one statement. It does not cover blobs of the local driver without any
 * row: only the folder shows whether there are files.
 */
export async function findDueSweeps(
  db: EngineQueries,
  { fallback, keepDeliveriesDays, keepMessagesDays }: SweepLimits,
): Promise<readonly DueSweep[]> {
  const [row] = await db.queryAsEngine<{ readonly due: readonly DueSweep[] }>(findDue, [
    fallback['auth.methods.anonymous'].keepDays,
    fallback.storage.driver,
    keepDeliveriesDays,
    keepMessagesDays,
  ]);
  return row?.due ?? [];
}
