// Objects that come in over several requests: what both drivers do alike.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Readable } from 'node:stream';

import type { AppendOptions, ObjectAddress, StorageDriver } from '#libs/storage-driver';
import { describeIf } from '#libs/testing';

import { canRunS3 } from '../support/s3-server.js';
import {
  bytesAt,
  contentOf,
  listAll,
  MEGABYTE,
  newAddress,
  newRef,
  openLocalPlace,
  openS3Place,
  someBytes,
  type StoragePlace,
  stallingAfter,
} from './storage-places.js';

const mediaType = 'application/octet-stream';

/** Where the pieces end. Parts of S3 have 8 MiB. */
const CUTS = [
  { name: 'all at once', size: 100_000, cuts: [] },
  { name: 'many small ones', size: 500, cuts: [1, 2, 3, 100, 499] },
  { name: 'exactly one part', size: 8 * MEGABYTE, cuts: [] },
  { name: 'exactly one part, in two', size: 8 * MEGABYTE, cuts: [3 * MEGABYTE] },
  { name: 'cut at parts', size: 24 * MEGABYTE, cuts: [8 * MEGABYTE, 16 * MEGABYTE] },
  {
    name: 'cut beside parts',
    size: 24 * MEGABYTE + 1,
    cuts: [8 * MEGABYTE - 1, 8 * MEGABYTE, 16 * MEGABYTE + 1, 24 * MEGABYTE],
  },
  { name: 'a long piece after a short one', size: 20 * MEGABYTE, cuts: [5, 19 * MEGABYTE] },
];

describe('the local driver', () => {
  appendRules(openLocalPlace);
});

describeIf(canRunS3(), 'the S3 driver needs Swift')('the S3 driver', () => {
  appendRules(openS3Place);
});

/** What a row would remember of an upload. */
class Upload {
  readonly address: ObjectAddress = newAddress();
  offset = 0;
  state: unknown;

  constructor(
    readonly driver: StorageDriver,
    readonly content: Buffer,
  ) {}

  append(content: Readable, given: Partial<AppendOptions> = {}): Promise<void> {
    return this.driver.append(this.address, content, {
      size: this.content.length,
      offset: this.offset,
      state: this.state,
      mediaType,
      signal: new AbortController().signal,
      onDurable: async (offset, state) => {
        this.offset = offset;
        // A row keeps JSON.
        this.state = JSON.parse(JSON.stringify(state ?? null));
      },
      ...given,
    });
  }

  appendUpTo(end: number): Promise<void> {
    return this.append(contentOf(this.content.subarray(this.offset, end)));
  }

  async complete(): Promise<void> {
    const { address, state, content } = this;
    await this.driver.complete(address, { size: content.length, state, mediaType });
  }

  async isWhole(): Promise<boolean> {
    return (await bytesAt(this.driver, this.address))?.equals(this.content) === true;
  }
}

function appendRules(openPlace: () => Promise<StoragePlace>): void {
  let place: StoragePlace;
  let driver: StorageDriver;
  let another: StorageDriver;

  beforeAll(async () => {
    place = await openPlace();
    const ref = newRef();
    driver = await place.openDriver(ref);
    another = await place.openDriver(ref);
  }, 70_000);
  afterAll(async () => {
    await place.close();
  }, 20_000);

  const begin = (bytes: number, through = driver) => new Upload(through, someBytes(bytes));

  test.each(CUTS)('pieces become the whole: $name', async ({ size, cuts }) => {
    const upload = begin(size);
    for (const end of [...cuts, size]) {
      await upload.appendUpTo(end);
      expect(upload.offset).toBe(end);
    }
    await upload.complete();
    expect(await upload.isWhole()).toBe(true);
  });

  test('nothing at all becomes an empty object', async () => {
    const upload = begin(0);
    await upload.complete();
    await upload.complete();
    expect(await upload.isWhole()).toBe(true);
  });

  test.each([100_000, 20 * MEGABYTE])('to complete again is fine: %d bytes', async (size) => {
    const upload = begin(size);
    await upload.appendUpTo(size);
    await upload.complete();
    await upload.complete();
    expect(await upload.isWhole()).toBe(true);
  });

  test('another process goes on where the first one was', async () => {
    const upload = begin(20 * MEGABYTE);
    await upload.appendUpTo(11 * MEGABYTE);
    const taken = new Upload(another, upload.content);
    Object.assign(taken, { address: upload.address, offset: upload.offset, state: upload.state });
    await taken.appendUpTo(20 * MEGABYTE);
    await taken.complete();
    expect(await upload.isWhole()).toBe(true);
  });

  test('content that breaks off leaves what came before', async () => {
    const upload = begin(20 * MEGABYTE);
    const broken = new Error('the connection is gone');
    const came = 9 * MEGABYTE + 17;
    const pieces = [
      upload.content.subarray(0, 9 * MEGABYTE),
      upload.content.subarray(9 * MEGABYTE, came),
    ];
    async function* failing(): AsyncGenerator<Buffer> {
      yield* pieces;
      throw broken;
    }
    await expect(upload.append(Readable.from(failing()))).rejects.toBe(broken);
    expect(upload.offset).toBe(came);
    await upload.appendUpTo(20 * MEGABYTE);
    await upload.complete();
    expect(await upload.isWhole()).toBe(true);
  });

  test('what is given up leaves what came before', async () => {
    const upload = begin(2 * MEGABYTE);
    const ended = new AbortController();
    const { stream, isWaitedFor } = stallingAfter(upload.content.subarray(0, MEGABYTE));
    const appending = upload.append(stream, { signal: ended.signal });
    await isWaitedFor;
    ended.abort();
    await expect(appending).rejects.toMatchObject({ code: 'REQUEST_ABORTED' });
    expect(upload.offset).toBeGreaterThan(0);
    await upload.appendUpTo(upload.content.length);
    await upload.complete();
    expect(await upload.isWhole()).toBe(true);
  });

  test('what was stored but not kept is sent again', async () => {
    const upload = begin(20 * MEGABYTE);
    await upload.appendUpTo(5 * MEGABYTE);
    const content = contentOf(upload.content.subarray(upload.offset, 18 * MEGABYTE));
    const crash = new Error('the process is gone');
    const crashing = upload.append(content, { onDurable: () => Promise.reject(crash) });
    await expect(crashing).rejects.toBe(crash);
    expect(upload.offset).toBe(5 * MEGABYTE);
    await upload.appendUpTo(20 * MEGABYTE);
    await upload.complete();
    expect(await upload.isWhole()).toBe(true);
  });

  test('what a writer who lost its right has left is not taken for what counts', async () => {
    const upload = begin(10 * MEGABYTE);
    await upload.appendUpTo(9 * MEGABYTE);
    const stale = new Upload(another, someBytes(10 * MEGABYTE));
    Object.assign(stale, { address: upload.address });
    await stale.appendUpTo(2 * MEGABYTE);
    await expect(upload.appendUpTo(10 * MEGABYTE)).rejects.toMatchObject({
      code: 'STORAGE_OBJECT_MISSING',
    });
  });

  test('more than was announced is refused', async () => {
    const upload = begin(1000);
    await upload.appendUpTo(400);
    await expect(upload.append(contentOf(someBytes(601)))).rejects.toMatchObject({
      code: 'FILE_TOO_LARGE',
      message: expect.stringContaining('1000'),
    });
    expect(upload.offset).toBe(400);
  });

  test('the head is shown once, with the first bytes, and may refuse them', async () => {
    const upload = begin(10_000);
    const heads: Buffer[] = [];
    const refusal = new Error('not an image');
    const refusing = (): void => {
      throw refusal;
    };
    await expect(upload.append(contentOf(upload.content), { inspectHead: refusing })).rejects.toBe(
      refusal,
    );
    expect(upload.offset).toBe(0);
    const inspectHead = (head: Buffer): void => void heads.push(head);
    await upload.append(contentOf(upload.content.subarray(0, 5000)), { inspectHead });
    await upload.append(contentOf(upload.content.subarray(5000)), { inspectHead });
    expect(heads).toEqual([upload.content.subarray(0, 4096)]);
  });

  test.each([
    { name: 'removing', end: (upload: Upload) => driver.remove(upload.address) },
    { name: 'abandoning', end: (upload: Upload) => driver.abandon(upload.address, upload.state) },
  ])('$name leaves nothing to go on with, and again is fine', async ({ end }) => {
    const upload = begin(10 * MEGABYTE);
    await upload.appendUpTo(9 * MEGABYTE);
    await end(upload);
    await end(upload);
    await expect(upload.appendUpTo(upload.content.length)).rejects.toMatchObject({
      code: 'STORAGE_OBJECT_MISSING',
    });
    const { version } = upload.address;
    expect((await listAll(driver)).filter(({ address }) => address.version === version)).toEqual(
      [],
    );
  });

  test('what is stale goes, but what is kept', async () => {
    const [stale, kept] = [begin(20 * MEGABYTE), begin(20 * MEGABYTE)];
    await stale.appendUpTo(16 * MEGABYTE);
    await kept.appendUpTo(16 * MEGABYTE);
    const later = new Date(Date.now() + 60_000);
    await driver.removeStale(later, new Set([kept.address.version]));
    await kept.appendUpTo(20 * MEGABYTE);
    await kept.complete();
    expect(await kept.isWhole()).toBe(true);
    const goOn = async (): Promise<void> => {
      await stale.appendUpTo(20 * MEGABYTE);
      await stale.complete();
    };
    await expect(goOn()).rejects.toMatchObject({ code: 'STORAGE_OBJECT_MISSING' });
  });
}
