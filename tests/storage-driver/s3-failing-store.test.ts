// Objects in a store that fails in ways that a real one cannot be made to.
import { expect, test } from 'vitest';
import { createServer, type RequestListener, type Server } from 'node:http';
import {
  checkS3Storage,
  openS3Storage,
  type S3StorageOptions,
  type StorageDriver,
} from '#libs/storage-driver';
import { freePort } from '#libs/testing';
import { contentOf, listAll, MEGABYTE, newAddress, someBytes, writing } from './storage-places.js';

test.each([
  { code: 'InvalidAccessKeyId', status: 403, step: 'list', reason: /not know the access key key/ },
  { code: 'PermanentRedirect', status: 301, step: 'list', reason: /not in the region us-east-1/ },
  { code: 'RequestTimeTooSkewed', status: 403, step: 'list', reason: /clocks/ },
  { code: 'AccessDenied', status: 403, step: 'write', reason: /not allowed to write objects/ },
  { code: 'AccessDenied', status: 403, step: 'read', reason: /not allowed to read objects/ },
  { code: 'AccessDenied', status: 403, step: 'delete', reason: /not allowed to delete objects/ },
])('the check tells $code at the step $step', async ({ code, status, step, reason }) => {
  const { server, options } = await openBrokenStore((request, response) => {
    const isList = request.url?.includes('list-type') ?? false;
    const asked = { PUT: 'write', DELETE: 'delete', GET: isList ? 'list' : 'read' };
    request.resume();
    const fails = Object.entries(asked).some(
      ([method, name]) => method === request.method && name === step,
    );
    response.writeHead(fails ? status : 200);
    if (fails) response.end(`<Error><Code>${code}</Code><Message>no</Message></Error>`);
    else if (isList) response.end('<ListBucketResult></ListBucketResult>');
    else response.end('Written to check the settings of the file storage; may be removed.');
  });
  expect(await checkS3Storage(options)).toEqual({
    isOk: false,
    step,
    reason: expect.stringMatching(reason),
  });
  await new Promise((resolve) => server.close(resolve));
});

/** A store that answers as it is told. */
async function openBrokenStore(
  answer: RequestListener,
): Promise<{ server: Server; driver: StorageDriver; options: S3StorageOptions }> {
  const server = createServer(answer);
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const options = {
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    bucket: 'store',
    credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
    forcePathStyle: true,
    ref: 'abc',
  };
  return { server, options, driver: await openS3Storage(options) };
}

test('a store that nobody runs is told as unavailable', async () => {
  const { server, driver } = await openBrokenStore(() => undefined);
  await new Promise((resolve) => server.close(resolve));
  for (const attempt of [
    () => driver.read(newAddress()),
    () => driver.stat(newAddress()),
    () => driver.remove(newAddress()),
    () => driver.write(newAddress(), contentOf(someBytes(10)), writing({ size: 10 })),
    () => driver.write(newAddress(), contentOf(someBytes(10)), writing()),
    () => listAll(driver),
  ]) {
    await expect(attempt()).rejects.toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
      cause: { message: expect.stringContaining('ECONNREFUSED') },
    });
  }
  await driver.close();
});

test('the first part that fails for good ends the upload, and its parts are forgotten', async () => {
  const asked: string[] = [];
  const { server, driver } = await openBrokenStore((request, response) => {
    const url = new URL(request.url ?? '/', 'http://store');
    asked.push(
      `${request.method} ${[...url.searchParams.keys()].filter((key) => key !== 'x-id').join(',')}`,
    );
    request.resume().on('end', () => {
      if (request.method === 'POST') {
        response.end(
          '<InitiateMultipartUploadResult><UploadId>u1</UploadId></InitiateMultipartUploadResult>',
        );
        return;
      }
      response.writeHead(request.method === 'DELETE' ? 204 : 400);
      response.end(request.method === 'DELETE' ? undefined : '<Error><Code>BadPart</Code></Error>');
    });
  });
  const content = contentOf(someBytes(60 * MEGABYTE));
  await expect(driver.write(newAddress(), content, writing())).rejects.toMatchObject({
    code: 'STORAGE_UNAVAILABLE',
    cause: { name: 'BadPart' },
  });
  expect(asked.at(-1)).toBe('DELETE uploadId');
  expect(asked.filter((line) => line.startsWith('PUT')).length).toBeLessThanOrEqual(2);
  expect(content.readableEnded).toBe(false);
  await driver.close();
  await new Promise((resolve) => server.close(resolve));
});

test.each([
  { name: 'could not be looked up', isFound: false, status: 200 },
  { name: 'had no time', isFound: true, status: 503 },
])('a store that $name is asked again for conditional writes', async ({ isFound, status }) => {
  let isWell = false;
  let isWritten = false;
  const { server, options } = await openBrokenStore((request, response) => {
    request.resume();
    if (!isWell) return void response.writeHead(status).end();
    const isSecond = request.method === 'PUT' && isWritten;
    isWritten ||= request.method === 'PUT';
    response.writeHead(isSecond ? 412 : 200).end();
  });
  const driver = await openS3Storage({
    ...options,
    resolveHost: async (host) => {
      if (isWell || isFound) return host;
      throw new Error(`${host} is not known`);
    },
  });
  expect(await driver.presignsOnce?.()).toBe(false);
  isWell = true;
  expect(await driver.presignsOnce?.()).toBe(true);
  isWell = false;
  expect(await driver.presignsOnce?.()).toBe(true);
  await driver.close();
  await new Promise((resolve) => server.close(resolve));
});
