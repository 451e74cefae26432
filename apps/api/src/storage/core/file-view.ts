import type { ProjectRuntime } from '#libs/project-runtime';
import { entityTag } from '#libs/storage-rules';

import { fallbackSlugs } from './buckets.js';
import type { StoredFile, Visibility } from './stored-file.js';

/** A file as the API shows it. */
export interface FileView {
  readonly id: string;
  /** Null for a file that was uploaded without a bucket. */
  readonly bucket: string | null;
  readonly key: string;
  /** The last part of the key. */
  readonly name: string;
  readonly version: string;
  readonly etag: string;
  /** In bytes. */
  readonly size: number;
  readonly mime: string;
  readonly visibility: Visibility;
  readonly ownerId: string | null;
  /** Lower case hexadecimal; null unless the checksum was sent along. */
  readonly sha256: string | null;
  readonly cacheControl: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** In lists, where the metadata of a file of an earlier release is too large to be shown. */
  readonly metadataOmitted?: true;
  /** For a public file the public address, for a private file the address for callers who may read it. */
  readonly url: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export function fileView(project: ProjectRuntime, file: StoredFile): FileView {
  const { id, bucket, key, version, size, mediaType: mime, visibility, ownerId } = file;
  const { sha256, cacheControl, userMetadata, createdAt, updatedAt } = file;
  return {
    id,
    bucket: fallbackSlugs.has(bucket) ? null : bucket,
    key,
    name: fileName(key),
    version,
    etag: entityTag(version),
    size,
    mime,
    visibility,
    ownerId,
    sha256,
    cacheControl,
    metadata: userMetadata ?? {},
    ...(userMetadata === null && { metadataOmitted: true }),
    url: isPublic(file) ? publicUrl(project, file) : rawUrl(project, file),
    createdAt,
    updatedAt,
  };
}

/** Whether everybody may read the file: it and its bucket say so. */
export function isPublic({ visibility, isBucketPublic }: StoredFile): boolean {
  return isBucketPublic && visibility === 'public';
}

/** Returns the URL of a file: public files need no credential there, private files a token of the bucket. */
export function publicUrl(
  project: ProjectRuntime,
  { bucket, key }: Pick<StoredFile, 'bucket' | 'key'>,
): string {
  const path = key.split('/').map(encodeURIComponent).join('/');
  return `${project.baseUrl.origin}/api/storage/${bucket}/files/${path}`;
}

/** The address at which callers read a file under the policies. */
export function rawUrl(project: ProjectRuntime, { id }: Pick<StoredFile, 'id'>): string {
  return `${project.baseUrl.origin}/api/files/${id}/raw`;
}

/** The last part of a key. */
export function fileName(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1);
}
