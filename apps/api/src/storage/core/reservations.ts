// From the wish to upload to a file: the rights of whoever uploads, the reservation, the file. Between the two
// bytes flow, and no connection to the database is held.
import { randomUUID } from 'node:crypto';

import type { TableRequest } from '#libs/database';
import { fail } from '#libs/errors';
import type { ProjectRuntime } from '#libs/project-runtime';
import type { BlobAddress } from '#libs/storage-driver';
import { matchesMediaTypes } from '#libs/storage-rules';
import type { Credential } from '#libs/wire';

import { isStored } from './refusal.js';
import { fileJson, readStoredFile, type StoredFile, type Visibility } from './stored-file.js';

export interface UploadPlan {
  readonly bucket: string;
  readonly key: string;
  readonly mediaType: string;
  /** What is asked for; the bucket decides too. Undefined: what the bucket is. */
  readonly visibility: Visibility | undefined;
  readonly upsert: boolean;
  /** Bytes to reserve; those of a stream of unknown length grow by {@link extendUpload}. */
  readonly size: number;
  readonly kind: 'stream' | 'presign' | 'tus' | 'copy';
  /** Lower case hexadecimal. */
  readonly sha256?: string | undefined;
  readonly cacheControl?: string | undefined;
  readonly userMetadata?: Readonly<Record<string, unknown>> | undefined;
  /** After so long without its end the upload counts as given up. */
  readonly expiresInSeconds: number;
  /** What its driver needs to go on with it; stored as JSON. */
  readonly driverState?: unknown;
  /** The id of the upload, when it must be known before. */
  readonly id?: string | undefined;
}

export type Uploader =
  | {
      readonly kind: 'caller';
      readonly credential: Credential;
      readonly client?: TableRequest['client'];
    }
  /** Rights were checked by other means: a token of the bucket. */
  | { readonly kind: 'platform' };

export interface Reservation {
  /** Of the upload, and of the file that it makes unless it replaces one. */
  readonly id: string;
  readonly version: string;
  readonly bucket: string;
  readonly key: string;
  readonly visibility: Visibility;
  readonly driver: 'local' | 's3';
  readonly ownerId: string | null;
  /** Where the bytes go. */
  readonly address: BlobAddress;
  /** The most that may come. */
  readonly maxBytes: number;
  /** Undefined: every type. */
  readonly allowedMediaTypes: readonly string[] | undefined;
}

/**
 * Reserves room for an upload as the uploader. Throws UNAUTHORIZED (401) for callers who are neither signed in
 * nor the project's own server, BUCKET_NOT_FOUND (404), 42501 (403) where policies refuse, MEDIA_TYPE_NOT_ALLOWED
 * (415), FILE_TOO_LARGE and QUOTA_EXCEEDED (413), FILE_EXISTS (409).
 */
export async function reserveUpload(
  project: ProjectRuntime,
  uploader: Uploader,
  plan: UploadPlan,
  driver: 'local' | 's3',
): Promise<Reservation> {
  const { bucket, key, size, upsert } = plan;
  const rights = await requireRights(project, uploader, plan);
  const { replaces, visibility, ownerId } = rights;
  const allowed = rights.allowedMediaTypes ?? undefined;
  if (allowed && !matchesMediaTypes(plan.mediaType, allowed)) {
    throw fail('MEDIA_TYPE_NOT_ALLOWED', { type: plan.mediaType });
  }
  const { maxUploadBytes } = project.settings.get('storage');
  const maxBytes = Math.min(rights.maxFileBytes ?? maxUploadBytes, maxUploadBytes);
  if (size > maxBytes) throw fail('FILE_TOO_LARGE', { maxBytes });
  const { id = randomUUID() } = plan;
  const version = randomUUID();
  const [row] = await project.db.queryAsEngine<{ readonly outcome: string }>(reserve, [
    id,
    bucket,
    key,
    version,
    driver,
    plan.kind,
    size,
    plan.mediaType,
    visibility,
    ownerId,
    upsert,
    plan.expiresInSeconds,
    plan.sha256 ?? null,
    plan.cacheControl ?? null,
    JSON.stringify(plan.userMetadata ?? {}),
    plan.driverState === undefined ? null : JSON.stringify(plan.driverState),
    replaces?.id ?? null,
    rights.isOwnerForeign,
  ]);
  requireReserved(row?.outcome ?? '', { bucket, maxBytes, upsert });
  const address = { bucket, key, version };
  const facts = { id, version, bucket, key, visibility, driver, ownerId };
  return { ...facts, address, maxBytes, allowedMediaTypes: allowed };
}

/** What the bucket and the policies of an uploader say of an upload. */
export interface UploadRights {
  /** What the file will be. */
  readonly visibility: Visibility;
  readonly ownerId: string | null;
  /** A user of another issuer has no row in the table of users. */
  readonly isOwnerForeign: boolean;
  readonly maxFileBytes: number | null;
  readonly allowedMediaTypes: readonly string[] | null;
  /** The file that the caller sees under the key. */
  readonly replaces: { readonly id: string; readonly mayUpdate: boolean } | null;
}

/**
 * Asks bucket and policies whether the uploader may make this file. Throws UNAUTHORIZED (401), BUCKET_NOT_FOUND
 * (404), 42501 (403).
 */
export async function requireRights(
  project: ProjectRuntime,
  uploader: Uploader,
  plan: UploadPlan,
): Promise<UploadRights> {
  const isCaller = uploader.kind === 'caller';
  // Who has a token of the bucket acts with the rights of the project's own server.
  const credential: Credential = isCaller ? uploader.credential : { kind: 'secret-key' };
  const values = [
    plan.bucket,
    plan.key,
    String(plan.size),
    plan.mediaType,
    plan.visibility ?? null,
    JSON.stringify(plan.userMetadata ?? {}),
    String(plan.upsert),
  ];
  const reply = await project.db.runTable({
    credential,
    client: isCaller ? uploader.client : undefined,
    queries: [{ text: askRights, values }],
    readOnly: false,
  });
  if (reply.role === 'anon') throw fail('UNAUTHORIZED');
  const rows = reply.results[0]?.rows;
  if (!rows || rows.count === 0) throw fail('BUCKET_NOT_FOUND', { slug: plan.bucket });
  // Written by the statement below.
  const found = JSON.parse(rows.first(0).toString('utf8')) as FoundRights;
  const { mayInsert, ...rights } = found;
  if (!mayInsert) throw fail('42501');
  const { replaces } = rights;
  if (replaces?.mayUpdate === false) {
    if (await isStored(project, replaces.id)) throw fail('42501');
    // It was deleted while policies were asked about it.
    return requireRights(project, uploader, plan);
  }
  return { ...rights, isOwnerForeign: reply.caller.via === 'third-party' };
}

interface FoundRights extends Omit<UploadRights, 'isOwnerForeign'> {
  readonly mayInsert: boolean;
}

/** Asking leaves nothing behind, so that nobody need wait until that is on the disk. */
const askRights = `select json_build_object(
    'visibility', effective.visibility, 'ownerId', auth.uid(),
    'maxFileBytes', b.max_file_bytes, 'allowedMediaTypes', b.allowed_media_types,
    'mayInsert', storage.may_insert(
      b.slug, $2::text, $3::bigint, $4::text, effective.visibility, auth.uid(), $6::jsonb
    ),
    'replaces', case when $7::boolean then (
      select json_build_object('id', f.id, 'mayUpdate', storage.may_update(
        f.id, null, $3::bigint, $4::text, effective.visibility, $6::jsonb
      ))
      from storage.files f where f.bucket = b.slug and f.key = $2::text
    ) end
  )
  from (select set_config('synchronous_commit', 'off', true)) asking, storage.buckets b
  cross join lateral (
    select case when b.public and coalesce($5::text, 'public') = 'public' then 'public' else 'private' end
      as visibility
  ) effective
  where b.slug = $1::text`;

const reserve = `select storage.reserve_upload(
    $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, now() + make_interval(secs => $12),
    decode($13, 'hex'), $14, $15, $16, $17, $18
  ) as outcome`;

/** Reserves more for a stream. Throws UPLOAD_NOT_FOUND (404), FILE_TOO_LARGE and QUOTA_EXCEEDED (413). */
export async function extendUpload(
  project: ProjectRuntime,
  { id, bucket, maxBytes }: Pick<Reservation, 'id' | 'bucket' | 'maxBytes'>,
  bytes: number,
): Promise<void> {
  const text = 'select storage.extend_upload($1, $2) as outcome';
  const [row] = await project.db.queryAsEngine<{ readonly outcome: string }>(text, [id, bytes]);
  requireReserved(row?.outcome ?? '', { bucket, maxBytes, upsert: false });
}

/** Ends an upload without a file; its bytes are removed. Fine for one that has ended. */
export async function releaseUpload(project: ProjectRuntime, id: string): Promise<void> {
  await project.db.queryAsEngine('select storage.release_upload($1)', [id]);
}

export interface CommittedUpload {
  /** `repeated`: the upload had made the file before. */
  readonly outcome: 'created' | 'replaced' | 'repeated';
  readonly file: StoredFile;
}

/**
 * Makes the file of an upload whose bytes are durable, and announces it. Throws UPLOAD_NOT_FOUND (404) for one that
 * has ended without a file, FILE_EXISTS (409) when another upload was faster.
 */
export async function commitUpload(
  project: ProjectRuntime,
  id: string,
  content: {
    readonly size: number;
    /** When it is another one than was announced. */
    readonly mediaType?: string | undefined;
    /** Lower case hexadecimal. */
    readonly sha256?: string | undefined;
  },
): Promise<CommittedUpload> {
  const { size, mediaType = null, sha256 = null } = content;
  const values = [id, size, mediaType, sha256];
  const [row] = await project.db.queryAsEngine<CommitRow>(commit, values);
  switch (row?.outcome) {
    case 'created':
    case 'replaced':
    case 'repeated':
      return { outcome: row.outcome, file: readStoredFile(row.file) };
    case 'key_taken':
      throw fail('FILE_EXISTS');
    case 'size_exceeded':
      throw new Error('An upload has become larger than what was reserved for it');
    case 'upload_missing':
    case undefined:
      throw fail('UPLOAD_NOT_FOUND');
  }
}

interface CommitRow {
  readonly outcome:
    'created' | 'replaced' | 'repeated' | 'upload_missing' | 'key_taken' | 'size_exceeded';
  readonly file: unknown;
}

const commit = `select c.outcome, ${fileJson('(c.file)')} as file
  from storage.commit_upload($1, $2, $3, decode($4, 'hex')) c
  left join storage.buckets b on b.slug = (c.file).bucket`;

function requireReserved(
  outcome: string,
  asked: { readonly bucket: string; readonly maxBytes: number; readonly upsert: boolean },
): void {
  const { bucket, maxBytes, upsert } = asked;
  switch (outcome) {
    case 'reserved':
      return;
    case 'bucket_missing':
      throw fail('BUCKET_NOT_FOUND', { slug: bucket });
    case 'file_too_large':
      throw fail('FILE_TOO_LARGE', { maxBytes });
    case 'quota_exceeded':
      throw fail('QUOTA_EXCEEDED', { bucket });
    case 'key_taken':
      // With upsert it is a file that policies let the caller neither see nor change.
      throw fail(upsert ? '42501' : 'FILE_EXISTS');
    default:
      throw fail('UPLOAD_NOT_FOUND');
  }
}
