// Which tables have their changes captured for clients that listen. New tables do.
import { isExposed } from '#libs/catalog';
import { fail } from '#libs/errors';
import { appendAudit, type AuditActor, type ProjectRuntime } from '#libs/project-runtime';

import { type CapturedTable, listTables, switchTable } from './captured-tables.sql.js';

/** The tables that REST can serve. */
export async function readTables(project: ProjectRuntime): Promise<readonly CapturedTable[]> {
  const tables = await listTables(project.db);
  return tables.filter(({ table }) => isExposed(table));
}

/** Turns the capture of a table on or off. Throws PGRST205 (404) for a table that is not listed. */
export async function setTable(
  project: ProjectRuntime,
  actor: AuditActor,
  wanted: CapturedTable,
): Promise<CapturedTable> {
  const { table } = wanted;
  const [before] = isExposed(table) ? await listTables(project.db, table) : [];
  if (!before) throw fail('PGRST205', { table });
  if (before.enabled === wanted.enabled) return before;
  await switchTable(project.db, wanted);
  await project.sqlWritten();
  const { enabled } = wanted;
  await project.db.runAsEngine((tx) =>
    appendAudit(tx, {
      actor,
      action: 'realtime.table',
      target: table,
      before: { enabled: before.enabled },
      after: { enabled },
    }),
  );
  return { table, enabled };
}
