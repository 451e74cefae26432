// Migrates a project's database, or a template of one, to this release. The superuser makes the changes that require
// it; everything else is done by a role that owns only the platform's schemas.
import { migrate } from '#libs/database';
import type { Client } from 'pg';
import { closeCatalogs } from './close-catalogs.js';
import { withAdmin, withPlatform, type DatabaseServer } from './database-server.js';
import { platformOwnership } from './platform-ownership.js';
import { reserveSchemasSql } from './platform-schemas.js';
import { isFoundation, type ProjectRelease } from './release.js';
import { watchTables } from './watch-tables.js';

export interface MigrationTarget {
  readonly database: string;
  readonly idType: 'text' | 'uuid';
}

interface Options {
  readonly server: DatabaseServer;
  readonly release: ProjectRelease;
}

/** What the control plane knows of the superuser's first migrations in a project's database. */
interface FoundationRecord {
  /** They have run there: they never do again. */
  readonly isLaid: boolean;
  /** Notes that they have. */
  record(): Promise<void>;
}

/** Owns the platform's schemas in the templates, until a copy is handed over to its project. */
const templateOwner = 'platform_owner';

/** Runs the migrations that a template lacks. It contains nothing of any project, so one connection suffices. */
export async function migrateTemplate(options: Options, target: MigrationTarget): Promise<void> {
  await withAdmin(options.server, target.database, async (client) => {
    await client.query(`grant create on database "${target.database}" to ${templateOwner}`);
    if (!(await isLaid(client))) {
      await layFoundation(options, { ...target, client, owner: templateOwner });
    }
    await client.query(`set role ${templateOwner}`);
    await runMigrations(options, { ...target, client, kind: 'platform' });
    await client.query('reset role');
    await closeCatalogs(client, options.release.superuserSteps);
  });
}

/**
 * Runs the migrations that a project's database lacks, and then `afterwards` as the superuser. The caller ensures that
 * one process at a time does this for a project.
 */
export async function migrateProjectDatabase(
  options: Options,
  target: MigrationTarget & {
    readonly platform: { readonly user: string; readonly password: string };
    readonly foundation: FoundationRecord;
    readonly afterwards: string;
  },
): Promise<void> {
  const { server } = options;
  const { database, platform, foundation } = target;
  await withAdmin(server, database, async (client) => {
    if (!foundation.isLaid) {
      // It may have been laid, and the process may have ended before the record was written.
      if (!(await isLaid(client))) {
        await layFoundation(options, { ...target, client, owner: platform.user });
      }
      // Before the platform's own role runs anything: who has its rights could make the database look new.
      await foundation.record();
    }
    await client.query(reserveSchemasSql(platform.user));
    await client.query(target.afterwards);
  });
  await withPlatform(server, { database, ...platform }, (client) =>
    runMigrations(options, { ...target, client, kind: 'platform' }),
  );
  await withAdmin(server, database, async (client) => {
    await closeCatalogs(client, options.release.superuserSteps);
    await watchTables(client);
    // Rights on the objects that the migrations have created.
    await client.query(target.afterwards);
  });
}

/**
 * The part that requires a superuser: the first migrations, and the owner of the platform's schemas. The caller ensures
 * that it is done once: the superuser reads nothing that belongs to a role of the project, not even the record of
 * migrations.
 */
async function layFoundation(
  options: Options,
  target: MigrationTarget & { readonly client: Client; readonly owner: string },
): Promise<void> {
  const { client, owner } = target;
  // This schema contains the record of the migrations that have run.
  await client.query('create schema if not exists platform');
  await runMigrations(options, { ...target, kind: 'foundation' });
  await client.query(platformOwnership(owner));
}

/**
 * Whether the platform's schemas belong to a role that is not a superuser; the last step of the foundation changes
 * that. What a project's database says here only keeps the foundation from being laid: that it may be laid is known to
 * the control plane.
 */
async function isLaid(client: Client): Promise<boolean> {
  const { rows } = await client.query(
    `select from pg_catalog.pg_namespace join pg_catalog.pg_authid on pg_authid.oid = nspowner
     where nspname = 'platform' and not rolsuper`,
  );
  return rows.length > 0;
}

function runMigrations(
  { release }: Options,
  target: MigrationTarget & {
    readonly client: Client;
    readonly kind: 'foundation' | 'platform';
  },
): Promise<readonly string[]> {
  return migrate({
    client: target.client,
    migrations: release.migrations,
    runs: ({ name }) => isFoundation(name) === (target.kind === 'foundation'),
    table: 'platform.schema_migrations',
    placeholders: { user_id: target.idType },
    takesTurns: false,
  });
}
