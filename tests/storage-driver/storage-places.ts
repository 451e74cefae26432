// The two places that the driver's tests run against: a folder of the disk and a real S3 server.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes, randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import {
  openLocalStorage,
  openS3Storage,
  type ObjectAddress,
  type S3StorageOptions,
  type StorageDriver,
  type StoredObject,
  type WriteOptions,
} from '#libs/storage-driver';
import { openS3Server, type S3Server } from '../support/s3-server.js';

export interface StoragePlace {
  /** The driver of one project; all of a place share the same store. */
  openDriver(ref: string): Promise<StorageDriver>;
  close(): Promise<void>;
}

export async function openLocalPlace(): Promise<StoragePlace> {
  const folder = await mkdtemp(join(tmpdir(), 'rowhouse-objects-'));
  return {
    openDriver: async (ref) => openLocalStorage({ root: join(folder, ref) }),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

export async function openS3Place(): Promise<StoragePlace> {
  const server = await openS3Server();
  const bucket = await server.createBucket();
  const opened: StorageDriver[] = [];
  return {
    async openDriver(ref) {
      const driver = await openS3Storage({ ...s3Options(server, bucket), ref });
      opened.push(driver);
      return driver;
    },
    async close() {
      await Promise.all(opened.map((driver) => driver.close()));
      await server.close();
    },
  };
}

export function s3Options(
  { endpoint, region, credentials }: S3Server,
  bucket: string,
): S3StorageOptions {
  return { endpoint, region, credentials, bucket, forcePathStyle: true, ref: 'abc' };
}

let refs = 0;

/** A ref that no other test of the file uses. */
export function newRef(): string {
  return `ref${(refs += 1)}`;
}

export function newAddress(key = 'folder/file.bin', bucket = 'docs'): ObjectAddress {
  return { bucket, key, version: randomUUID() };
}

export const MEGABYTE = 1024 ** 2;

/** Options that let everything pass, but for what is given. */
export function writing(given: Partial<WriteOptions> = {}): WriteOptions {
  return {
    maxBytes: 1024 * MEGABYTE,
    mediaType: 'application/octet-stream',
    signal: new AbortController().signal,
    ...given,
  };
}

/** A stream of these bytes in chunks, by default as a socket gives them. */
export function contentOf(bytes: Buffer, chunkBytes?: number): Readable {
  return Readable.from(chunksOf(bytes, chunkBytes), { objectMode: false });
}

function* chunksOf(bytes: Buffer, chunkBytes = 64 * 1024): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    yield bytes.subarray(start, start + chunkBytes);
  }
}

/** A stream that gives these bytes and then nothing, without an end; tells when more is waited for. */
export function stallingAfter(bytes: Buffer): {
  readonly stream: Readable;
  readonly isWaitedFor: Promise<void>;
} {
  const chunks = [...chunksOf(bytes)];
  let tell: () => void = () => undefined;
  const isWaitedFor = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const stream = new Readable({
    read() {
      const next = chunks.shift();
      if (next) this.push(next);
      else tell();
    },
  });
  return { stream, isWaitedFor };
}

export function someBytes(count: number): Buffer {
  return randomBytes(count);
}

/** The bytes of an object; undefined when it is not there. */
export async function bytesAt(
  driver: StorageDriver,
  address: ObjectAddress,
  range: { readonly start?: number; readonly end?: number } = {},
): Promise<Buffer | undefined> {
  const opened = await driver.read(address, range);
  return opened && buffer(opened.body);
}

export async function listAll(driver: StorageDriver): Promise<readonly StoredObject[]> {
  const found: StoredObject[] = [];
  for await (const object of driver.list({ signal: new AbortController().signal }))
    found.push(object);
  return found;
}
