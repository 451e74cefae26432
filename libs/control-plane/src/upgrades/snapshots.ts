// Lists and drops the snapshots of projects.
import type { DataSource, EntityManager } from 'typeorm';
import { namesOf } from '../provisioning/names.js';
import { dropDatabase } from '../provisioning/drop-database.js';
import type { ProjectsContext } from '../projects/projects-context.js';

/** A copy of a project's database from before an upgrade. */
export interface ProjectSnapshot {
  readonly database: string;
  readonly ref: string;
  readonly migratedTo: string;
  /** Whether the superuser's first migrations have run in it. */
  readonly hasFoundation: boolean;
  readonly takenAt: Date;
}

const columns = `database, ref, migrated_to as "migratedTo", has_foundation as "hasFoundation",
  taken_at as "takenAt"`;

/** Returns the snapshots that are kept until they are confirmed. */
export async function listSnapshots(dataSource: DataSource): Promise<readonly ProjectSnapshot[]> {
  const found: ProjectSnapshot[] = await dataSource.query(
    `select ${columns} from project_snapshot where is_kept order by ref, taken_at`,
  );
  return found;
}

/** Returns the snapshot with this name. */
export async function findSnapshot(
  manager: EntityManager,
  database: string,
): Promise<ProjectSnapshot | undefined> {
  const [found]: ProjectSnapshot[] = await manager.query(
    `select ${columns} from project_snapshot where database = $1`,
    [database],
  );
  return found;
}

/** Returns the latest snapshot of a project. */
export async function findLastSnapshot(
  { manager }: DataSource,
  ref: string,
): Promise<ProjectSnapshot | undefined> {
  const [found]: ProjectSnapshot[] = await manager.query(
    `select ${columns} from project_snapshot where ref = $1 and is_kept order by taken_at desc limit 1`,
    [ref],
  );
  return found;
}

/** Drops the snapshots of a project, all or all but one. */
export async function dropSnapshots(
  { dataSource, server }: Pick<ProjectsContext, 'dataSource' | 'server'>,
  ref: string,
  kept?: string,
): Promise<void> {
  const found: { database: string }[] = await dataSource.query(
    `select database from project_snapshot where ref = $1 and database is distinct from $2`,
    [ref, kept ?? null],
  );
  for (const { database } of found) {
    await dropDatabase(server, database);
    await dataSource.query('delete from project_snapshot where database = $1', [database]);
  }
}

/** Returns the size of the databases of projects: what their snapshots take; bytes. */
export async function sizeOf(dataSource: DataSource, refs: readonly string[]): Promise<number> {
  // A database keeps its earlier name, after the ref, until its upgrade.
  const projects: { id: string }[] = await dataSource.query(
    `select case when has_legacy_names then ref else database_id end as id from project where ref = any ($1)`,
    [refs],
  );
  const [size]: { bytes: number }[] = await dataSource.query(
    `select coalesce(pg_catalog.sum(pg_catalog.pg_database_size(oid)), 0)::pg_catalog.float8 as bytes
     from pg_catalog.pg_database where datname = any ($1)`,
    [projects.map(({ id }) => namesOf(id).database)],
  );
  return size?.bytes ?? 0;
}
