import type { DataSource } from 'typeorm';
import { withoutFlush } from '../operations/operations.js';
import { namesOf } from '../provisioning/names.js';
import { dropRoles } from '../provisioning/project-database.js';
import type { ProjectsContext } from './projects-context.js';

/** Records that the logins of a project have to be dropped. The removal of its row, which follows, waits for the disk. */
export async function noteLeftoverLogins(
  dataSource: DataSource,
  databaseId: string,
): Promise<void> {
  await dataSource.query(
    `insert into leftover_logins (database_id) select $1 from ${withoutFlush} on conflict do nothing`,
    [databaseId],
  );
}

/** Drops recorded logins. Returns false if they have to wait for another project; then they stay recorded. */
export async function dropNotedLogins(
  { dataSource, server }: Pick<ProjectsContext, 'dataSource' | 'server'>,
  databaseId: string,
): Promise<boolean> {
  if (!(await dropRoles(server, namesOf(databaseId)))) return false;
  // After a crash they are dropped once more.
  await dataSource.query(
    `delete from leftover_logins using ${withoutFlush} where database_id = $1`,
    [databaseId],
  );
  return true;
}

/**
 * Returns whether deletions more than `seconds` ago have left logins behind. A more recent deletion may still be
 * dropping them.
 */
export async function hasLeftoverLogins(
  { dataSource }: Pick<ProjectsContext, 'dataSource'>,
  seconds: number,
): Promise<boolean> {
  const found: unknown[] = await dataSource.query(
    `select from leftover_logins
     where left_at < pg_catalog.now() - pg_catalog.make_interval(secs => $1) limit 1`,
    [seconds],
  );
  return found.length > 0;
}

/**
 * Drops the logins that deletions have left behind. Returns the database ids whose logins still wait for a lock. The
 * error of logins that cannot be dropped goes to `onFailure`, and the others follow; without `onFailure` it is thrown.
 */
export async function dropLeftoverLogins(
  context: Pick<ProjectsContext, 'dataSource' | 'server'>,
  onFailure?: (databaseId: string, error: unknown) => void,
): Promise<readonly string[]> {
  const leftovers: { id: string }[] = await context.dataSource.query(
    'select database_id as id from leftover_logins order by left_at',
  );
  const waiting: string[] = [];
  for (const { id } of leftovers) {
    try {
      // One after the other: it is not urgent, and there are few.
      if (!(await dropNotedLogins(context, id))) waiting.push(id);
    } catch (error) {
      if (!onFailure) throw error;
      onFailure(id, error);
    }
  }
  return waiting;
}
