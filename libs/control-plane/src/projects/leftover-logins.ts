import type { DataSource } from 'typeorm';
import { namesOf } from '../provisioning/names.js';
import { dropRoles } from '../provisioning/project-database.js';
import type { ProjectsContext } from './projects-context.js';

/** Records the logins of a deleted project that could not be dropped yet. */
export async function noteLeftoverLogins(
  dataSource: DataSource,
  databaseId: string,
): Promise<void> {
  await dataSource.query(
    'insert into leftover_logins (database_id) values ($1) on conflict do nothing',
    [databaseId],
  );
}

/**
 * Drops the logins that deletions have left behind. Returns the database ids of those that still wait for a lock.
 * The error of logins that cannot be dropped goes to `onFailure`, and the others follow; without it, it is thrown.
 */
export async function dropLeftoverLogins(
  { dataSource, server }: Pick<ProjectsContext, 'dataSource' | 'server'>,
  onFailure?: (databaseId: string, error: unknown) => void,
): Promise<readonly string[]> {
  const leftovers: { id: string }[] = await dataSource.query(
    'select database_id as id from leftover_logins order by left_at',
  );
  const waiting: string[] = [];
  for (const { id } of leftovers) {
    try {
      // One after the other: there is no hurry and few of them.
      if (await dropRoles(server, namesOf(id))) {
        await dataSource.query('delete from leftover_logins where database_id = $1', [id]);
      } else {
        waiting.push(id);
      }
    } catch (error) {
      if (!onFailure) throw error;
      onFailure(id, error);
    }
  }
  return waiting;
}
