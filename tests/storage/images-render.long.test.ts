// Images made out of stored ones, from both drivers: what comes out, what is kept, and what is refused.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import sharp from 'sharp';

import { waitFor } from '#libs/testing';
import { Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { makeBucket } from './bucket-rows.js';
import {
  animation,
  blue,
  canvas,
  colourOf,
  pixelBomb,
  renderPath,
  variantsOf,
} from './image-samples.js';
import {
  type ByteReply,
  fetchBytes,
  type FilePlace,
  type PlacedFile,
  storesHere,
  type StoreUnderTest,
} from './stored-files.js';

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect/></svg>';

describe.each(storesHere())('images of files in a $kind store', ({ open }) => {
  let store: StoreUnderTest;
  let deployment: Deployment;
  let project: ProjectUnderTest;
  let place: FilePlace;
  /** Of a project that has no good images. */
  let attacked: FilePlace;

  const render = (query: string, method = 'GET') =>
    fetchBytes(project, { path: `${renderPath}?bucket=pictures&${query}`, method });
  const put = (key: string, content: Buffer | string, given: object = {}): Promise<PlacedFile> =>
    place.put({
      bucket: 'pictures',
      key,
      content,
      mediaType: 'image/png',
      visibility: 'public',
      ...given,
    });
  /** A variant is kept under its entity tag, soon after it was given. */
  const kept = ({ headers }: ByteReply) =>
    waitFor(async () =>
      (await variantsOf(deployment, project)).includes(headers.etag?.slice(1, -1) ?? ''),
    );
  const sizeOf = async ({ bytes }: ByteReply) => {
    const { width, height } = await sharp(bytes).metadata();
    return [width, height];
  };

  beforeAll(async () => {
    store = await open();
    deployment = await Deployment.open({ env: store.env });
    project = await deployment.createProject();
    place = await store.placeOf(deployment, project);
    attacked = await store.placeOf(deployment, await deployment.createProject());
    await makeBucket(project, 'pictures', { public: true });
    await makeBucket(attacked.project, 'pictures', { public: true });
    await put('red.png', await canvas(400, 200).png().toBuffer());
  }, 120_000);
  afterAll(async () => {
    await deployment.close();
    await store.close();
  }, 60_000);

  test.each([
    { name: 'a width alone', query: 'width=100', size: [100, 50] },
    { name: 'cover', query: 'width=100&height=100', size: [100, 100] },
    { name: 'contain', query: 'width=100&height=100&resize=contain', size: [100, 50] },
    { name: 'fill', query: 'width=30&height=90&resize=fill', size: [30, 90] },
    { name: 'nothing made larger', query: 'width=2000', size: [400, 200] },
  ])('$name: the image has the size that was asked for', async ({ query, size }) => {
    const reply = await render(`path=red.png&${query}&format=webp`);
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({
      'content-type': 'image/webp',
      'content-length': String(reply.bytes.length),
      'content-disposition': 'inline; filename="red.webp"',
    });
    expect(await sizeOf(reply)).toEqual(size);
    expect(await colourOf(reply.bytes)).toEqual([true, false, false]);
  });

  test.each([
    { format: 'webp', type: 'image/webp', name: 'red.webp' },
    { format: 'avif', type: 'image/avif', name: 'red.avif' },
    { format: 'jpeg', type: 'image/jpeg', name: 'red.jpg' },
    { format: 'png', type: 'image/png', name: 'red.png' },
    { format: 'origin', type: 'image/png', name: 'red.png' },
  ])('format=$format gives $type', async ({ format, type, name }) => {
    const reply = await render(`path=red.png&width=20&format=${format}`);
    expect(reply.headers).toMatchObject({
      'content-type': type,
      'content-disposition': `inline; filename="${name}"`,
    });
    const { format: found } = await sharp(reply.bytes).metadata();
    expect(`image/${found === 'heif' ? 'avif' : found}`).toBe(type);
  });

  test('a photograph is turned as its camera says, and tells nothing of where it was taken', async () => {
    const place = { IFD0: { Copyright: 'somebody' }, IFD3: { GPSLatitude: '52/1 31/1 0/1' } };
    const photo = canvas(60, 30).jpeg().withMetadata({ orientation: 6 }).withExifMerge(place);
    await put('photo.jpg', await photo.toBuffer(), { mediaType: 'image/jpeg' });
    const reply = await render('path=photo.jpg&width=20');
    expect(reply.headers['content-type']).toBe('image/jpeg');
    const { width, height, exif, orientation } = await sharp(reply.bytes).metadata();
    expect([width, height, exif, orientation]).toEqual([20, 40, undefined, undefined]);
  });

  test('of an animation the first picture is given', async () => {
    await put('moving.gif', await animation(), { mediaType: 'image/gif' });
    const reply = await render('path=moving.gif&format=origin');
    expect(reply.headers['content-type']).toBe('image/png');
    expect(await sizeOf(reply)).toEqual([40, 20]);
    expect(await colourOf(reply.bytes)).toEqual([true, false, false]);
  });

  test('HEAD says what GET says', async () => {
    const get = await render('path=red.png&width=33');
    const head = await render('path=red.png&width=33', 'HEAD');
    const { date: _sent, connection: _c, 'x-request-id': _id, ...told } = get.headers;
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    expect(head.headers).toMatchObject(told);
  });

  test('an image is made once: after that its source is not read again', async () => {
    const source = await put('once.png', await canvas(50, 50).png().toBuffer());
    const first = await render('path=once.png&width=25&height=25');
    await kept(first);
    await place.loseBytes(source);
    const second = await render(`path=${source.id}&height=25&width=25&resize=cover&quality=80`);
    expect(second.status).toBe(200);
    expect(second.bytes).toEqual(first.bytes);
    expect(second.headers.etag).toBe(first.headers.etag);
    const other = await render('path=once.png&width=24');
    expect(other.status).toBe(404);
    expect(other.bytes.toString()).toContain('STORAGE_OBJECT_MISSING');
  });

  test('a file that is replaced gives the new image at once, under another tag', async () => {
    await put('changing.png', await canvas(50, 50).png().toBuffer());
    const before = await render('path=changing.png&width=20');
    await put('changing.png', await canvas(50, 50, blue).png().toBuffer(), { upsert: true });
    const after = await render('path=changing.png&width=20');
    expect(await colourOf(before.bytes)).toEqual([true, false, false]);
    expect(await colourOf(after.bytes)).toEqual([false, false, true]);
    expect(after.headers.etag).not.toBe(before.headers.etag);
  });

  test('an image that many ask for at once is the same for all of them', async () => {
    const asked = Array.from({ length: 20 }, () => render('path=red.png&width=77'));
    const replies = await Promise.all(asked);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(replies.map(({ bytes }) => bytes.toString('base64'))).size).toBe(1);
  });

  const photo = () => canvas(640, 480).jpeg().toBuffer();

  test.each([
    { name: 'a PNG of 256 million pixels', content: () => pixelBomb(16_000), code: 'TOO_LARGE' },
    { name: 'a PNG of 400 million pixels', content: () => pixelBomb(20_000), code: 'TOO_LARGE' },
    { name: 'an SVG', content: () => svg, mediaType: 'image/svg+xml', code: 'NOT_SUPPORTED' },
    { name: 'an SVG that is called a PNG', content: () => svg, code: 'NOT_SUPPORTED' },
    { name: 'a PDF that is called a PNG', content: () => '%PDF-1.7\n', code: 'NOT_SUPPORTED' },
    {
      name: 'a TIFF that is called a PNG',
      content: () => canvas(9, 9).tiff().toBuffer(),
      code: 'NOT_SUPPORTED',
    },
    { name: 'a text', content: () => 'text', mediaType: 'text/plain', code: 'NOT_SUPPORTED' },
    {
      name: 'half a JPEG',
      content: async () => (await photo()).subarray(0, 2000),
      mediaType: 'image/jpeg',
      code: 'INVALID',
    },
    { name: 'nothing', content: () => '', code: 'INVALID' },
    {
      name: 'markup that begins as a GIF',
      content: () => 'GIF89a/*<script>alert(1)</script>*/',
      mediaType: 'image/gif',
      code: 'INVALID',
    },
  ])('$name is refused, and nothing of it is kept', async ({ name, content, mediaType, code }) => {
    const statuses: Record<string, number> = { TOO_LARGE: 413, NOT_SUPPORTED: 415, INVALID: 400 };
    const { id } = await attacked.put({
      bucket: 'pictures',
      key: name,
      content: await content(),
      mediaType: mediaType ?? 'image/png',
      visibility: 'public',
    });
    const path = `${renderPath}?bucket=pictures&path=${id}&width=10`;
    const reply = await fetchBytes(attacked.project, { path });
    expect(reply.bytes.toString()).toContain(`"IMAGE_${code}"`);
    expect(reply.status).toBe(statuses[code]);
    expect(reply.headers['content-type']).toContain('application/json');
    expect(await variantsOf(deployment, attacked.project)).toEqual([]);
  });

  test('markup that hides behind an image does not come out', async () => {
    const content = Buffer.concat([await photo(), Buffer.from('<script>alert(1)</script>')]);
    await put('both.jpg', content, { mediaType: 'image/jpeg' });
    const reply = await render('path=both.jpg&format=origin');
    expect(reply.status).toBe(200);
    expect(reply.bytes.includes('<script>')).toBe(false);
  });
});
