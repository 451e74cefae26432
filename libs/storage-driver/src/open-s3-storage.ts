// Loads the S3 driver on first use: the SDK costs half a second and 25 MB.
import type { S3Check, S3StorageOptions } from './s3-options.js';
import type { StorageDriver } from './storage-driver.js';

/**
 * The objects of one project in a bucket of an S3-compatible store. Makes no request yet, so wrong settings show at the
 * first use; test them with {@link checkS3Storage}.
 */
export async function openS3Storage(
  options: S3StorageOptions,
): Promise<StorageDriver & Required<Pick<StorageDriver, 'presignWrite' | 'presignRead'>>> {
  const { S3Storage } = await import('./s3/s3-storage.js');
  return new S3Storage(options);
}

/**
 * Tests whether the store can be reached and the credentials may list, write, read and delete, with one small object
 * that is removed again. Never rejects because of the store. Takes up to about a minute if the store does not answer.
 */
export async function checkS3Storage(options: S3StorageOptions): Promise<S3Check> {
  const { checkS3 } = await import('./s3/check-s3-storage.js');
  return checkS3(options);
}
