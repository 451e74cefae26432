// Runs an upload from its first byte to the file: reserves it, writes it, commits it. No connection to the database is
// held while bytes flow, and every failure ends the reservation, which removes the bytes.
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';

import { fail } from '#libs/errors';
import type { ProjectStorage } from '#libs/project-runtime';
import { checkContent, expectedSha256, sniffMediaType } from '#libs/storage-rules';

import { commitUpload, type CommittedUpload } from '../core/commit-upload.js';
import { maxUploadOf } from '../core/max-upload.js';
import {
  extendUpload,
  type Reservation,
  reserveUpload,
  type UploadPlan,
} from '../core/reservations.js';
import { writeConditionOf } from '../core/write-condition.js';
import { confirmRights } from './confirm-rights.js';
import { GrowingReservation } from './growing-reservation.js';
import { longestUploadSeconds, planUpload } from './plan-upload.js';
import { type IncomingUpload, readUpload, formError, type UploadRequest } from './read-upload.js';
import { releaseSurely } from './release-surely.js';
import { defaultStalledMs, SenderWatch } from './sender-watch.js';
import { parseUploadOptions, type UploadFields } from './upload-fields.js';

export interface UploadEnds {
  /** Aborts when the client goes. */
  readonly client: AbortSignal;
  /** Aborts when the server stops. */
  readonly ending: AbortSignal;
  /** How long a client may send nothing before the upload is aborted. */
  readonly stalledMs?: number;
}

/**
 * Stores an upload. Throws the errors of `readUpload`, `reserveUpload` and the driver, and also CONTENT_MISMATCH and
 * CHECKSUM_MISMATCH (400), UPLOAD_STALLED and REQUEST_TIMEOUT (408), REQUEST_ABORTED (499), SHUTTING_DOWN (503).
 */
export async function storeUpload(
  request: UploadRequest,
  { client, ending, stalledMs = defaultStalledMs }: UploadEnds,
): Promise<CommittedUpload> {
  const expiresInSeconds = longestUploadSeconds(maxUploadOf(request.project));
  // The upload ends before its reservation does.
  const limits = { stalledMs, wholeMs: (expiresInSeconds - 60) * 1000 };
  using watch = new SenderWatch(request.raw, { limits, client, ending });
  try {
    const upload = await readUpload(request, watch);
    try {
      return await new UploadRun(request, upload, watch, expiresInSeconds).run();
    } catch (error) {
      throw formError(error, upload.failure());
    } finally {
      await upload.end();
    }
  } catch (error) {
    throw watch.reason ?? error;
  } finally {
    request.project.files.work.schedule();
  }
}

/** The steps of one upload. */
class UploadRun {
  private readonly sha256: string | undefined;
  private readonly id = randomUUID();
  private head: Buffer = Buffer.alloc(0);

  constructor(
    private readonly request: UploadRequest,
    private readonly upload: IncomingUpload,
    private readonly watch: SenderWatch,
    private readonly expiresInSeconds: number,
  ) {
    const body = upload.body === 'form' ? 'multipart' : 'raw';
    const { headers } = request.raw;
    const names = ['x-checksum-sha256', 'repr-digest', 'content-digest'];
    const digests = Object.fromEntries(names.map((name) => [name, headers[name]]));
    this.sha256 = expectedSha256(digests, body);
  }

  async run(): Promise<CommittedUpload> {
    const { project, uploader } = this.request;
    const { content } = this.upload;
    const size = content.kind === 'whole' ? content.size : content.start.size;
    const plan = this.plan(this.upload.fields, { id: this.id, size });
    using storage = await project.files.acquire();
    const reservation = await reserveUpload(project, uploader, plan, storage.value.kind);
    return this.releaseOnFailure(reservation, async () => {
      const written = await this.write(reservation, plan, storage.value);
      if (content.kind === 'open') {
        const late = this.plan(await this.upload.allFields(), { id: this.id, size: plan.size });
        if (JSON.stringify(late) !== JSON.stringify(plan)) {
          return this.storeUnderLatePlan(reservation, written.size, storage.value);
        }
        await confirmRights(project, uploader, { ...plan, size: written.size });
      }
      return commitUpload(project, uploader, reservation.id, { kind: 'in-place', ...written });
    });
  }

  private plan(
    fields: UploadFields,
    { id, size }: { readonly id: string; readonly size: number },
  ): UploadPlan {
    const { fileName, declaredType } = this.upload;
    const { sha256, expiresInSeconds } = this;
    const content = {
      id,
      size,
      fileName,
      declaredType,
      sha256,
      expiresInSeconds,
      kind: 'stream',
    } as const;
    const condition = writeConditionOf(this.request.raw.headers);
    return { ...planUpload(parseUploadOptions(fields), content), condition };
  }

  private async write(
    reservation: Reservation,
    { mediaType }: UploadPlan,
    { driver }: ProjectStorage,
  ): Promise<{ readonly size: number; readonly sha256: string | undefined }> {
    const { content } = this.upload;
    const { maxBytes, allowedMediaTypes } = reservation;
    const growth = content.kind === 'open' ? this.openGrowing(reservation, content) : undefined;
    const stream = content.kind === 'whole' ? content.stream : growth?.stream;
    if (!stream) throw new TypeError('Content of unknown length grows');
    try {
      const written = await driver.write(reservation.address, stream, {
        maxBytes,
        mediaType,
        size: content.kind === 'whole' ? content.size : undefined,
        withSha256: this.sha256 !== undefined,
        inspectHead: (head) => {
          this.head = Buffer.from(head);
          checkContent(mediaType, sniffMediaType(head), allowedMediaTypes);
        },
        signal: this.watch.signal,
      });
      if (written.sha256 !== this.sha256) throw fail('CHECKSUM_MISMATCH');
      return written;
    } finally {
      await growth?.reservation.settled();
    }
  }

  private openGrowing(
    { id, bucket, maxBytes }: Reservation,
    content: Extract<IncomingUpload['content'], { readonly kind: 'open' }>,
  ): { readonly reservation: GrowingReservation; readonly stream: Readable } {
    const { project } = this.request;
    const { start, upperBound = Infinity } = content;
    const reservation = new GrowingReservation({
      extend: (bytes) => extendUpload(project, { id, bucket, maxBytes }, bytes),
      reservedBytes: start.size,
      upperBound: Math.min(upperBound, maxBytes),
    });
    const chunks = reservation.within(start.chunks());
    return { reservation, stream: Readable.from(chunks, { objectMode: false }) };
  }

  /** Fields after the file describe another file than those before it. Its bytes are already stored. */
  private async storeUnderLatePlan(
    first: Reservation,
    size: number,
    { driver, kind }: ProjectStorage,
  ): Promise<CommittedUpload> {
    const { project, uploader, onError } = this.request;
    const plan = this.plan(await this.upload.allFields(), { id: randomUUID(), size });
    const reservation = await reserveUpload(project, uploader, plan, kind);
    const committed = await this.releaseOnFailure(reservation, async () => {
      const { mediaType } = plan;
      checkContent(mediaType, sniffMediaType(this.head), reservation.allowedMediaTypes);
      await driver.copy(first.address, reservation.address);
      const stored = { kind: 'in-place', size, sha256: this.sha256 } as const;
      return commitUpload(project, uploader, reservation.id, stored);
    });
    await releaseSurely(project, first.id, onError);
    return committed;
  }

  private async releaseOnFailure<T>({ id }: Reservation, work: () => Promise<T>): Promise<T> {
    const { project, onError } = this.request;
    try {
      return await work();
    } catch (error) {
      await releaseSurely(project, id, onError);
      throw error;
    }
  }
}
