// What both drivers do alike.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import type { StorageDriver } from '#libs/storage-driver';
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
  writing,
} from './storage-places.js';

/** Ways to write: S3 takes content of known length in one request, other content in parts of 8 MiB. */
const LENGTHS = [
  { name: 'nothing, announced', bytes: 0, isAnnounced: true },
  { name: 'nothing, not announced', bytes: 0, isAnnounced: false },
  { name: 'one byte', bytes: 1, isAnnounced: false },
  { name: 'less than the head', bytes: 4095, isAnnounced: true },
  { name: 'exactly the head', bytes: 4096, isAnnounced: false },
  { name: 'several chunks, announced', bytes: 300_000, isAnnounced: true },
  { name: 'several chunks, not announced', bytes: 300_000, isAnnounced: false },
  { name: 'the longest that is short to a folder', bytes: 512 * 1024, isAnnounced: true },
  { name: 'one byte more than that', bytes: 512 * 1024 + 1, isAnnounced: true },
  { name: 'exactly one part', bytes: 8 * MEGABYTE, isAnnounced: false },
  { name: 'exactly two parts', bytes: 16 * MEGABYTE, isAnnounced: false },
  { name: 'one byte more than two parts', bytes: 16 * MEGABYTE + 1, isAnnounced: false },
  { name: 'as long as three parts, announced', bytes: 24 * MEGABYTE, isAnnounced: true },
];

describe('the local driver', () => {
  objectRules(openLocalPlace);
});

describeIf(canRunS3(), 'the S3 driver needs Swift')('the S3 driver', () => {
  objectRules(openS3Place);
});

function objectRules(openPlace: () => Promise<StoragePlace>): void {
  let place: StoragePlace;
  let driver: StorageDriver;

  beforeAll(async () => {
    place = await openPlace();
    driver = await place.openDriver(newRef());
  }, 70_000);
  afterAll(async () => {
    await place.close();
  }, 20_000);

  /** Puts an object there and answers with its address. */
  async function stored(bytes: Buffer, into = driver): Promise<ReturnType<typeof newAddress>> {
    const address = newAddress();
    await into.write(address, contentOf(bytes), writing({ size: bytes.length }));
    return address;
  }

  test.each(LENGTHS)('what is written is read: $name', async ({ bytes, isAnnounced }) => {
    const content = someBytes(bytes);
    const address = newAddress();
    const heads: Buffer[] = [];
    const written = await driver.write(
      address,
      contentOf(content),
      writing({
        withSha256: true,
        inspectHead: (head) => void heads.push(head),
        ...(isAnnounced && { size: bytes }),
      }),
    );
    expect(written).toEqual({
      size: bytes,
      sha256: createHash('sha256').update(content).digest('hex'),
    });
    expect(heads).toEqual([content.subarray(0, 4096)]);
    expect(await driver.stat(address)).toMatchObject({ size: bytes });
    expect((await bytesAt(driver, address))?.equals(content)).toBe(true);
  });

  describe('a range', () => {
    const content = Buffer.from('0123456789');
    test.each([
      { name: 'from the beginning', range: { start: 0, end: 3 }, text: '0123' },
      { name: 'in the middle', range: { start: 4, end: 5 }, text: '45' },
      { name: 'of one byte', range: { start: 9, end: 9 }, text: '9' },
      { name: 'without an end', range: { start: 7 }, text: '789' },
      { name: 'without a start', range: { end: 2 }, text: '012' },
      { name: 'past the end', range: { start: 8, end: 100 }, text: '89' },
    ])('$name', async ({ range, text }) => {
      const opened = await driver.read(await stored(content), range);
      expect(opened?.size).toBe(10);
      expect(opened && (await buffer(opened.body)).toString()).toBe(text);
    });

    test('that begins behind the end is refused', async () => {
      const address = await stored(content);
      await expect(driver.read(address, { start: 10 })).rejects.toMatchObject({
        code: 'INVALID_RANGE',
        status: 416,
      });
    });
  });

  test('what is not there is undefined, and removing it is fine', async () => {
    const address = newAddress();
    expect(await driver.read(address)).toBeUndefined();
    expect(await driver.stat(address)).toBeUndefined();
    await driver.remove(address);
  });

  test('a removed object is gone, and one that is being read stays whole', async () => {
    const content = someBytes(4 * MEGABYTE);
    const address = await stored(content);
    const opened = await driver.read(address);
    if (opened === undefined) throw new Error('it was not there');
    await once(opened.body, 'readable');
    await driver.remove(address);
    expect(await driver.stat(address)).toBeUndefined();
    expect((await buffer(opened.body)).equals(content)).toBe(true);
  });

  test('a copy has the same bytes and outlives its source', async () => {
    const content = someBytes(100_000);
    const source = await stored(content);
    const copy = newAddress('another/näme +%.txt', 'other');
    await driver.copy(source, copy);
    await driver.remove(source);
    expect((await bytesAt(driver, copy))?.equals(content)).toBe(true);
  });

  test('what is not there cannot be copied, and the copy is not there either', async () => {
    const copy = newAddress();
    await expect(driver.copy(newAddress(), copy)).rejects.toMatchObject({
      code: 'STORAGE_OBJECT_MISSING',
    });
    expect(await driver.stat(copy)).toBeUndefined();
  });

  describe('a write that ends early leaves nothing', () => {
    const refusal = new Error('not an image');
    const content = someBytes(20 * MEGABYTE);
    test.each([
      {
        name: 'more bytes than allowed, announced',
        options: { size: content.length, maxBytes: content.length - 1 },
        error: { code: 'FILE_TOO_LARGE', status: 413 },
      },
      {
        name: 'more bytes than allowed, not announced',
        options: { maxBytes: content.length - 1 },
        error: { code: 'FILE_TOO_LARGE', status: 413 },
      },
      {
        name: 'more bytes than announced',
        options: { size: content.length - 1 },
        error: { code: 'UPLOAD_SIZE_MISMATCH', status: 400 },
      },
      {
        name: 'fewer bytes than announced',
        options: { size: content.length + 1 },
        error: { code: 'UPLOAD_SIZE_MISMATCH', status: 400 },
      },
      {
        name: 'a head that is refused',
        options: {
          size: content.length,
          inspectHead: () => {
            throw refusal;
          },
        },
        error: refusal,
      },
    ])('$name', async ({ options, error }) => {
      const project = await place.openDriver(newRef());
      const address = newAddress();
      const source = contentOf(content);
      const write = project.write(address, source, writing(options));
      await expect(write).rejects.toMatchObject(error);
      await expectNothingIn(project);
      // Its sender can still be answered.
      expect(source.destroyed && !source.readableEnded).toBe(false);
    });

    test.each([
      { name: 'announced', size: 20 * MEGABYTE },
      { name: 'not announced', size: undefined },
    ])('its sender breaks off, $name', async ({ size }) => {
      const project = await place.openDriver(newRef());
      const { stream, isWaitedFor } = stallingAfter(content.subarray(0, 18 * MEGABYTE));
      const gone = new Error('the client has gone');
      void isWaitedFor.then(() => stream.destroy(gone));
      await expect(project.write(newAddress(), stream, writing({ size }))).rejects.toBe(gone);
      await expectNothingIn(project);
    });

    test('its sender breaks off before the first byte is asked for', async () => {
      const project = await place.openDriver(newRef());
      const { stream } = stallingAfter(content);
      const gone = new Error('the client has gone');
      const write = project.write(newAddress(), stream, writing());
      stream.destroy(gone);
      await expect(write).rejects.toBe(gone);
      await expectNothingIn(project);
    });

    test.each([
      { name: 'announced', size: 20 * MEGABYTE },
      { name: 'not announced', size: undefined },
    ])('its caller gives it up while the sender is silent, $name', async ({ size }) => {
      const project = await place.openDriver(newRef());
      const caller = new AbortController();
      const { stream, isWaitedFor } = stallingAfter(content.subarray(0, 18 * MEGABYTE));
      void isWaitedFor.then(() => caller.abort(new Error('gone')));
      const write = project.write(newAddress(), stream, writing({ size, signal: caller.signal }));
      await expect(write).rejects.toMatchObject({ code: 'REQUEST_ABORTED' });
      await expectNothingIn(project);
    });

    async function expectNothingIn(project: StorageDriver): Promise<void> {
      expect(await listAll(project)).toEqual([]);
      expect(await project.removeStale(new Date(Date.now() + 60_000))).toBe(0);
    }
  });

  test('of two who write the same version at once, the whole content of one is there', async () => {
    const contents = [someBytes(3 * MEGABYTE), someBytes(3 * MEGABYTE)];
    const address = newAddress();
    const writes = await Promise.allSettled(
      contents.map((bytes) => driver.write(address, contentOf(bytes), writing())),
    );
    for (const write of writes) {
      if (write.status === 'rejected') {
        expect(write.reason).toMatchObject({ code: 'STORAGE_OBJECT_EXISTS', status: 409 });
      }
    }
    expect(writes.filter(({ status }) => status === 'fulfilled')).not.toHaveLength(0);
    const found = await bytesAt(driver, address);
    expect(contents.some((bytes) => found?.equals(bytes))).toBe(true);
  });

  test('a read that its caller gives up ends, before and in the middle of the transfer', async () => {
    const address = await stored(someBytes(8 * MEGABYTE));
    await expect(driver.read(address, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'REQUEST_ABORTED',
    });
    const caller = new AbortController();
    const opened = await driver.read(address, { signal: caller.signal });
    if (opened === undefined) throw new Error('it was not there');
    await once(opened.body, 'readable');
    const read = buffer(opened.body);
    caller.abort();
    await expect(read).rejects.toMatchObject({ code: 'REQUEST_ABORTED' });
    expect(opened.body.destroyed).toBe(true);
  });

  test('lists what is stored, and what it lists can be removed', async () => {
    const project = await place.openDriver(newRef());
    expect(await listAll(project)).toEqual([]);
    const versions = [];
    for (const size of [0, 10, 2000]) {
      const address = newAddress(`a b/${size} ünï+&%41`, size > 0 ? 'docs' : '_private');
      await project.write(address, contentOf(someBytes(size)), writing());
      versions.push({ version: address.version, size });
    }
    const listed = await listAll(project);
    const facts = listed.map(({ address, size }) => ({ version: address.version, size }));
    expect(facts.toSorted((one, other) => one.size - other.size)).toEqual(versions);
    for (const { address, modifiedAt } of listed) {
      expect(Math.abs(Date.now() - modifiedAt.getTime())).toBeLessThan(60_000);
      await project.remove(address);
    }
    expect(await listAll(project)).toEqual([]);
  });

  test('a list that its caller gives up ends', async () => {
    await stored(someBytes(1));
    const list = driver.list({ signal: AbortSignal.abort() })[Symbol.asyncIterator]();
    await expect(list.next()).rejects.toMatchObject({ code: 'REQUEST_ABORTED' });
  });

  test('a project neither lists nor removes what others store in the same place', async () => {
    const [mine, others] = [await place.openDriver('abc'), await place.openDriver('abcd')];
    const theirs = await stored(Buffer.from('theirs'), others);
    const own = await stored(Buffer.from('own'), mine);
    expect(await mine.read(theirs)).toBeUndefined();
    await mine.remove(theirs);
    expect((await listAll(mine)).map(({ address }) => address.version)).toEqual([own.version]);
    await mine.removeAll();
    expect(await listAll(mine)).toEqual([]);
    expect((await bytesAt(others, theirs))?.toString()).toBe('theirs');
    await mine.removeAll();
  });

  test('a project whose objects were all removed can store again', async () => {
    const project = await place.openDriver(newRef());
    await stored(someBytes(10), project);
    await project.removeAll();
    const address = await stored(someBytes(10), project);
    expect(await project.stat(address)).toMatchObject({ size: 10 });
  });

  test.each([
    {
      name: 'a version that is no UUID',
      address: { ...newAddress(), version: '../../etc/passwd' },
    },
    { name: 'a version in upper case', address: { ...newAddress(), version: 'A'.repeat(36) } },
  ])('takes no address with $name', async ({ address }) => {
    const attempts = [
      async () => driver.read(address),
      async () => driver.stat(address),
      async () => driver.remove(address),
      async () => driver.copy(newAddress(), address),
      async () => driver.write(address, contentOf(someBytes(1)), writing()),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toThrow(TypeError);
  });
}
