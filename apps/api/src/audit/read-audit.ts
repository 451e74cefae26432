import type { ProjectRuntime } from '#libs/project-runtime';

import { type AuditQuery, defaultAuditLimit } from './audit.dto.js';
import { type AuditFilter, type AuditRow, countAudit, listAudit } from './audit.sql.js';

/** A part of the audit log, newest first. */
export interface AuditPage {
  readonly entries: readonly AuditRow[];
  /** The number of entries that match the filter, on all pages. */
  readonly total: number;
}

/** Runs as the engine role: the log is the platform's own table. */
export function readAudit(project: ProjectRuntime, query: AuditQuery): Promise<AuditPage> {
  const { action, target, actorKind, actorId, from, to } = query;
  const { before, limit = defaultAuditLimit } = query;
  const filter: AuditFilter = { action, target, actorKind, actorId, from, to };
  return project.db.runAsEngine(async (tx) => ({
    entries: await listAudit(tx, filter, { before, limit }),
    total: await countAudit(tx, filter),
  }));
}
