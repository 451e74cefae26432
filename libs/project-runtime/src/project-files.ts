// The files of an open project: the stores of their bytes, images made from them, the key of links, and background
// work. Knows neither requests nor who may do what with a file.
import { join } from 'node:path';

import type { EngineQueries } from '#libs/database';
import { fail } from '#libs/errors';
import { type ImageVariants, openImageVariants } from '#libs/image-transform';
import { deriveKey } from '#libs/secrets';
import type { SettingsOf } from '#libs/settings';
import type { Space } from '#libs/storage-driver';

import type { BuiltPart, ProjectState } from './project-state.js';
import {
  checkProjectStorage,
  isSameStore,
  openProjectStorage,
  type ProjectStorage,
  type StorageDeps,
} from './project-storage.js';
import type { RuntimeDeps } from './runtime-deps.js';
import { type Candidate, type Lease, Replaceable } from './replaceable.js';
import { StorageWork } from './storage-work/storage-work.js';

type StorageSettings = SettingsOf<'storage'>;

/** Content up to this size may be cached in memory; for longer content a stream costs less than a copy. */
export const shortBytes = 64 * 1024;

export class ProjectFiles implements BuiltPart {
  readonly kind = 'storage';
  /** Has webhooks of buckets delivered, and removes objects that are no longer used. */
  readonly work: StorageWork;
  /** Images made from files; stored on this machine, wherever the files are. */
  readonly images: ImageVariants;
  private readonly storage: Replaceable<ProjectStorage>;

  constructor(
    private readonly db: EngineQueries,
    private readonly deps: RuntimeDeps,
    private readonly current: () => ProjectState,
    /** Has due deliveries of webhooks sent. Returns at once. */
    deliverSoon: () => void,
  ) {
    const { imageQueue, now, onError } = deps;
    const { ref } = current().record;
    this.storage = new Replaceable<ProjectStorage>({
      build: () => this.open(current()),
      close: (storage) => storage.close(),
      name: `the file storage of ${ref}`,
      onError,
    });
    this.images = openImageVariants({
      queue: imageQueue,
      folder: join(this.folder, '.variants'),
      maxBytes: () => current().settings.get('storage').images.cacheBytes,
      now,
      onError,
    });
    this.work = new StorageWork({
      db,
      acquireStorage: () => this.acquire(),
      deliverSoon,
      storageFolder: this.folder,
      onError,
    });
  }

  /** Returns a lease on the stores of the files; hold it as long as bytes flow. */
  acquire(): Promise<Lease<ProjectStorage>> {
    return this.storage.acquire();
  }

  /**
   * Returns immutable content by name, from the in-memory cache or else from `load`. The caller has checked the right
   * to read it, and must not change it.
   */
  async readKept(name: string, load: () => Promise<Buffer>): Promise<Buffer> {
    const { deps, current } = this;
    const { ref } = current().record;
    const known = deps.smallContents.find(ref, name);
    if (known) return known;
    const content = await load();
    if (content.length <= shortBytes) deps.smallContents.keep(ref, name, content);
    return content;
  }

  /** The project's folder on this machine, as an absolute path. Created by the first writer. */
  get folder(): string {
    return this.storageDeps.folder;
  }

  /** The most bytes that all files may have together; undefined: no limit. */
  get quotaBytes(): number | undefined {
    const { deps, current } = this;
    return current().record.storageQuotaBytes ?? deps.storageQuotaBytes;
  }

  /** Free space on the disk of that folder. */
  get space(): Space {
    return this.storageDeps.space;
  }

  /** Signs the links to private files; 32 bytes. */
  get linkKey(): Buffer {
    return deriveKey(this.current().record.dataKey, 'links to files');
  }

  /**
   * Checks storage settings before they replace those of `before`. Throws SETTINGS_REFUSED for a store that does not
   * work, or that would leave files behind.
   */
  async check(before: StorageSettings, next: StorageSettings): Promise<void> {
    if (!isSameStore(before.s3, next.s3) && (await this.hasFilesIn('s3'))) {
      const reason = 'files are in the store; move them to the local driver first';
      throw fail('SETTINGS_REFUSED', { reason });
    }
    await checkProjectStorage(this.storageDeps, next);
  }

  get isBuilt(): boolean {
    return this.storage.isBuilt;
  }

  get isStale(): boolean {
    return this.storage.isStale;
  }

  prepare(state: ProjectState): Promise<Candidate> {
    return this.storage.prepare(() => this.open(state));
  }

  rebuildSoon(): void {
    this.storage.rebuildSoon();
  }

  /** Stops the background work, then closes the stores when the last lease on them ends. */
  async close(): Promise<void> {
    await Promise.all([this.work.close(), this.images.close()]);
    this.storage.close();
  }

  private async hasFilesIn(driver: ProjectStorage['kind']): Promise<boolean> {
    const rows = await this.db.queryAsEngine(
      `select from storage.stored_files where driver operator(pg_catalog.=) $1
       union all select from storage.uploads where driver operator(pg_catalog.=) $1
       union all select from storage.garbage where driver operator(pg_catalog.=) $1 limit 1`,
      [driver],
    );
    return rows.length > 0;
  }

  private open({ settings }: ProjectState): Promise<ProjectStorage> {
    return openProjectStorage(this.storageDeps, settings.get('storage'));
  }

  private get storageDeps(): StorageDeps {
    const { deps, current } = this;
    return deps.storageDeps(current().record);
  }
}
