import { ConnectionBudget } from './budget/connection-budget.js';
import { openProjectDatabase, type ProjectDatabase } from './project-database.js';
import type { ProjectRecord } from './project-record.js';

/** Opens a project's database apart from the budget that requests share, for one piece of work. */
export async function withProjectDatabase<T>(
  record: ProjectRecord,
  work: (db: ProjectDatabase) => Promise<T>,
): Promise<T> {
  const { host, port, ssl, name, logins } = record.database;
  const db = openProjectDatabase({
    ref: record.ref,
    host,
    port,
    ssl,
    database: name,
    logins,
    idType: record.idType,
    budget: new ConnectionBudget({ total: 2, perProject: 1 }),
  });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}
