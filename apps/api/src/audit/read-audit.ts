import type { ProjectRuntime } from '#libs/project-runtime';
import type { Caller } from '#libs/wire';

import { type AuditQuery, defaultAuditLimit } from './audit.dto.js';
import { type AuditFilter, type AuditRow, countAudit, listAudit } from './audit.sql.js';
import { shownTo } from './shown-values.js';

/** A part of the audit log, newest first. */
export interface AuditPage {
  readonly entries: readonly AuditRow[];
  /** The number of entries that match the filter, on all pages. */
  readonly total: number;
  /** `before` of the next page; null on the last one. A page has at most 8 MB, so it may be short and not the last. */
  readonly next: string | null;
}

/** Reads the log for the caller. Runs as the engine role: the log is the platform's own table. */
export function readAudit(
  project: ProjectRuntime,
  caller: Caller,
  query: AuditQuery,
): Promise<AuditPage> {
  const { action, target, actorKind, actorId, from, to } = query;
  const { before, limit = defaultAuditLimit } = query;
  const filter: AuditFilter = { action, target, actorKind, actorId, from, to };
  return project.db.runAsEngine(async (tx) => {
    const { entries, next } = await listAudit(tx, filter, { before, limit });
    return { entries: shownTo(caller, entries), next, total: await countAudit(tx, filter) };
  });
}
