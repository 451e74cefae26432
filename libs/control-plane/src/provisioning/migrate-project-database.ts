import { migrate } from '#libs/database';
import { closeCatalogs } from './close-catalogs.js';
import { withLock } from './advisory-lock.js';
import { withAdmin, type DatabaseServer } from './database-server.js';
import type { ProjectRelease } from './release.js';

/** Runs the project migrations that a database lacks, as the superuser. */
export async function migrateProjectDatabase(
  options: { readonly server: DatabaseServer; readonly release: ProjectRelease },
  target: {
    readonly database: string;
    readonly idType: 'text' | 'uuid';
    /** Statements that run after the migrations, on the same connection. */
    readonly afterwards?: string;
  },
): Promise<void> {
  await withAdmin(options.server, target.database, (client) =>
    // Processes that come at the same time take turns: PostgreSQL fails grants on one object that meet.
    withLock(client, 'migrate project', async () => {
      // The record of what has run lives in this schema, which the first migration only adds rights to.
      await client.query('create schema if not exists platform');
      await migrate({
        client,
        migrations: options.release.migrations,
        table: 'platform.schema_migrations',
        placeholders: { user_id: target.idType },
      });
      await closeCatalogs(client, options.release.superuserSteps);
      if (target.afterwards !== undefined) await client.query(target.afterwards);
    }),
  );
}
