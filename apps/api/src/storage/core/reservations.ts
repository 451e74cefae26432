// Reserves an upload with the rights of the uploader. Bytes flow afterwards, while no connection to the database is
// held; `commit-upload.ts` creates the file.
import { randomUUID } from 'node:crypto';

import type { TableRequest } from '#libs/database';
import { fail } from '#libs/errors';
import type { ProjectRuntime } from '#libs/project-runtime';
import type { ObjectAddress } from '#libs/storage-driver';
import { isUuid, matchesMediaTypes } from '#libs/storage-rules';
import type { Credential, DriverKind } from '#libs/wire';

import type { AskedDatabase } from './asked-database.js';
import { maxUploadOf } from './max-upload.js';
import { isStored } from './refusal.js';
import type { Visibility } from './stored-file.js';
import { takenError } from './taken-error.js';
import { type ConditionedFile, expectedFile, type WriteCondition } from './write-condition.js';

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
  /** How long the upload may take before it counts as abandoned. */
  readonly expiresInSeconds: number;
  /** What its driver needs to go on with it; stored as JSON. */
  readonly driverState?: unknown;
  /** What the request says about the file that has the key. */
  readonly condition?: WriteCondition | undefined;
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
  readonly driver: DriverKind;
  readonly ownerId: string | null;
  /** Where the bytes go. */
  readonly address: ObjectAddress;
  /** The most that may come. */
  readonly maxBytes: number;
  /** Undefined: every type. */
  readonly allowedMediaTypes: readonly string[] | undefined;
}

/**
 * Reserves room for an upload as the uploader. Throws UNAUTHORIZED (401) for callers who are neither signed in
 * nor the project's own server, BUCKET_NOT_FOUND (404), 42501 (403) where policies refuse, MEDIA_TYPE_NOT_ALLOWED
 * (415), FILE_TOO_LARGE and QUOTA_EXCEEDED (413), FILE_EXISTS (409), PRECONDITION_FAILED (412),
 * PROJECT_STORAGE_FULL (507).
 */
export async function reserveUpload(
  project: ProjectRuntime,
  uploader: Uploader,
  plan: UploadPlan,
  driver: DriverKind,
): Promise<Reservation> {
  const { bucket, size, condition } = plan;
  // Who names the file that is there wants to replace it.
  const upsert = plan.upsert || condition?.['if-match'] !== undefined;
  const rights = await requireRights(project, uploader, { ...plan, upsert });
  const { key, found, visibility, followsBucket, ownerId } = rights;
  const expects = expectedFile(condition, found ?? undefined);
  const allowed = rights.allowedMediaTypes ?? undefined;
  if (allowed && !matchesMediaTypes(plan.mediaType, allowed)) {
    throw fail('MEDIA_TYPE_NOT_ALLOWED', { type: plan.mediaType });
  }
  const maxBytes = maxUploadOf(project, rights.maxFileBytes);
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
    upsert ? (found?.id ?? null) : null,
    rights.isOwnerForeign,
    expects ?? null,
    followsBucket,
    project.files.quotaBytes ?? null,
  ]);
  const outcome = row?.outcome ?? '';
  if (outcome === 'key_taken' || outcome === 'not_expected') {
    throw await takenError(project, uploader, { bucket, key, upsert, outcome });
  }
  requireReserved(outcome, { bucket, maxBytes });
  const address = { bucket, key, version };
  const facts = { id, version, bucket, key, visibility, driver, ownerId };
  return { ...facts, address, maxBytes, allowedMediaTypes: allowed };
}

/** What the bucket and the policies of an uploader say of an upload. */
export interface UploadRights {
  /** What the file will be. */
  readonly visibility: Visibility;
  /** Whether it becomes public with its bucket. */
  readonly followsBucket: boolean;
  /** The key, or that of the file whose id was given in its place. */
  readonly key: string;
  readonly ownerId: string | null;
  /** A user of another issuer has no row in the table of users. */
  readonly isOwnerForeign: boolean;
  readonly maxFileBytes: number | null;
  readonly allowedMediaTypes: readonly string[] | null;
  /** The file that the caller sees under the key; looked for where it matters. */
  readonly found: (ConditionedFile & { readonly id: string; readonly mayUpdate: boolean }) | null;
}

/**
 * Asks bucket and policies whether the uploader may make this file. Throws UNAUTHORIZED (401), BUCKET_NOT_FOUND
 * (404), 42501 (403).
 */
export async function requireRights(
  project: AskedDatabase,
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
    String(plan.upsert || plan.condition !== undefined),
    isUuid(plan.key) ? plan.key : null,
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
  const asked = JSON.parse(rows.first(0).toString('utf8')) as FoundRights;
  const { mayInsert, ...rights } = asked;
  if (!mayInsert) throw fail('42501');
  const { found } = rights;
  if (found?.mayUpdate === false) {
    if (await isStored(project, found.id)) throw fail('42501');
    // It was deleted while policies were asked about it.
    return requireRights(project, uploader, plan);
  }
  return { ...rights, isOwnerForeign: reply.caller.via === 'third-party' };
}

interface FoundRights extends Omit<UploadRights, 'isOwnerForeign'> {
  readonly mayInsert: boolean;
}

/**
 * Read-only, so the transaction does not wait for the WAL flush. Policies decide about the
 * visibility that was asked for: a public file of a private bucket is public as soon as its bucket is. A file without
 * a visibility is what its bucket is now.
 */
const askRights = `select pg_catalog.json_build_object(
    'key', target.key, 'visibility', effective.visibility, 'ownerId', auth.uid(),
    'followsBucket', not b.public and not effective.is_private_asked,
    'maxFileBytes', b.max_file_bytes, 'allowedMediaTypes', b.allowed_media_types,
    'mayInsert', storage.may_insert(
      b.slug, target.key, $3::pg_catalog.int8, $4::pg_catalog.text, wanted.visibility, auth.uid(),
      $6::pg_catalog.jsonb
    ),
    'found', case when $8::pg_catalog.bool then (
      select pg_catalog.json_build_object(
        'id', f.id, 'version', f.version, 'updatedAt', f.updated_at,
        'mayUpdate', not $7::pg_catalog.bool or storage.may_update(
          f.id, null, $3::pg_catalog.int8, $4::pg_catalog.text, wanted.visibility,
          $6::pg_catalog.jsonb
        )
      )
      from storage.files f
      where f.bucket operator(pg_catalog.=) b.slug and f.key operator(pg_catalog.=) target.key
    ) end
  )
  from (select pg_catalog.set_config('synchronous_commit', 'off', true)) asking, storage.buckets b
  cross join lateral (
    select coalesce((
      select f.key from storage.files f
      where $9::pg_catalog.uuid is not null and f.id operator(pg_catalog.=) $9::pg_catalog.uuid
        and f.bucket operator(pg_catalog.=) b.slug
    ), $2::pg_catalog.text) as key
  ) target
  cross join lateral (
    select coalesce($5::pg_catalog.text, 'public') operator(pg_catalog.<>) 'public' as is_private_asked
  ) asked
  cross join lateral (
    select asked.is_private_asked,
      case when b.public and not asked.is_private_asked
        then 'public'::pg_catalog.text else 'private' end
        as visibility
  ) effective
  cross join lateral (
    select coalesce($5::pg_catalog.text, effective.visibility) as visibility
  ) wanted
  where b.slug operator(pg_catalog.=) $1::pg_catalog.text`;

const reserve = `select case when storage.has_room($7, $21) then storage.reserve_upload(
    $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11,
    pg_catalog.now() operator(pg_catalog.+) pg_catalog.make_interval(secs => $12),
    pg_catalog.decode($13, 'hex'), $14, $15, $16, $17, $18, $19, $20
  ) else 'project_full' end as outcome`;

const extend = `select case when storage.has_room($2, $3) then storage.extend_upload($1, $2)
  else 'project_full' end as outcome`;

/**
 * Reserves more for a stream. Throws UPLOAD_NOT_FOUND (404), FILE_TOO_LARGE and QUOTA_EXCEEDED (413),
 * PROJECT_STORAGE_FULL (507).
 */
export async function extendUpload(
  project: ProjectRuntime,
  { id, bucket, maxBytes }: Pick<Reservation, 'id' | 'bucket' | 'maxBytes'>,
  bytes: number,
): Promise<void> {
  const [row] = await project.db.queryAsEngine<{ readonly outcome: string }>(extend, [
    id,
    bytes,
    project.files.quotaBytes ?? null,
  ]);
  requireReserved(row?.outcome ?? '', { bucket, maxBytes });
}

/** Ends an upload without a file; its bytes are removed. Does nothing if it has ended. */
export async function releaseUpload(project: ProjectRuntime, id: string): Promise<void> {
  await project.db.queryAsEngine('select storage.release_upload($1)', [id]);
}

function requireReserved(
  outcome: string,
  { bucket, maxBytes }: { readonly bucket: string; readonly maxBytes: number },
): void {
  switch (outcome) {
    case 'reserved':
      return;
    case 'bucket_missing':
      throw fail('BUCKET_NOT_FOUND', { slug: bucket });
    case 'file_too_large':
      throw fail('FILE_TOO_LARGE', { maxBytes });
    case 'quota_exceeded':
      throw fail('QUOTA_EXCEEDED', { bucket });
    case 'project_full':
      throw fail('PROJECT_STORAGE_FULL');
    default:
      throw fail('UPLOAD_NOT_FOUND');
  }
}
