// Where the files of a project are. New ones go where the settings say; those that are elsewhere, because the
// settings were other ones when they came, are still read there.
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

/** The places of a project's files under the settings of one moment. */
export interface ProjectStorage {
  /** Where new files go. */
  readonly kind: DriverKind;
  /** The driver of that kind. */
  readonly driver: StorageDriver;
  /** Throws STORAGE_NOT_CONFIGURED. */
  driverOf(kind: DriverKind): StorageDriver;
  close(): Promise<void>;
}

export interface StorageDeps {
  readonly ref: string;
  /** Of the local driver. An absolute path. */
  readonly folder: string;
  /** Room on the disk of that folder. */
  readonly space: Space;
  readonly resolveHost: ResolveStorageHost;
}

/** The storage under these settings, without asking a store whether they are right. */
export async function openProjectStorage(
  deps: StorageDeps,
  settings: StorageSettings,
): Promise<ProjectStorage> {
  const local = openLocalStorage({ root: deps.folder, space: deps.space });
  const options = storeOptions(deps, settings);
  const s3 = options && (await openS3Storage(options));
  return storageOf(settings.driver, local, s3);
}

/** Tries out the store to which new files would go. Throws SETTINGS_REFUSED with what is wrong. */
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
