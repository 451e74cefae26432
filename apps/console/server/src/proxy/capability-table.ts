// THE table of what an operator needs for a request to a project's API through the console. The project
// checks again; here it keeps an operator from reaching what the console would not show.
import { capabilityOfGroup } from '#libs/settings';
import type { Capability } from '#libs/wire';

interface CapabilityRow {
  /** Below `/api`. `*` stands for anything within a part, `**` for anything at all. */
  readonly path: string;
  /**
   * `by method`: content.read for what only reads, and content.write. `by group`: what the settings group
   * declares that the third part of the path names.
   */
  readonly capability: Capability | 'by method' | 'by group';
}

/** The first row that matches holds, for every method. */
const ROWS: readonly CapabilityRow[] = [
  { path: 'admin/settings', capability: 'settings.manage' },
  // Mails and SMS are tried out below two parts: the groups behind them decide where codes go.
  { path: 'admin/settings/*/**', capability: 'secrets.manage' },
  { path: 'admin/settings/*', capability: 'by group' },
  { path: 'admin/users*', capability: 'secrets.manage' },
  { path: 'admin/users*/**', capability: 'secrets.manage' },
  { path: 'admin/organizations*', capability: 'secrets.manage' },
  { path: 'admin/organizations*/**', capability: 'secrets.manage' },
  { path: 'admin/messages*', capability: 'secrets.manage' },
  { path: 'admin/messages*/**', capability: 'secrets.manage' },
  { path: 'admin/inbox*', capability: 'secrets.manage' },
  { path: 'admin/inbox*/**', capability: 'secrets.manage' },
  { path: 'admin/storage/buckets/*/tokens*', capability: 'secrets.manage' },
  { path: 'admin/storage/buckets/*/tokens*/**', capability: 'secrets.manage' },
  { path: 'admin/storage/buckets/*/webhooks/*/rotate-secret*', capability: 'secrets.manage' },
  // A bucket may be called like any word below.
  { path: 'admin/storage/**', capability: 'by method' },
  { path: 'admin/**token**', capability: 'secrets.manage' },
  { path: 'admin/**key**', capability: 'secrets.manage' },
  { path: 'admin/**secret**', capability: 'secrets.manage' },
  { path: 'admin/**password**', capability: 'secrets.manage' },
  { path: 'admin/**credential**', capability: 'secrets.manage' },
  { path: 'admin/auth/**', capability: 'settings.manage' },
  { path: 'admin/hooks*/**', capability: 'secrets.manage' },
  { path: 'admin/sso*/**', capability: 'secrets.manage' },
  { path: 'admin/audit*', capability: 'audit.read' },
  { path: 'admin/import*', capability: 'imports.run' },
  { path: 'admin/import*/**', capability: 'imports.run' },
  { path: 'admin/sql', capability: 'content.write' },
  // Accounts belong to the users of the project: what acts on them is as good as a credential.
  { path: 'auth/**', capability: 'secrets.manage' },
];

/** For a settings group that the console does not know: a newer server may have it. */
const strictest: Capability = 'secrets.manage';

const compiled = ROWS.map(({ path, capability }) => ({ pattern: patternOf(path), capability }));
const reads: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a request with this method changes nothing. */
export function isRead(method: string): boolean {
  return reads.has(method);
}

/** The capability that a request needs, beyond `content.read` which the proxy always needs. */
export function capabilityFor(method: string, segments: readonly string[]): Capability {
  const path = segments.join('/').toLowerCase();
  const row = compiled.find(({ pattern }) => pattern.test(path));
  if (row?.capability === 'by group') return capabilityOfGroup(segments[2] ?? '') ?? strictest;
  if (row && row.capability !== 'by method') return row.capability;
  return isRead(method) ? 'content.read' : 'content.write';
}

function patternOf(path: string): RegExp {
  const source = path
    .split('**')
    .map((part) => part.replaceAll('*', '[^/]*'))
    .join('.*');
  return new RegExp(`^${source}$`, 's');
}
