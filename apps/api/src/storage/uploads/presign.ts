// A reservation with a URL that takes exactly its bytes, past the server. It becomes a file when it is finalized.
import { randomUUID } from 'node:crypto';

import { fail } from '#libs/errors';
import type { ProjectRuntime } from '#libs/project-runtime';
import {
  parseBucketSlug,
  parseCacheControl,
  parseMediaType,
  parseObjectKey,
  parseUserMetadata,
} from '#libs/storage-rules';

import { fallbackSlugs } from '../core/buckets.js';
import {
  releaseUpload,
  type Reservation,
  reserveUpload,
  type Uploader,
  type UploadPlan,
} from '../core/reservations.js';
import type { Visibility } from '../core/stored-file.js';
import type { WriteCondition } from '../core/write-condition.js';
import { planUpload } from './plan-upload.js';
import type { PresignBody } from './uploads.dto.js';

/** How long a finished transfer may wait to be finalized. */
const graceSeconds = 15 * 60;
/** The most that S3 takes in one request. */
const maxPutBytes = 5 * 1024 ** 3;

/** A reservation as its owner sees it. */
export interface ReservedFileView {
  readonly id: string;
  readonly bucket: string | null;
  readonly key: string;
  readonly size: number;
  readonly mime: string;
  readonly visibility: Visibility;
  readonly status: 'reserved';
  /** When the reservation ends unless it was finalized. */
  readonly expiresAt: string;
}

export interface PresignedUpload {
  readonly file: ReservedFileView;
  readonly uploadUrl: string;
  readonly method: 'PUT';
  /** To be sent with the bytes exactly so. */
  readonly requiredHeaders: Readonly<Record<string, string>>;
  /** When the URL ends. */
  readonly expiresAt: string;
}

/** What is kept of a URL until its upload is finalized. */
interface PresignState {
  /** Whether the store takes one upload by it; otherwise bytes may be put there again at any time until it ends. */
  readonly isOnce: boolean;
}

/**
 * Reserves an upload; the condition holds until it is finalized. Throws PRESIGN_NOT_SUPPORTED (400) with the local
 * driver, and what planning and reserving throw.
 */
export async function presignUpload(
  project: ProjectRuntime,
  uploader: Uploader,
  {
    body,
    condition,
  }: { readonly body: PresignBody; readonly condition?: WriteCondition | undefined },
): Promise<PresignedUpload> {
  using storage = await project.files.acquire();
  const { driver, kind } = storage.value;
  if (!driver.presignWrite || !driver.presignsOnce) throw fail('PRESIGN_NOT_SUPPORTED');
  if (body.size > maxPutBytes) throw fail('FILE_TOO_LARGE', { maxBytes: maxPutBytes });
  const { presignExpiresIn: expiresInSeconds } = project.settings.get('storage');
  const beganAt = Date.now();
  const driverState: PresignState = { isOnce: await driver.presignsOnce() };
  const plan = { ...planOf(body, expiresInSeconds + graceSeconds), driverState, condition };
  const reservation = await reserveUpload(project, uploader, plan, kind);
  try {
    const { size, mediaType } = plan;
    const options = { size, mediaType, expiresInSeconds };
    const { url, headers } = await driver.presignWrite(reservation.address, options);
    return {
      file: reservedView(plan, reservation, beganAt + plan.expiresInSeconds * 1000),
      uploadUrl: url,
      method: 'PUT',
      requiredHeaders: headers,
      expiresAt: new Date(beganAt + expiresInSeconds * 1000).toISOString(),
    };
  } catch (error) {
    await releaseUpload(project, reservation.id);
    throw error;
  }
}

function planOf(body: PresignBody, expiresInSeconds: number): UploadPlan {
  const { filename, size, mime, visibility, bucket, path, cacheControl, metadata, sha256 } = body;
  const options = {
    bucket: bucket === undefined ? undefined : parseBucketSlug(bucket),
    key: path === undefined ? undefined : parseObjectKey(path),
    visibility,
    upsert: body.upsert ?? false,
    mediaType: parseMediaType(mime),
    cacheControl: cacheControl === undefined ? undefined : parseCacheControl(cacheControl),
    userMetadata: metadata === undefined ? undefined : parseUserMetadata(metadata),
  };
  return planUpload(options, {
    id: randomUUID(),
    fileName: filename,
    declaredType: undefined,
    size,
    kind: 'presign',
    sha256: sha256?.toLowerCase(),
    expiresInSeconds,
  });
}

function reservedView(
  { size, mediaType }: UploadPlan,
  { id, bucket, key, visibility }: Reservation,
  endsAt: number,
): ReservedFileView {
  return {
    id,
    bucket: fallbackSlugs.has(bucket) ? null : bucket,
    key,
    size,
    mime: mediaType,
    visibility,
    status: 'reserved',
    expiresAt: new Date(endsAt).toISOString(),
  };
}
