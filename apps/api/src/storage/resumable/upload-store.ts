// What the protocol of TUS is served from, for one request: rows of uploads and the drivers of the project. Bytes
// do not come through the library: they would go through two more kinds of streams, so they are read where they
// arrive.
import { DataStore, type Locker, Upload } from '@tus/server';
import type { FastifyRequest } from 'fastify';

import { fail } from '#libs/errors';
import type { ProjectRuntime } from '#libs/project-runtime';

import { scopeOf } from '../../http/request-scope.js';
import { maxUploadOf } from '../core/max-upload.js';
import { type Reservation, reserveUpload, type UploadPlan } from '../core/reservations.js';
import { writeConditionOf } from '../core/write-condition.js';
import { planUpload } from '../uploads/plan-upload.js';
import { isFieldName, parseUploadOptions } from '../uploads/upload-fields.js';
import { openUpload, ResumableUpload } from './resumable-upload.js';
import {
  type FinishedUpload,
  keptSeconds,
  type OpenUpload,
  type UploadMetadata,
} from './resumable.sql.js';
import { UploadLease } from './upload-lease.js';
import { beginnerOf, finisherOf, rightsOf } from './upload-party.js';

export class UploadStore extends DataStore {
  override readonly extensions = ['creation', 'creation-with-upload', 'termination', 'expiration'];
  /** The row of an upload is its lock. An upload that is being created is not known to other requests yet. */
  readonly locker: Locker = {
    newLock: (id) => ({ lock: () => this.open(id), unlock: () => this.close() }),
  };
  private readonly project: ProjectRuntime;
  private upload: ResumableUpload | FinishedUpload | undefined;
  private shown: Upload | undefined;

  constructor(
    private readonly request: FastifyRequest,
    private readonly options: { readonly isCreation: boolean; readonly ending: AbortSignal },
  ) {
    super();
    this.project = scopeOf(request).lease.value;
  }

  /** The most that the upload may have, in bytes. */
  get maxBytes(): number {
    if (this.upload?.kind === 'finished') return this.upload.size;
    return this.upload?.facts.size ?? maxUploadOf(this.project);
  }

  override async create(file: Upload): Promise<Upload> {
    const { id, size = 0 } = file;
    const metadata = Object.entries(file.metadata ?? {});
    const condition = writeConditionOf(this.request.headers);
    const plan = { ...planOf(id, size, metadata), condition };
    const uploader = await beginnerOf(this.request, plan.bucket);
    using storage = await this.project.files.acquire();
    const { kind } = storage.value;
    const reservation = await reserveUpload(this.project, uploader, plan, kind);
    const lease = await UploadLease.take(this.project, id);
    if (!lease) throw fail('UPLOAD_NOT_FOUND');
    const facts = factsOf(plan, reservation, metadata);
    this.upload = new ResumableUpload(this.project, facts, lease);
    this.shown = file;
    if (size === 0) await this.upload.finish(finisherOf(this.request));
    return file;
  }

  /** Also makes the file of an upload that was interrupted between its last byte and the file. */
  override async getUpload(): Promise<Upload> {
    const { upload } = this;
    if (!upload) throw fail('UPLOAD_NOT_FOUND');
    if (this.shown) return this.shown;
    if (upload.kind === 'finished') {
      const { id, size } = upload;
      this.shown = new Upload({ id, size, offset: size });
      return this.shown;
    }
    if (upload.isWhole) await upload.finish(finisherOf(this.request));
    const { id, size, metadata } = upload.facts;
    this.shown = new Upload({
      id,
      size,
      offset: upload.receivedBytes,
      metadata: Object.fromEntries(metadata),
    });
    return this.shown;
  }

  override async write(): Promise<number> {
    const { upload, request } = this;
    if (!upload) throw fail('UPLOAD_NOT_FOUND');
    if (upload.kind === 'finished') return upload.size;
    if (upload.isWhole) return upload.receivedBytes;
    const { client } = scopeOf(request);
    await upload.receive(request.raw, { client: client.signal, ending: this.options.ending });
    if (upload.isWhole) await upload.finish(finisherOf(this.request));
    return upload.receivedBytes;
  }

  override async remove(): Promise<void> {
    if (this.upload?.kind !== 'leased') throw fail('UPLOAD_NOT_FOUND');
    await this.upload.discard();
  }

  override getExpiration(): number {
    return keptSeconds * 1000;
  }

  /** Ends an upload whose creation has failed: its client never learns where it is. */
  async undoCreation(): Promise<void> {
    if (this.options.isCreation && this.upload?.kind === 'leased') await this.upload.discard();
  }

  private async open(id: string): Promise<void> {
    if (this.options.isCreation) return;
    const mayGoOn = await rightsOf(this.request);
    this.upload = await openUpload(this.project, id, mayGoOn);
  }

  private async close(): Promise<void> {
    if (this.upload?.kind === 'leased') await this.upload.close();
  }
}

/** The plan in the metadata of an upload. Clients send names of their own beside ours, which say nothing here. */
function planOf(id: string, size: number, metadata: UploadMetadata): UploadPlan {
  const texts = new Map(metadata.map(([name, text]) => [name, text ?? '']));
  for (const [name, text] of texts) {
    // PostgreSQL stores no text with this character.
    if (!text.includes('\0')) continue;
    const reason = `${name} must not contain the character NUL`;
    throw fail('INVALID_UPLOAD_HEADER', { header: 'Upload-Metadata', reason });
  }
  const fields = new Map([...texts].filter(([name]) => isFieldName(name)));
  const plan = planUpload(parseUploadOptions(fields), {
    id,
    size,
    kind: 'tus',
    expiresInSeconds: keptSeconds,
    fileName: texts.get('filename'),
    declaredType: texts.get('filetype'),
    sha256: undefined,
  });
  return { ...plan, driverState: { metadata } };
}

/** What a later request reads from the row. */
function factsOf(
  { size, mediaType }: UploadPlan,
  { id, bucket, key, version, driver, ownerId, allowedMediaTypes }: Reservation,
  metadata: UploadMetadata,
): OpenUpload {
  return {
    kind: 'open',
    id,
    bucket,
    key,
    version,
    driver,
    size,
    mediaType,
    ownerId,
    metadata,
    allowedMediaTypes: allowedMediaTypes ?? null,
  };
}
