// Statements for uploads that span several requests. The row of an upload holds what was received and what the driver
// needs to continue. A writer holds a lease on the row, which expires by itself.
import type { ProjectRuntime } from '#libs/project-runtime';
import type { DriverKind } from '#libs/wire';

/** How long an upload is kept after its last byte. */
export const keptSeconds = 24 * 3600;
/** How long an upload stays locked after its process has died. */
export const leaseSeconds = 10;

/** Names and texts that the client gave when it began the upload, in its order; null for a name without a text. */
export type UploadMetadata = readonly (readonly [string, string | null])[];

/** An upload that waits for more bytes. */
export interface OpenUpload {
  readonly kind: 'open';
  readonly id: string;
  readonly bucket: string;
  readonly key: string;
  readonly version: string;
  readonly driver: DriverKind;
  /** Of the whole, in bytes. */
  readonly size: number;
  readonly mediaType: string;
  readonly ownerId: string | null;
  readonly metadata: UploadMetadata;
  readonly allowedMediaTypes: readonly string[] | null;
}

/** An upload that has become a file. */
export interface FinishedUpload {
  readonly kind: 'finished';
  readonly id: string;
  readonly bucket: string;
  readonly size: number;
  readonly ownerId: string | null;
}

/** How far an upload is. */
export interface UploadProgress {
  readonly receivedBytes: number;
  /**
   * What the driver needs to go on; null before it has kept anything. Stored under the key `blob`, which uploads begun
   * by earlier releases have.
   */
  readonly driverState: unknown;
}

/** The upload with this id that was begun here; undefined if there is none, or it has expired. */
export async function findUpload(
  project: ProjectRuntime,
  id: string,
): Promise<OpenUpload | FinishedUpload | undefined> {
  const [row] = await project.db.queryAsEngine<{
    readonly upload: OpenUpload | FinishedUpload | null;
  }>(selectUpload, [id]);
  return row?.upload ?? undefined;
}

const selectUpload = `select coalesce(
    (
      select pg_catalog.json_build_object('kind', 'open', 'id', u.id, 'bucket', u.bucket, 'key', u.key,
        'version', u.version, 'driver', u.driver, 'size', u.size, 'mediaType', u.media_type,
        'ownerId', u.owner_id, 'metadata', u.driver_state operator(pg_catalog.->) 'metadata',
        'allowedMediaTypes', b.allowed_media_types)
      from storage.uploads u join storage.buckets b on b.slug operator(pg_catalog.=) u.bucket
      where u.id operator(pg_catalog.=) $1 and u.kind operator(pg_catalog.=) 'tus'
        and (u.expires_at operator(pg_catalog.>) pg_catalog.now()
          or u.leased_until operator(pg_catalog.>) pg_catalog.now())
    ),
    (
      select pg_catalog.json_build_object('kind', 'finished', 'id', f.upload_id,
        'bucket', f.bucket, 'size', f.size,
        'ownerId', f.owner_id)
      from storage.stored_files f where f.upload_id operator(pg_catalog.=) $1
    )
  ) as upload`;

/** Takes the lease and returns the progress of the upload; undefined if another writer has it or the upload ended. */
export async function takeLease(
  project: ProjectRuntime,
  id: string,
  holder: string,
): Promise<UploadProgress | undefined> {
  const [row] = await project.db.queryAsEngine<{ readonly progress: UploadProgress }>(
    `update storage.uploads u set leased_by = $2,
       leased_until = pg_catalog.now() operator(pg_catalog.+) pg_catalog.make_interval(secs => $3)
     where u.id operator(pg_catalog.=) $1 and u.kind operator(pg_catalog.=) 'tus'
       and u.expires_at operator(pg_catalog.>) pg_catalog.now()
       and (u.leased_until is null or u.leased_until operator(pg_catalog.<=) pg_catalog.now())
     returning pg_catalog.json_build_object(
       'receivedBytes', u.received_bytes, 'driverState', u.driver_state operator(pg_catalog.->) 'blob'
     ) as progress`,
    [id, holder, leaseSeconds],
  );
  return row?.progress;
}

/** Prolongs the lease. False when it is lost. */
export async function prolongLease(
  project: ProjectRuntime,
  id: string,
  holder: string,
): Promise<boolean> {
  const rows = await project.db.queryAsEngine(
    `update storage.uploads set
       leased_until = pg_catalog.now() operator(pg_catalog.+) pg_catalog.make_interval(secs => $3)
     where id operator(pg_catalog.=) $1 and leased_by operator(pg_catalog.=) $2 returning id`,
    [id, holder, leaseSeconds],
  );
  return rows.length === 1;
}

/** Keeps how far the upload is, and lets it live on from now. False when the lease is lost. */
export async function keepProgress(
  project: ProjectRuntime,
  { id, holder }: { readonly id: string; readonly holder: string },
  { receivedBytes, driverState }: UploadProgress,
): Promise<boolean> {
  const rows = await project.db.queryAsEngine(
    `update storage.uploads set received_bytes = $3,
       driver_state = pg_catalog.jsonb_set(driver_state, '{blob}', $4::pg_catalog.jsonb),
       leased_until = pg_catalog.now() operator(pg_catalog.+) pg_catalog.make_interval(secs => $5),
       expires_at = pg_catalog.now() operator(pg_catalog.+) pg_catalog.make_interval(secs => $6)
     where id operator(pg_catalog.=) $1 and leased_by operator(pg_catalog.=) $2 returning id`,
    [id, holder, receivedBytes, JSON.stringify(driverState ?? null), leaseSeconds, keptSeconds],
  );
  return rows.length === 1;
}

/** Gives the lease back. Fine when it is lost. */
export async function giveLeaseBack(
  project: ProjectRuntime,
  id: string,
  holder: string,
): Promise<void> {
  await project.db.queryAsEngine(
    `update storage.uploads set leased_by = null, leased_until = null
     where id operator(pg_catalog.=) $1 and leased_by operator(pg_catalog.=) $2`,
    [id, holder],
  );
}
