import { capabilityOfGroup } from '#libs/settings';
import type { Caller, Capability } from '#libs/wire';

import type { AuditRow } from './audit.sql.js';

/**
 * What actions are about (their text before the dot), where the values of an entry hold neither secrets nor accounts.
 * Everything else is closed, so that a new kind of entry is closed until it is listed here.
 */
const openAreas: ReadonlySet<string> = new Set([
  'auth',
  'bucket',
  'hooks',
  'messages',
  'policies',
  'query',
  'realtime',
  'relocation',
  'request',
  'rows',
  'sql',
  'webhook',
]);
const strictest: Capability = 'secrets.manage';

/**
 * The entries as the caller may see them. `audit.read` shows an operator that something was changed, when and by whom.
 * The values need the capability that reads them at their own place, without which `before` and `after` are null.
 */
export function shownTo(caller: Caller, entries: readonly AuditRow[]): readonly AuditRow[] {
  if (caller.via !== 'operator') return entries;
  const { capabilities } = caller.operator;
  return entries.map((entry) => {
    const needed = neededFor(entry);
    const isShown = needed === undefined || capabilities.includes(needed);
    return isShown ? entry : { ...entry, before: null, after: null };
  });
}

/** What the values of an entry need beyond `audit.read`. */
function neededFor({ action, target }: AuditRow): Capability | undefined {
  const [area = ''] = action.split('.', 1);
  if (area === 'settings') return capabilityOfGroup(target);
  return openAreas.has(area) ? undefined : strictest;
}
