// Compares the content of a driver with the rows, in both directions. Objects without a row go on the list of objects
// to remove; files without an object are reported to the operator and left alone.
import type { EngineQueries } from '#libs/database';
import type { ProjectStorage } from '../project-storage.js';
import type { StorageDriver, StoredObject } from '#libs/storage-driver';

import { inParallel } from './in-parallel.js';
import { isStillThere } from './relocation.sql.js';

const checkedAtOnce = 500;
const sampledFiles = 200;
const statsAtOnce = 8;
/** Stores return times in whole seconds, some of them rounded up. */
const storeClockMs = 1000;

interface Sweep {
  readonly db: EngineQueries;
  readonly driver: StorageDriver;
  readonly signal: AbortSignal;
}

/**
 * Puts objects that are older than `olderThan` and have no row on the list of objects to remove; returns their number.
 * Aborts with REQUEST_ABORTED.
 */
export async function claimOrphans(
  { db, driver, signal }: Sweep,
  olderThan: Date,
): Promise<number> {
  let claimed = 0;
  let part: StoredObject[] = [];
  for await (const object of driver.list({ signal })) {
    if (object.modifiedAt.getTime() - storeClockMs > olderThan.getTime()) continue;
    part.push(object);
    if (part.length < checkedAtOnce) continue;
    claimed += await claim(db, driver.kind, part);
    part = [];
  }
  return claimed + (await claim(db, driver.kind, part));
}

async function claim(
  db: EngineQueries,
  kind: StorageDriver['kind'],
  objects: readonly StoredObject[],
): Promise<number> {
  if (objects.length === 0) return 0;
  const addresses = objects.map(({ address }) => address);
  const [row] = await db.queryAsEngine<{ count: number }>(
    `select storage.claim_orphans(
       $1, $2::pg_catalog.uuid[], $3::pg_catalog.text[], $4::pg_catalog.text[]
     ) as count`,
    [
      kind,
      addresses.map(({ version }) => version),
      addresses.map(({ bucket }) => bucket),
      addresses.map(({ key }) => key),
    ],
  );
  return row?.count ?? 0;
}

interface SampledFile {
  readonly id: string;
  readonly bucket: string;
  readonly storedKey: string;
  readonly version: string;
}

/** The ids of files without an object, from a sample that begins at a random place. */
export async function findMissingObjects({
  db,
  driver,
  signal,
}: Sweep): Promise<readonly string[]> {
  const files = await db.queryAsEngine<SampledFile>(
    `with sample as materialized (select pg_catalog.gen_random_uuid() as start), files as (
       (select f.* from storage.stored_files f
        where f.driver operator(pg_catalog.=) $1
          and f.id operator(pg_catalog.>=) (select start from sample) order by f.id limit $2)
       union all
       (select f.* from storage.stored_files f
        where f.driver operator(pg_catalog.=) $1
          and f.id operator(pg_catalog.<) (select start from sample) order by f.id limit $2)
       limit $2
     )
     select id, bucket, stored_key as "storedKey", version from files`,
    [driver.kind, sampledFiles],
  );
  const missing: string[] = [];
  await inParallel(files, statsAtOnce, async (file) => {
    if (signal.aborted) return;
    const { bucket, storedKey: key, version, id } = file;
    if (await driver.stat({ bucket, key, version })) return;
    // It may have been replaced, deleted or moved during the check.
    if (await isStillThere(db, driver.kind, file)) missing.push(id);
  });
  return missing;
}

/** The versions of objects that arrive over several requests, with possibly long pauses between them. */
export async function listGrowingVersions(db: EngineQueries): Promise<readonly string[]> {
  const rows = await db.queryAsEngine<{ version: string }>(
    "select version from storage.uploads where kind operator(pg_catalog.=) 'tus'",
  );
  return rows.map(({ version }) => version);
}

/** Whether objects of the project are in the store although new ones go elsewhere. */
const hasObjects = `(
  exists (select from storage.stored_files where driver operator(pg_catalog.=) 's3')
  or exists (select from storage.uploads where driver operator(pg_catalog.=) 's3')
  or exists (select from storage.garbage where driver operator(pg_catalog.=) 's3')
  or exists (select from storage.relocations))`;

/**
 * Returns SQL conditions for whether files are to be compared with their content, and whether a store is to be searched
 * for objects. Objects of the local driver may exist without any row. `driver` is SQL: where new files go.
 */
export function compareConditions(driver: string): Readonly<Record<'files' | 'objects', string>> {
  return {
    files: 'exists (select from storage.stored_files)',
    objects: `(${driver} operator(pg_catalog.=) 's3' or ${hasObjects})`,
  };
}

/** The drivers that hold objects of the project, or may. */
export async function usedDrivers(
  db: EngineQueries,
  storage: ProjectStorage,
): Promise<readonly StorageDriver[]> {
  const local = storage.driverOf('local');
  if (storage.kind === 's3') return [local, storage.driver];
  const [row] = await db.queryAsEngine<{ hasObjects: boolean }>(
    `select ${hasObjects} as "hasObjects"`,
  );
  return row?.hasObjects ? [local, storage.driverOf('s3')] : [local];
}
