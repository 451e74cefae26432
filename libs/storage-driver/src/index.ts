export { FreeSpace, readDisk, reserveOf, type Space } from './local/free-space.js';
export { hasLocalFiles, openLocalStorage } from './local/local-storage.js';
export { checkS3Storage, openS3Storage } from './open-s3-storage.js';
export type { ResolveStorageHost, S3Check, S3CheckStep, S3StorageOptions } from './s3-options.js';
export type {
  AppendOptions,
  ObjectAddress,
  ObjectFacts,
  OpenObject,
  PresignedWrite,
  PresignReadOptions,
  PresignWriteOptions,
  ReadOptions,
  StorageDriver,
  StoredObject,
  WriteOptions,
  WrittenObject,
} from './storage-driver.js';
