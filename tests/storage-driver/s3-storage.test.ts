// What is particular to objects in an S3 bucket: names, pages, uploads in parts, the check of the settings.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  CreateMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { fail } from '#libs/errors';
import {
  checkS3Storage,
  openS3Storage,
  type S3StorageOptions,
  type StorageDriver,
} from '#libs/storage-driver';
import { describeIf } from '#libs/testing';
import { copyObject } from '../../libs/storage-driver/src/s3/copy-object.js';
import { canRunS3, openS3Server, type S3Server } from '../support/s3-server.js';
import {
  bytesAt,
  contentOf,
  listAll,
  MEGABYTE,
  newAddress,
  s3Options,
  someBytes,
  writing,
} from './storage-places.js';

describeIf(canRunS3(), 'the S3 driver needs Swift')('objects in S3', () => {
  let server: S3Server;
  let bucket: string;
  let driver: StorageDriver;

  beforeAll(async () => {
    server = await openS3Server();
  }, 70_000);
  beforeEach(async () => {
    bucket = await server.createBucket();
    driver = await openS3Storage(s3Options(server, bucket));
  });
  afterAll(async () => {
    await server.close();
  }, 20_000);

  async function namesInStore(): Promise<readonly string[]> {
    const { Contents = [] } = await server.client.send(
      new ListObjectsV2Command({ Bucket: bucket }),
    );
    return Contents.map(({ Key }) => Key ?? '');
  }

  test('an object is named by its bucket, its project, its key and its version', async () => {
    const address = newAddress('avatars/a b.png', 'photos');
    await driver.write(address, contentOf(someBytes(10)), writing({ mediaType: 'image/png' }));
    const name = `photos/abc/avatars/a b.png/${address.version}`;
    expect(await namesInStore()).toEqual([name]);
    const head = new HeadObjectCommand({ Bucket: bucket, Key: name });
    expect(await server.client.send(head)).toMatchObject({ ContentType: 'image/png' });
    expect((await listAll(driver)).map((object) => object.address)).toEqual([address]);
  });

  test('a key that is too long for a name is cut, and its object is still found', async () => {
    const address = newAddress(`${'langer Pfad ü/'.repeat(70)}end`);
    const content = someBytes(10);
    await driver.write(address, contentOf(content), writing());
    const [name = ''] = await namesInStore();
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(1024);
    expect((await bytesAt(driver, address))?.equals(content)).toBe(true);
    const [listed] = await listAll(driver);
    if (listed === undefined) throw new Error('it is not listed');
    expect(listed.address.version).toBe(address.version);
    await driver.remove(listed.address);
    expect(await namesInStore()).toEqual([]);
  });

  test('objects of others are neither listed nor removed', async () => {
    const foreign = ['top', 'docs/abc', 'docs/abcd/k/v', 'abc/docs/k/v', 'docs/abc/notes'];
    for (const Key of foreign) {
      await server.client.send(new PutObjectCommand({ Bucket: bucket, Key, Body: 'x' }));
    }
    expect(await listAll(driver)).toEqual([]);
    await driver.removeAll();
    // What lies under the project's own prefix goes with the project, whatever it is.
    expect(await namesInStore()).toEqual(
      foreign.filter((name) => name !== 'docs/abc/notes').toSorted(),
    );
  });

  test('lists more than one page', async () => {
    const versions = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const address = newAddress(`${index}`, `bucket-${index % 3}`);
        await driver.write(address, contentOf(someBytes(1)), writing({ size: 1 }));
        return address.version;
      }),
    );
    const found = (await listAll(driver)).map(({ address }) => address.version);
    expect(found.toSorted()).toEqual(versions.toSorted());
  });

  test('a long object is copied in ranges, with its type', async () => {
    const [source, target] = ['from', 'to'].map((Key) => ({ Bucket: bucket, Key: `${Key} ü+%` }));
    const bytes = someBytes(12 * MEGABYTE + 1);
    const { client } = server;
    if (source === undefined || target === undefined) throw new Error('there are two');
    await client.send(new PutObjectCommand({ ...source, Body: bytes, ContentType: 'image/png' }));
    const partBytes = 5 * MEGABYTE;
    await copyObject(client, { source, target, wholeUpTo: partBytes, partBytes });
    const copied = await client.send(new GetObjectCommand(target));
    expect(copied.ContentType).toBe('image/png');
    const found = await copied.Body?.transformToByteArray();
    expect(found && bytes.equals(found)).toBe(true);
    expect(copied.ETag).toMatch(/-3"$/);
  });

  test('uploads in parts that were never ended are removed, but not those of others', async () => {
    const mine = newAddress('big.bin');
    const uploads = [`docs/abc/big.bin/${mine.version}`, `docs/abcd/big.bin/${mine.version}`];
    for (const Key of uploads) {
      const target = { Bucket: bucket, Key };
      const { UploadId } = await server.client.send(new CreateMultipartUploadCommand(target));
      const part = { ...target, UploadId, PartNumber: 1, Body: someBytes(5 * MEGABYTE) };
      await server.client.send(new UploadPartCommand(part));
    }
    const anHour = 3_600_000;
    expect(await driver.removeStale(new Date(Date.now() - anHour))).toBe(0);
    expect(await driver.removeStale(new Date(Date.now() + anHour))).toBe(1);
    const left = await server.client.send(new ListMultipartUploadsCommand({ Bucket: bucket }));
    expect(left.Uploads?.map(({ Key }) => Key)).toEqual([uploads[1]]);
  });

  test.each<{ name: string; change: Partial<S3StorageOptions>; step: string; reason: RegExp }>([
    {
      name: 'a bucket that is not there',
      change: { bucket: 'nowhere' },
      step: 'list',
      reason: /no bucket nowhere/,
    },
    {
      name: 'a wrong secret key',
      change: { credentials: { accessKeyId: 'test:tester', secretAccessKey: 'wrong' } },
      step: 'list',
      reason: /access key or the secret key is wrong/,
    },
    {
      name: 'credentials without rights',
      change: { credentials: { accessKeyId: 'test:stranger', secretAccessKey: 'strange' } },
      step: 'list',
      reason: /not allowed to list/,
    },
    {
      name: 'another region',
      change: { region: 'eu-west-1' },
      step: 'list',
      reason: /not in the region eu-west-1/,
    },
    {
      name: 'a host that is not known',
      change: {
        endpoint: 'http://no-such-host.invalid',
        resolveHost: async () => {
          throw Object.assign(new Error('not known'), { code: 'ENOTFOUND' });
        },
      },
      step: 'connect',
      reason: /host .*no-such-host\.invalid was not found/,
    },
    {
      name: 'a name that may not be called',
      change: {
        endpoint: 'http://store.internal',
        resolveHost: async (host) => {
          throw fail('OUTBOUND_REFUSED', { host, reason: 'it is not public' });
        },
      },
      step: 'connect',
      reason: /store\.internal is not allowed/,
    },
    {
      name: 'an address that may not be called',
      change: {
        resolveHost: async (host) => {
          throw fail('OUTBOUND_REFUSED', { host, reason: 'it is not public' });
        },
      },
      step: 'connect',
      reason: /127\.0\.0\.1 is not allowed/,
    },
  ])('the check tells $name', async ({ change, step, reason }) => {
    const check = await checkS3Storage({ ...s3Options(server, bucket), ...change });
    expect(check).toEqual({ isOk: false, step, reason: expect.stringMatching(reason) });
  });

  test('the check passes for settings that work, and leaves nothing', async () => {
    const check = await checkS3Storage(s3Options(server, bucket));
    // Swift knows no conditional writes.
    expect(check).toEqual({ isOk: true, conditionalWrites: false });
    expect(await namesInStore()).toEqual([]);
  });

  test('a bucket that is missing is not an object that is missing', async () => {
    const other = await openS3Storage(s3Options(server, 'nowhere'));
    await expect(other.read(newAddress())).rejects.toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
      status: 503,
      cause: { name: 'NoSuchBucket' },
    });
    await other.close();
  });
});
