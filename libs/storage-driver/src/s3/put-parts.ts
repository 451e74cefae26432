// Sends content of unknown length, or longer than one request may carry, to the store in parts. Only a few parts are in
// memory at a time. The first failure ends the upload at once and makes the store discard its parts.
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { Intake } from '../intake.js';
import { putBytes } from './put-object.js';
import { copyMs, partMs } from './s3-client.js';
import type { ObjectWrite } from './object-target.js';

/** S3 accepts 10,000 parts per upload, of 5 MiB to 5 GiB each (S3 User Guide, "Multipart upload limits"). */
export const maxParts = 10_000;
export const smallestPartBytes = 8 * 1024 ** 2;
/** Three parts are in memory, so for content of unknown length the size of a part is limited. */
const largestPartBytes = { known: 64 * 1024 ** 2, unknown: 16 * 1024 ** 2 };
const maxPartsOnTheWay = 2;
const smallestBufferBytes = 64 * 1024;

/** The longest content that can be sent in parts, in bytes: 160 GB of unknown length, 640 GB of announced length. */
export function longestUpload(size: number | undefined): number {
  return maxParts * largestPartBytes[size === undefined ? 'unknown' : 'known'];
}

/**
 * Sends the content in parts, of which up to three are in memory. A part has 8 MiB, or more if 10,000 of them could not
 * hold `limitBytes`, which must not exceed {@link longestUpload}. All parts of an upload have the same length, because
 * some stores require that. Throws errors of the SDK.
 */
export async function putParts(
  write: ObjectWrite,
  intake: Intake,
  limitBytes: number,
): Promise<void> {
  const partBytes = Math.max(Math.ceil(limitBytes / maxParts), smallestPartBytes);
  const buffers = new PartBuffers(partBytes);
  const parts = partsOf(intake, buffers);
  const first = await parts.next();
  if (first.done || first.value.isLast) {
    await putBytes(write, first.done ? Buffer.alloc(0) : first.value.bytes);
    return;
  }
  const upload = await PartUpload.begin(write, intake, buffers);
  await upload.run(first.value.bytes, parts);
}

interface Part {
  readonly bytes: Buffer;
  readonly isLast: boolean;
}

/**
 * The content cut into parts of exactly the length of the buffers, except for the last. Empty content is one empty
 * part.
 */
async function* partsOf(intake: Intake, buffers: PartBuffers): AsyncGenerator<Part, undefined> {
  let part = buffers.first();
  let filled = 0;
  for await (const chunk of intake.chunks()) {
    for (let taken = 0; taken < chunk.length;) {
      if (filled === buffers.partBytes) {
        yield { bytes: part, isLast: false };
        part = buffers.next();
        filled = 0;
      }
      if (filled === part.length) part = buffers.grown(part);
      const copied = chunk.copy(part, filled, taken);
      filled += copied;
      taken += copied;
    }
  }
  yield { bytes: part.subarray(0, filled), isLast: true };
  return undefined;
}

/**
 * The memory of one upload. Buffers are reused, because the garbage collector would free fresh buffers of this size too
 * late. The first begins small, because most uploads are.
 */
export class PartBuffers {
  private readonly free: Buffer[] = [];

  constructor(readonly partBytes: number) {}

  first(): Buffer {
    return Buffer.allocUnsafe(Math.min(smallestBufferBytes, this.partBytes));
  }

  grown(part: Buffer): Buffer {
    const larger = Buffer.allocUnsafeSlow(Math.min(part.length * 4, this.partBytes));
    part.copy(larger);
    return larger;
  }

  next(): Buffer {
    return this.free.pop() ?? Buffer.allocUnsafeSlow(this.partBytes);
  }

  /** Returns the buffer of a part that the store has received. */
  release(part: Buffer): void {
    if (part.length === this.partBytes) this.free.push(part);
  }
}

class PartUpload {
  private readonly stored: { readonly PartNumber: number; readonly ETag: string | undefined }[] =
    [];
  private readonly onTheWay = new Set<Promise<void>>();
  private readonly ended = new AbortController();
  private failure: { readonly error: unknown } | undefined;
  private sentParts = 0;

  private constructor(
    private readonly write: ObjectWrite,
    private readonly intake: Intake,
    private readonly buffers: PartBuffers,
    private readonly uploadId: string,
  ) {}

  static async begin(
    write: ObjectWrite,
    intake: Intake,
    buffers: PartBuffers,
  ): Promise<PartUpload> {
    const { client, target, mediaType } = write;
    // The signal does not end this request: an upload whose id is unknown could not be removed.
    const { UploadId } = await client.send(
      new CreateMultipartUploadCommand({ ...target, ContentType: mediaType }),
    );
    if (UploadId === undefined) throw new Error('The store did not name the upload');
    return new PartUpload(write, intake, buffers, UploadId);
  }

  async run(first: Buffer, rest: AsyncIterable<Part>): Promise<void> {
    const { signal } = this.write;
    const end = (): void => this.ended.abort();
    signal.addEventListener('abort', end, { once: true });
    try {
      await this.send(first);
      for await (const { bytes } of rest) await this.send(bytes);
      await Promise.all(this.onTheWay);
      if (this.failure) throw this.failure.error;
      if (signal.aborted) throw signal.reason;
      await this.complete();
    } catch (error) {
      end();
      await Promise.all(this.onTheWay);
      await this.forget();
      throw this.failure ? this.failure.error : error;
    } finally {
      signal.removeEventListener('abort', end);
    }
  }

  /** Sends a part as soon as there is space for it. Throws if an earlier part has failed. */
  private async send(bytes: Buffer): Promise<void> {
    while (this.onTheWay.size >= maxPartsOnTheWay) await Promise.race(this.onTheWay);
    if (this.failure) throw this.failure.error;
    this.sentParts += 1;
    const sending = this.sendPart(bytes, this.sentParts)
      .then(() => this.buffers.release(bytes))
      .catch((error: unknown) => {
        this.failure ??= { error };
        // The sender may be silent for long, and its content is no longer needed.
        this.intake.stop();
      })
      .finally(() => this.onTheWay.delete(sending));
    this.onTheWay.add(sending);
  }

  private async sendPart(bytes: Buffer, partNumber: number): Promise<void> {
    const { client, target } = this.write;
    const { ETag } = await client.send(
      new UploadPartCommand({
        ...target,
        UploadId: this.uploadId,
        PartNumber: partNumber,
        Body: bytes,
      }),
      { abortSignal: this.ended.signal, requestTimeout: partMs },
    );
    this.stored.push({ PartNumber: partNumber, ETag });
  }

  private async complete(): Promise<void> {
    const { client, target } = this.write;
    const parts = this.stored.toSorted((one, other) => one.PartNumber - other.PartNumber);
    await client.send(
      new CompleteMultipartUploadCommand({
        ...target,
        UploadId: this.uploadId,
        MultipartUpload: { Parts: parts },
      }),
      { requestTimeout: copyMs },
    );
  }

  private async forget(): Promise<void> {
    const { client, target } = this.write;
    await client
      .send(new AbortMultipartUploadCommand({ ...target, UploadId: this.uploadId }))
      // The error of the upload matters more; `removeStale` removes what stays behind.
      .catch(() => undefined);
  }
}
