// Presigned URLs against a store that checks signatures: what was signed is taken, anything else refused.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openS3Storage, type StorageDriver } from '#libs/storage-driver';
import { describeIf } from '#libs/testing';
import { canRunS3, openS3Server, type S3Server } from '../support/s3-server.js';
import { bytesAt, contentOf, newAddress, s3Options, writing } from './storage-places.js';

describeIf(canRunS3(), 'presigned URLs need Swift')('a presigned URL', () => {
  let server: S3Server;
  let driver: StorageDriver & Required<Pick<StorageDriver, 'presignWrite' | 'presignRead'>>;
  beforeAll(async () => {
    server = await openS3Server();
    driver = await openS3Storage(s3Options(server, await server.createBucket()));
  }, 70_000);
  afterAll(async () => {
    await driver.close();
    await server.close();
  }, 20_000);

  const signed = { size: 10, mediaType: 'image/png', expiresInSeconds: 60 };

  test('takes the length and the type that were signed', async () => {
    const address = newAddress('ein Bild ü+%.png');
    const { url, headers } = await driver.presignWrite(address, signed);
    expect(headers).toEqual({ 'content-type': 'image/png' });
    const answer = await fetch(url, { method: 'PUT', headers, body: '0123456789' });
    expect(answer.status).toBe(200);
    expect(await driver.stat(address)).toEqual({ size: 10, mediaType: 'image/png' });
    expect((await bytesAt(driver, address))?.toString()).toBe('0123456789');
  });

  test.each([
    { name: 'a longer body', body: '0123456789+' },
    { name: 'a shorter body', body: '012345678' },
    { name: 'another type', type: 'text/html' },
    { name: 'no type', type: undefined },
    { name: 'another object', change: (url: string) => url.replace('file.bin', 'else.bin') },
    {
      name: 'a later end',
      change: (url: string) => url.replace('X-Amz-Expires=60', 'X-Amz-Expires=6000'),
    },
    { name: 'a read', method: 'GET' },
    { name: 'a removal', method: 'DELETE' },
  ])('does not allow $name', async (given) => {
    const { body = '0123456789', change = (url: string) => url, method = 'PUT' } = given;
    const address = newAddress();
    const { url, headers } = await driver.presignWrite(address, signed);
    const type = 'type' in given ? given.type : headers['content-type'];
    const answer = await fetch(change(url), {
      method,
      headers: type === undefined ? {} : { 'content-type': type },
      // Bytes and not a text, which fetch would give a type of its own.
      ...(method === 'PUT' && { body: Buffer.from(body) }),
    });
    expect(answer.status).toBe(403);
    expect(await driver.stat(address)).toBeUndefined();
  });

  test('is worthless when its time is over', async () => {
    const address = newAddress();
    const { url, headers } = await driver.presignWrite(address, { ...signed, expiresInSeconds: 1 });
    const signedAt = Date.now();
    const put = async (): Promise<number> =>
      (await fetch(url, { method: 'PUT', headers, body: '0123456789' })).status;
    let status = await put();
    while (status === 200 && Date.now() < signedAt + 10_000) status = await put();
    expect(status).toBe(403);
  });

  test('binds the condition that makes it work once where the store knows conditions', async () => {
    const options = { ...s3Options(server, 'any'), conditionalWrites: true };
    const once = await openS3Storage(options);
    const { url, headers } = await once.presignWrite(newAddress(), signed);
    expect(headers).toEqual({ 'content-type': 'image/png', 'if-none-match': '*' });
    const query = new URL(url).searchParams;
    expect(query.get('X-Amz-SignedHeaders')).toBe('content-length;content-type;host;if-none-match');
    expect([...query.keys()].filter((name) => /checksum|none-match/i.test(name))).toEqual([]);
    await once.close();
  });

  test('gives the bytes with the headers that were asked for', async () => {
    const address = newAddress();
    const content = Buffer.from('<p>text</p>');
    await driver.write(address, contentOf(content), writing({ mediaType: 'text/html' }));
    const contentDisposition = `attachment; filename="a.txt"; filename*=UTF-8''%C3%A4.txt`;
    const url = await driver.presignRead(address, {
      expiresInSeconds: 60,
      responseHeaders: {
        contentType: 'text/plain',
        contentDisposition,
        cacheControl: 'private, max-age=60',
      },
    });
    const answer = await fetch(url);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe('<p>text</p>');
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/plain',
      'content-disposition': contentDisposition,
      'cache-control': 'private, max-age=60',
    });
    const changed = url.replace('attachment', 'inline');
    expect((await fetch(changed)).status).toBe(403);
  });

  test('gives a range', async () => {
    const address = newAddress();
    await driver.write(address, contentOf(Buffer.from('0123456789')), writing());
    const url = await driver.presignRead(address, { expiresInSeconds: 60 });
    const answer = await fetch(url, { headers: { range: 'bytes=2-4' } });
    expect(answer.status).toBe(206);
    expect(await answer.text()).toBe('234');
  });
});
