// What a project has stored, seen from outside: rows, counters, objects, and what writes have left unfinished.
import { getProjectRecord, openControlPlane, projectsContext } from '#libs/control-plane';
import { sweepStorage, type StorageSweepCounts } from '#libs/project-runtime';
import { openLocalStorage, type StorageDriver } from '#libs/storage-driver';

import { withProjectDatabase } from '#libs/database';
import { type Deployment, testDatabaseUrl } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { rowsIn } from '../storage/bucket-rows.js';
import { localFolder } from '../storage/stored-files.js';

export interface StoredRow {
  readonly key: string;
  readonly version: string;
  readonly size: number;
  readonly seed: number;
  readonly stored_key: string;
  readonly bucket: string;
}

const forever = new AbortController().signal;

/** The store of one project beside the server, as the worker of the deployment meets it. */
export class StoredState {
  constructor(
    private readonly deployment: Deployment,
    private readonly project: ProjectUnderTest,
    private readonly driver: StorageDriver,
  ) {}

  async rows(): Promise<readonly StoredRow[]> {
    const rows = await rowsIn(
      this.project,
      `select key, version, size::float8 as size, bucket, stored_key,
         (user_metadata ->> 'seed')::int as seed from storage.stored_files`,
    );
    return rows as unknown as StoredRow[]; // Named and typed by the statement above.
  }

  /** Rows whose object is not there or has another length. */
  async rowsWithoutBytes(): Promise<readonly string[]> {
    const lost: string[] = [];
    for (const { bucket, stored_key: key, version, size, ...row } of await this.rows()) {
      // One after the other: stores for tests are slow, and nothing is waited for long.
      const found = await this.driver.stat({ bucket, key, version });
      if (found?.size !== size) lost.push(`${row.key}: ${found?.size} bytes instead of ${size}`);
    }
    return lost;
  }

  /** By how much the counters of buckets differ from what they count. */
  drift(): Promise<Record<string, unknown>[]> {
    return rowsIn(
      this.project,
      `select * from (
         select b.slug,
           b.used_bytes - (select coalesce(sum(size), 0) from storage.stored_files where bucket = b.slug) as used,
           b.object_count - (select count(*) from storage.stored_files where bucket = b.slug) as files,
           b.reserved_bytes - (select coalesce(sum(size), 0) from storage.uploads where bucket = b.slug) as reserved
         from storage.buckets b) counted
       where used <> 0 or files <> 0 or reserved <> 0`,
    );
  }

  /** Lets the time of every reservation and every pause before a removal be over. */
  async passTime(): Promise<void> {
    await rowsIn(this.project, `update storage.uploads set expires_at = now() - interval '1 s'`);
    await rowsIn(this.project, `update storage.garbage set not_before = now() - interval '1 s'`);
  }

  /** One round of the worker, with no respect for uploads that may be under way. */
  async sweep(): Promise<StorageSweepCounts> {
    const { databaseName, masterKey, dataDir } = this.deployment.ground;
    const databaseUrl = testDatabaseUrl();
    const controlPlane = await openControlPlane({
      databaseUrl,
      masterKey,
      databaseName,
      dataDir,
      reservedRefs: [],
    });
    try {
      const projects = projectsContext(controlPlane, () => Promise.resolve());
      const record = await getProjectRecord(projects, this.project.ref);
      if (!record) throw new Error('the project is not there');
      const storageFolder = localFolder(this.deployment, this.project);
      const local = openLocalStorage({ root: storageFolder });
      const { driver } = this;
      const driverOf = (kind: StorageDriver['kind']) => (kind === driver.kind ? driver : local);
      const close = () => Promise.resolve();
      const storage = { kind: driver.kind, driver, driverOf, close };
      const lease = { value: storage, release: () => undefined, [Symbol.dispose]: () => undefined };
      return await withProjectDatabase(record, (db) =>
        sweepStorage({
          db,
          storageFolder,
          acquireStorage: () => Promise.resolve(lease),
          now: Date.now,
          onError: (error) => {
            throw error;
          },
          orphanAgeMs: 0,
          signal: forever,
        }),
      );
    } finally {
      await controlPlane.close();
    }
  }

  /** Versions that the store has and no row. */
  async objectsWithoutRow(): Promise<readonly string[]> {
    const known = new Set((await this.rows()).map(({ version }) => version));
    const found: string[] = [];
    for await (const { address } of this.driver.list({ signal: forever })) {
      if (!known.has(address.version)) found.push(address.version);
    }
    return found;
  }

  /** How many writes were left unfinished; they are gone afterwards. */
  unfinishedWrites(): Promise<number> {
    return this.driver.removeStale(new Date(Date.now() + 60_000));
  }
}
