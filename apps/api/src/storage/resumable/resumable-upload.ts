// An upload while one request has the lease on it: it takes in bytes, and becomes a file with the last one. What has
// come is durable before the row says so, and the file is made before the client receives the answer to the last byte.
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';

import { AppError, fail } from '#libs/errors';
import type { ProjectRuntime } from '#libs/project-runtime';
import type { ObjectAddress, StorageDriver } from '#libs/storage-driver';
import { checkContent, sniffedBytes, sniffMediaType } from '#libs/storage-rules';

import { commitUpload } from '../core/commit-upload.js';
import { releaseUpload, type Uploader } from '../core/reservations.js';
import { SenderWatch } from '../uploads/sender-watch.js';
import { type FinishedUpload, findUpload, keptSeconds, type OpenUpload } from './resumable.sql.js';
import { UploadLease } from './upload-lease.js';
import type { MayGoOn } from './upload-party.js';

/** A sender that pauses longer continues with another request; received bytes are kept. */
const limits = { stalledMs: 10_000, wholeMs: keptSeconds * 1000 };
/** A client that has just broken off is back before the server has seen it go. */
const waitsMs = [50, 100, 200, 400, 800];
/** With these errors no further byte helps. */
const FINAL: ReadonlySet<string> = new Set([
  'CONTENT_MISMATCH',
  'MEDIA_TYPE_NOT_ALLOWED',
  'STORAGE_OBJECT_MISSING',
]);

/** What ends a transfer. */
export interface TransferEnds {
  /** Aborts when the client goes. */
  readonly client: AbortSignal;
  /** Aborts when the server stops. */
  readonly ending: AbortSignal;
}

/**
 * The upload with this id, under a lease as long as it is not finished. Throws UPLOAD_NOT_FOUND (404), UPLOAD_BUSY
 * (423) when another request has it.
 */
export async function openUpload(
  project: ProjectRuntime,
  id: string,
  mayGoOn: MayGoOn,
): Promise<ResumableUpload | FinishedUpload> {
  for (const waitMs of [...waitsMs, undefined]) {
    const found = await findUpload(project, id);
    if (!found || !(await mayGoOn(found))) throw fail('UPLOAD_NOT_FOUND');
    if (found.kind === 'finished') return found;
    const lease = await UploadLease.take(project, id);
    if (lease) return new ResumableUpload(project, found, lease);
    if (waitMs !== undefined) await wait(waitMs);
  }
  throw fail('UPLOAD_BUSY');
}

export class ResumableUpload {
  readonly kind = 'leased';
  private wasHeadSeen = false;
  private readonly address: ObjectAddress;

  constructor(
    private readonly project: ProjectRuntime,
    readonly facts: OpenUpload,
    private readonly lease: UploadLease,
  ) {
    const { bucket, key, version } = facts;
    this.address = { bucket, key, version };
  }

  get receivedBytes(): number {
    return this.lease.progress.receivedBytes;
  }

  /** Whether all bytes have come. An upload that is whole and no file yet was interrupted in between. */
  get isWhole(): boolean {
    return this.receivedBytes === this.facts.size;
  }

  /**
   * Takes in what a request brings. Throws FILE_TOO_LARGE (413), CONTENT_MISMATCH (400) and MEDIA_TYPE_NOT_ALLOWED
   * (415), with which the upload has ended, UPLOAD_STALLED (408), REQUEST_ABORTED (499), SHUTTING_DOWN (503),
   * UPLOAD_BUSY (423), UPLOAD_NOT_FOUND (404) when what came before is gone, STORAGE_FULL, STORAGE_UNAVAILABLE.
   */
  async receive(body: IncomingMessage, ends: TransferEnds): Promise<void> {
    const { size, mediaType } = this.facts;
    const { receivedBytes: offset, driverState: state } = this.lease.progress;
    using watch = new SenderWatch(body, { limits, ...ends });
    await this.withDriver(async (driver) => {
      try {
        await driver.append(this.address, body, {
          size,
          offset,
          state,
          mediaType,
          inspectHead: (head) => this.inspect(head),
          onDurable: (receivedBytes, driverState) =>
            this.lease.keep({ receivedBytes, driverState }),
          signal: AbortSignal.any([watch.signal, this.lease.lost]),
        });
      } catch (error) {
        if (this.lease.lost.aborted) throw fail('UPLOAD_BUSY', {}, { cause: error });
        throw watch.reason ?? brokenOff(body, error);
      }
    });
  }

  /**
   * Makes the file. Throws CONTENT_MISMATCH (400), MEDIA_TYPE_NOT_ALLOWED (415), FILE_EXISTS (409), PRECONDITION_FAILED
   * (412), UPLOAD_NOT_FOUND (404), with which the upload has ended; STORAGE_FULL, STORAGE_UNAVAILABLE.
   */
  async finish(uploader: Uploader): Promise<void> {
    const { id, size, mediaType } = this.facts;
    const { driverState: state } = this.lease.progress;
    await this.withDriver(async (driver) => {
      await driver.complete(this.address, { size, state, mediaType });
      if (!this.wasHeadSeen) this.inspect(await this.readHead(driver));
      await commitUpload(this.project, uploader, id, { kind: 'in-place', size });
    });
    this.lease.drop();
    this.project.files.work.schedule();
  }

  /** Ends the upload without a file. */
  async discard(): Promise<void> {
    this.lease.drop();
    await releaseUpload(this.project, this.facts.id);
    using storage = await this.project.files.acquire();
    const driver = storage.value.driverOf(this.facts.driver);
    await driver.abandon(this.address, this.lease.progress.driverState);
    this.project.files.work.schedule();
  }

  /** Gives the lease back. */
  close(): Promise<void> {
    return this.lease.giveBack();
  }

  private async withDriver(work: (driver: StorageDriver) => Promise<void>): Promise<void> {
    using storage = await this.project.files.acquire();
    try {
      await work(storage.value.driverOf(this.facts.driver));
    } catch (error) {
      if (!(error instanceof AppError && FINAL.has(error.code))) throw error;
      await this.discard();
      if (error.code !== 'STORAGE_OBJECT_MISSING') throw error;
      throw fail('UPLOAD_NOT_FOUND', {}, { cause: error });
    }
  }

  /** Refuses content of a media type that is not allowed, once enough bytes are here to detect the type. */
  private inspect(head: Buffer): void {
    const { size, mediaType, allowedMediaTypes } = this.facts;
    if (head.length < Math.min(sniffedBytes, size)) return;
    checkContent(mediaType, sniffMediaType(head), allowedMediaTypes ?? undefined);
    this.wasHeadSeen = true;
  }

  private async readHead(driver: StorageDriver): Promise<Buffer> {
    const { size } = this.facts;
    if (size === 0) return Buffer.alloc(0);
    const end = Math.min(size, sniffedBytes) - 1;
    const opened = await driver.read(this.address, { start: 0, end });
    if (!opened) throw fail('STORAGE_OBJECT_MISSING');
    return buffer(opened.body);
  }
}

/** A connection that is gone is no fault of the server. */
function brokenOff(body: IncomingMessage, error: unknown): unknown {
  if (error instanceof AppError || !body.destroyed || body.complete) return error;
  return fail('REQUEST_ABORTED', {}, { cause: error });
}
