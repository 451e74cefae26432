import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { describeIf } from '#libs/testing';
import { canRunS3, openS3Server, type S3Server } from './s3-server.js';

describeIf(canRunS3(), 'the S3 server needs Swift')('the S3 server', () => {
  let server: S3Server;
  beforeAll(async () => {
    server = await openS3Server();
  }, 70_000);
  afterAll(async () => {
    await server.close();
  });

  test('keeps objects in buckets of its own', async () => {
    const [bucket, other] = [await server.createBucket(), await server.createBucket()];
    await server.client.send(new PutObjectCommand({ Bucket: bucket, Key: 'a/b', Body: 'bytes' }));
    const got = await server.client.send(new GetObjectCommand({ Bucket: bucket, Key: 'a/b' }));
    expect(await got.Body?.transformToString()).toBe('bytes');
    const listed = await server.client.send(new ListObjectsV2Command({ Bucket: other }));
    expect(listed.KeyCount).toBe(0);
  });

  test.each([
    {
      name: 'a wrong secret is refused',
      secretAccessKey: 'guessed',
      code: 'SignatureDoesNotMatch',
    },
    { name: 'a user without rights is refused', code: 'AccessDenied' },
  ])('$name', async ({ secretAccessKey, code }) => {
    const bucket = await server.createBucket();
    const { endpoint, region, stranger } = server;
    const client = new S3Client({
      endpoint,
      region,
      forcePathStyle: true,
      credentials: { ...stranger, ...(secretAccessKey && { secretAccessKey }) },
    });
    await expect(client.send(new ListObjectsV2Command({ Bucket: bucket }))).rejects.toMatchObject({
      name: code,
    });
    client.destroy();
  });
});
