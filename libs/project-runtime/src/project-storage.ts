// The stores of a project's files. New files go where the settings say; files that were stored under other settings are
// still read from their old store.
import { fail } from '#libs/errors';
import type { SettingsOf } from '#libs/settings';
import {
  checkS3Storage,
  openLocalStorage,
  openS3Storage,
  type ResolveStorageHost,
  type S3StorageOptions,
  type Space,
  type StorageDriver,
} from '#libs/storage-driver';
import type { DriverKind } from '#libs/wire';

type StorageSettings = SettingsOf<'storage'>;

/** The stores of a project's files under one version of the settings. */
export interface ProjectStorage {
  /** The store of new files. */
  readonly kind: DriverKind;
  /** The driver of that kind. */
  readonly driver: StorageDriver;
  /** Throws STORAGE_NOT_CONFIGURED. */
  driverOf(kind: DriverKind): StorageDriver;
  close(): Promise<void>;
}

export interface StorageDeps {
  readonly ref: string;
  /** For the local driver. An absolute path. */
  readonly folder: string;
  /** Free space on the disk of that folder. */
  readonly space: Space;
  readonly resolveHost: ResolveStorageHost;
}

/** Returns the storage for these settings, without testing them with a store. */
export async function openProjectStorage(
  deps: StorageDeps,
  settings: StorageSettings,
): Promise<ProjectStorage> {
  const local = openLocalStorage({ root: deps.folder, space: deps.space });
  const options = storeOptions(deps, settings);
  const s3 = options && (await openS3Storage(options));
  return storageOf(settings.driver, local, s3);
}

/** Tests the store to which new files would go. Throws SETTINGS_REFUSED with the reason. */
export async function checkProjectStorage(
  deps: StorageDeps,
  settings: StorageSettings,
): Promise<void> {
  const options = storeOptions(deps, settings);
  if (settings.driver === 'local' || !options) return;
  const check = await checkS3Storage(options);
  if (!check.isOk) throw fail('SETTINGS_REFUSED', { reason: check.reason });
}

/** Whether both settings lead to the same objects of the same store. */
export function isSameStore(a: StorageSettings['s3'], b: StorageSettings['s3']): boolean {
  return a.endpoint === b.endpoint && a.region === b.region && a.bucket === b.bucket;
}

function storageOf(
  kind: DriverKind,
  local: StorageDriver,
  s3: StorageDriver | undefined,
): ProjectStorage {
  const driverOf = (wanted: DriverKind): StorageDriver => {
    if (wanted === 'local') return local;
    if (!s3) throw fail('STORAGE_NOT_CONFIGURED');
    return s3;
  };
  return {
    kind,
    get driver() {
      return driverOf(kind);
    },
    driverOf,
    close: async () => void (await Promise.all([local.close(), s3?.close()])),
  };
}

function storeOptions(
  { ref, resolveHost }: StorageDeps,
  { s3 }: StorageSettings,
): S3StorageOptions | undefined {
  const { bucket, accessKeyId, secretAccessKey, endpoint, region, forcePathStyle } = s3;
  if (bucket === undefined || accessKeyId === undefined || secretAccessKey === undefined) {
    return undefined;
  }
  const credentials = { accessKeyId, secretAccessKey };
  return { ref, bucket, credentials, endpoint, region, forcePathStyle, resolveHost };
}
