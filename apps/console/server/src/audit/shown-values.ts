import type { AuditEntry } from '#libs/control-plane';
import { capabilityOfGroup } from '#libs/settings';
import { type Capability, isRecord, settingsPath } from '#libs/wire';

/** The target of an entry about settings: `PUT /api/admin/settings/smtp`, also with a path behind the group. */
const settingsGroup = new RegExp(`^[A-Z]+ ${settingsPath}/([^/]+)`);

/**
 * A page of the log as an operator with these capabilities may see it: the values of a settings group need the
 * capability of the group. Without it `before` is null, and `after` has the status alone.
 */
export function shownTo<Page extends { readonly entries: readonly AuditEntry[] }>(
  capabilities: readonly Capability[],
  page: Page,
): Page & { readonly entries: AuditEntry[] } {
  const entries = page.entries.map((entry) => {
    const needed = neededFor(entry);
    if (needed === undefined || capabilities.includes(needed)) return entry;
    return { ...entry, before: null, after: statusOf(entry.after) };
  });
  return { ...page, entries };
}

function neededFor({ action, target }: AuditEntry): Capability | undefined {
  if (action !== 'project.settings') return undefined;
  return capabilityOfGroup(settingsGroup.exec(target)?.[1] ?? '');
}

function statusOf(after: unknown): unknown {
  return isRecord(after) && 'status' in after ? { status: after['status'] } : null;
}
