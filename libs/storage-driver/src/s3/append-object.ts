// An object that arrives over several requests, as an upload in parts that spans them. Bytes that do not fill a part
// yet are kept under the final name: completing the upload replaces them, and removing the object removes them.
import { buffer } from 'node:stream/consumers';
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
  ListPartsCommand,
  type ListPartsCommandOutput,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { Readable } from 'node:stream';
import { fail } from '#libs/errors';
import { isRecord } from '#libs/wire';
import { appendIntake, appendRefusal, type AppendSink, takeAll } from '../append-intake.js';
import type { AppendOptions } from '../storage-driver.js';
import { putBytes } from './put-object.js';
import { maxParts, PartBuffers, smallestPartBytes } from './put-parts.js';
import { readObject } from './read-object.js';
import { copyMs, partMs } from './s3-client.js';
import { faultOf, isMissing, s3Error } from './s3-errors.js';
import type { ObjectTarget } from './object-target.js';

/** Metadata of the object under the final name: the part whose beginning it holds. */
const startHeader = 'start';

/** Bytes that do not fill a part are stored again as a whole each time, so this happens rarely. */
const checkpointMs = 5000;

interface Target {
  readonly client: S3Client;
  readonly target: ObjectTarget;
}

/** Appends the content, with one part in memory. Throws the public errors of `append`. */
export async function appendObject(
  store: Target,
  content: Readable,
  options: AppendOptions,
): Promise<void> {
  const intake = appendIntake(content, options);
  try {
    const upload = new GrowingUpload(store, options);
    await translated(() => upload.recall());
    await takeAll(intake, upload, checkpointMs);
  } catch (error) {
    throw appendRefusal(intake, options) ?? error;
  } finally {
    intake.stop();
  }
}

/** Completes the object. Throws STORAGE_OBJECT_MISSING, errors of the SDK. */
export async function completeObject(
  { client, target }: Target,
  { size, state, mediaType }: Pick<AppendOptions, 'size' | 'state' | 'mediaType'>,
): Promise<void> {
  if (size === 0) {
    const signal = AbortSignal.timeout(partMs);
    await putBytes({ client, target, mediaType, signal }, Buffer.alloc(0));
  }
  // Content up to the length of one part was stored there as a whole.
  if (size <= partBytesOf(size)) return;
  const upload = { ...target, UploadId: uploadIdOf(state) };
  try {
    const parts = await listParts(client, upload);
    if (parts.reduce((sum, part) => sum + part.size, 0) !== size) {
      throw fail('STORAGE_OBJECT_MISSING');
    }
    await client.send(
      new CompleteMultipartUploadCommand({
        ...upload,
        MultipartUpload: { Parts: parts.map(({ completed }) => completed) },
      }),
      { requestTimeout: copyMs },
    );
  } catch (error) {
    if (!isWithoutUpload(error)) throw error;
    // It may already have been completed.
    if ((await headOf(client, target))?.ContentLength === size) return;
    throw fail('STORAGE_OBJECT_MISSING', {}, { cause: error });
  }
}

/** Makes the store discard the parts. Does nothing if they are absent. Throws errors of the SDK. */
export async function abandonObject({ client, target }: Target, state: unknown): Promise<void> {
  const UploadId = uploadIdOf(state);
  if (UploadId === undefined) return;
  try {
    await client.send(new AbortMultipartUploadCommand({ ...target, UploadId }));
  } catch (error) {
    if (!isWithoutUpload(error)) throw error;
  }
}

class GrowingUpload implements AppendSink {
  private readonly partBytes: number;
  private readonly buffers: PartBuffers;
  private uploadId: string | undefined;
  /** The offset in the object of the part that is being filled. */
  private start: number;
  private part: Buffer;
  private filled = 0;
  private durable: number;

  constructor(
    private readonly to: Target,
    private readonly options: AppendOptions,
  ) {
    const { offset, size, state } = options;
    this.partBytes = partBytesOf(size);
    this.buffers = new PartBuffers(this.partBytes);
    this.part = this.buffers.first();
    this.uploadId = uploadIdOf(state);
    this.durable = offset;
    this.start = offset - (offset % this.partBytes);
  }

  /** Loads the bytes into memory that did not fill a part last time. */
  async recall(): Promise<void> {
    const { client, target } = this.to;
    const bytes = this.durable - this.start;
    if (bytes === 0) return;
    const facts = await headOf(client, target);
    const isIt = facts?.Metadata?.[startHeader] === String(this.start);
    const known = isIt ? await readObject(client, target, { end: bytes - 1 }) : undefined;
    const held = known && (await buffer(known.body));
    if (held?.length !== bytes) throw fail('STORAGE_OBJECT_MISSING');
    this.gather(held);
  }

  async take(chunk: Buffer): Promise<void> {
    for (let taken = 0; taken < chunk.length;) {
      taken += this.gather(chunk.subarray(taken));
      if (this.filled === this.partBytes) await this.store();
    }
  }

  /**
   * Also called between two parts: until a part counts, the object under the final name must not hold the beginning of
   * the next part.
   */
  async store(): Promise<void> {
    const end = this.start + this.filled;
    if (end === this.durable) return;
    await translated(() => this.send(this.part.subarray(0, this.filled)));
    this.durable = end;
    await this.options.onDurable(end, this.uploadId && { uploadId: this.uploadId });
    if (this.filled === this.partBytes) {
      this.start = end;
      this.filled = 0;
    }
  }

  /** Copies as many bytes as the part has space for, and returns their number. */
  private gather(bytes: Buffer): number {
    const taken = Math.min(bytes.length, this.partBytes - this.filled);
    while (this.filled + taken > this.part.length) this.part = this.buffers.grown(this.part);
    bytes.copy(this.part, this.filled, 0, taken);
    this.filled += taken;
    return taken;
  }

  private async send(bytes: Buffer): Promise<void> {
    const isEnd = this.start + bytes.length === this.options.size;
    if (isEnd && this.start === 0) await this.put(bytes, {});
    else if (isEnd || bytes.length === this.partBytes) await this.sendPart(bytes);
    else await this.put(bytes, { [startHeader]: String(this.start) });
  }

  private async sendPart(bytes: Buffer): Promise<void> {
    const { client, target } = this.to;
    this.uploadId ??= await this.begin();
    await client.send(
      new UploadPartCommand({
        ...target,
        UploadId: this.uploadId,
        PartNumber: this.start / this.partBytes + 1,
        Body: bytes,
      }),
      { requestTimeout: partMs },
    );
  }

  private async begin(): Promise<string> {
    const { client, target } = this.to;
    const { UploadId } = await client.send(
      new CreateMultipartUploadCommand({ ...target, ContentType: this.options.mediaType }),
    );
    if (UploadId === undefined) throw new Error('The store did not name the upload');
    return UploadId;
  }

  private async put(bytes: Buffer, metadata: Record<string, string>): Promise<void> {
    const { client, target } = this.to;
    await client.send(
      new PutObjectCommand({
        ...target,
        Body: bytes,
        ContentType: this.options.mediaType,
        Metadata: metadata,
      }),
      { requestTimeout: partMs },
    );
  }
}

/** All parts of an object have one length, derived from the length of the object, so that every process knows it. */
function partBytesOf(size: number): number {
  return Math.max(Math.ceil(size / maxParts), smallestPartBytes);
}

interface StoredPart {
  readonly size: number;
  readonly completed: CompletedPart;
}

async function listParts(
  client: S3Client,
  upload: ObjectTarget & { readonly UploadId: string | undefined },
): Promise<readonly StoredPart[]> {
  if (upload.UploadId === undefined) throw fail('STORAGE_OBJECT_MISSING');
  const found: StoredPart[] = [];
  let marker: string | undefined;
  do {
    const page: ListPartsCommandOutput = await client.send(
      new ListPartsCommand({ ...upload, PartNumberMarker: marker }),
    );
    for (const { PartNumber, ETag, Size } of page.Parts ?? []) {
      found.push({ size: Size ?? 0, completed: { PartNumber, ETag } });
    }
    // Some stores return a marker on the last page, too.
    marker = page.IsTruncated === true ? page.NextPartNumberMarker : undefined;
  } while (marker !== undefined);
  return found;
}

async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isWithoutUpload(error)) throw fail('STORAGE_OBJECT_MISSING', {}, { cause: error });
    throw s3Error(error);
  }
}

async function headOf(
  client: S3Client,
  target: ObjectTarget,
): Promise<HeadObjectCommandOutput | undefined> {
  try {
    return await client.send(new HeadObjectCommand(target));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isWithoutUpload(error: unknown): boolean {
  return faultOf(error).code === 'NoSuchUpload';
}

function uploadIdOf(state: unknown): string | undefined {
  const uploadId = isRecord(state) ? state['uploadId'] : undefined;
  return typeof uploadId === 'string' ? uploadId : undefined;
}
