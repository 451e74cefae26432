// Objects in a bucket of an S3-compatible store, which several projects may share. Loaded with the
// first project that uses S3: the SDK is large.
import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  HeadObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { fail } from '#libs/errors';
import { aborted } from '../intake.js';
import type { S3StorageOptions } from '../s3-options.js';
import type {
  AppendOptions,
  ObjectAddress,
  ObjectFacts,
  OpenObject,
  PresignedWrite,
  PresignReadOptions,
  PresignWriteOptions,
  ReadOptions,
  StorageDriver,
  StoredObject,
  WriteOptions,
  WrittenObject,
} from '../storage-driver.js';
import { abandonObject, appendObject, completeObject } from './append-object.js';
import { checkTarget, knowsConditions } from './check-s3-storage.js';
import { copyObject } from './copy-object.js';
import { listObjects, listUploads } from './list-objects.js';
import { addressOf, objectName } from './object-name.js';
import { presignRead, presignWrite } from './presign.js';
import { readObject } from './read-object.js';
import { connectS3 } from './s3-client.js';
import { isMissing, s3Error } from './s3-errors.js';
import type { ObjectTarget } from './object-target.js';
import { writeObject } from './write-object.js';

/** Objects are removed one by one: older stores refuse the checksum of the batch request. */
const removalsAtOnce = 8;

export class S3Storage implements StorageDriver {
  readonly kind = 's3';
  private readonly client: S3Client;
  private readonly checkHost: () => Promise<void>;
  private conditions: Promise<boolean> | undefined;

  constructor(private readonly options: S3StorageOptions) {
    const { client, checkHost } = connectS3(options);
    this.client = client;
    this.checkHost = checkHost;
  }

  async write(
    address: ObjectAddress,
    content: Readable,
    options: WriteOptions,
  ): Promise<WrittenObject> {
    const target = this.targetOf(address);
    await this.checkHost();
    return writeObject(this.client, target, { content, options });
  }

  async append(address: ObjectAddress, content: Readable, options: AppendOptions): Promise<void> {
    const to = { client: this.client, target: this.targetOf(address) };
    await this.checkHost();
    await appendObject(to, content, options);
  }

  complete(
    address: ObjectAddress,
    options: Pick<AppendOptions, 'size' | 'state' | 'mediaType'>,
  ): Promise<void> {
    const to = { client: this.client, target: this.targetOf(address) };
    return this.translated(() => completeObject(to, options));
  }

  abandon(address: ObjectAddress, state: unknown): Promise<void> {
    const to = { client: this.client, target: this.targetOf(address) };
    return this.translated(async () => {
      await abandonObject(to, state);
      await this.removeObject(to.target);
    });
  }

  read(address: ObjectAddress, options: ReadOptions = {}): Promise<OpenObject | undefined> {
    return this.translated(() => readObject(this.client, this.targetOf(address), options));
  }

  stat(address: ObjectAddress): Promise<ObjectFacts | undefined> {
    return this.translated(async () => {
      try {
        const head = await this.client.send(new HeadObjectCommand(this.targetOf(address)));
        return { size: head.ContentLength ?? 0, mediaType: head.ContentType };
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    });
  }

  copy(from: ObjectAddress, to: ObjectAddress): Promise<void> {
    return this.translated(async () => {
      try {
        const [source, target] = [this.targetOf(from), this.targetOf(to)];
        await copyObject(this.client, { source, target });
      } catch (error) {
        if (!isMissing(error)) throw error;
        throw fail('STORAGE_OBJECT_MISSING', {}, { cause: error });
      }
    });
  }

  remove(address: ObjectAddress): Promise<void> {
    return this.translated(() => this.removeObject(this.targetOf(address)));
  }

  async *list({ signal }: { readonly signal: AbortSignal }): AsyncGenerator<StoredObject> {
    try {
      await this.checkHost();
      for await (const { name, size, modifiedAt } of listObjects(this.project(signal))) {
        if (signal.aborted) throw aborted(signal);
        const address = addressOf(this.options.ref, name);
        if (address) yield { address, size, modifiedAt };
      }
    } catch (error) {
      throw signal.aborted ? aborted(signal) : s3Error(error);
    }
  }

  removeStale(olderThan: Date, kept: ReadonlySet<string> = new Set()): Promise<number> {
    return this.translated(() =>
      this.abortUploads((startedAt, version) => startedAt < olderThan && !kept.has(version)),
    );
  }

  presignsOnce(): Promise<boolean> {
    const { conditionalWrites } = this.options;
    if (conditionalWrites !== undefined) return Promise.resolve(conditionalWrites);
    this.conditions ??= this.askForConditions();
    return this.conditions;
  }

  presignWrite(address: ObjectAddress, options: PresignWriteOptions): Promise<PresignedWrite> {
    return this.translated(async () => {
      const isOnce = await this.presignsOnce();
      return presignWrite(this.client, this.targetOf(address), { ...options, isOnce });
    });
  }

  presignRead(address: ObjectAddress, options: PresignReadOptions): Promise<string> {
    return this.translated(() => presignRead(this.client, this.targetOf(address), options));
  }

  removeAll(): Promise<void> {
    return this.translated(async () => {
      await this.abortUploads(() => true);
      const names = listObjects(this.project());
      const removeNext = async (): Promise<void> => {
        for (let next = await names.next(); !next.done; next = await names.next()) {
          await this.removeObject({ Bucket: this.options.bucket, Key: next.value.name });
        }
      };
      await Promise.all(Array.from({ length: removalsAtOnce }, removeNext));
    });
  }

  async close(): Promise<void> {
    this.client.destroy();
  }

  private targetOf(address: ObjectAddress): ObjectTarget {
    return { Bucket: this.options.bucket, Key: objectName(this.options.ref, address) };
  }

  private project(signal?: AbortSignal): Parameters<typeof listObjects>[0] {
    const { bucket, ref } = this.options;
    return { client: this.client, bucket, ref, signal };
  }

  /** Makes the next call test the store again if the store has given no answer. */
  private async askForConditions(): Promise<boolean> {
    const isAllowed = await this.checkHost().then(
      () => true,
      () => false,
    );
    const known = isAllowed
      ? await knowsConditions(this.client, checkTarget(this.options))
      : undefined;
    if (known === undefined) this.conditions = undefined;
    return known ?? false;
  }

  private async removeObject(target: ObjectTarget): Promise<void> {
    try {
      await this.client.send(new DeleteObjectCommand(target));
    } catch (error) {
      // AWS returns no error for an absent upload; some stores do.
      if (!isMissing(error)) throw error;
    }
  }

  private async abortUploads(
    isMeant: (startedAt: Date, version: string) => boolean,
  ): Promise<number> {
    const { bucket: Bucket, ref } = this.options;
    let count = 0;
    for await (const { name: Key, uploadId: UploadId, startedAt } of listUploads(this.project())) {
      if (!isMeant(startedAt, addressOf(ref, Key)?.version ?? '')) continue;
      await this.client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
      count += 1;
    }
    return count;
  }

  private async translated<T>(work: () => Promise<T>): Promise<T> {
    try {
      await this.checkHost();
      return await work();
    } catch (error) {
      throw s3Error(error);
    }
  }
}
