import { crc32, deflateSync } from 'node:zlib';

import { describe, expect, test } from 'vitest';
import sharp, { type Metadata } from 'sharp';

import type { ImageFormat, Transform } from '#libs/storage-rules';

import { imageError } from './image-errors.js';
import { transformImage } from './transform-image.js';

const plain: Transform = {
  width: undefined,
  height: undefined,
  resize: 'cover',
  quality: 80,
  format: undefined,
};
const red = { r: 255, g: 0, b: 0 };
const blue = { r: 0, g: 0, b: 255 };

/** Red on the left, blue on the right. */
function halves(width: number, height: number) {
  const right = { create: { width: width / 2, height, channels: 3 as const, background: blue } };
  return sharp({ create: { width, height, channels: 3, background: red } }).composite([
    { input: right, left: width / 2, top: 0 },
  ]);
}

async function transformed(
  source: Buffer,
  transform: Partial<Transform> = {},
  format: ImageFormat = 'png',
): Promise<Metadata> {
  const { bytes, width, height } = await transformImage(source, { ...plain, ...transform }, format);
  const metadata = await sharp(bytes).metadata();
  expect([width, height]).toEqual([metadata.width, metadata.height]);
  return metadata;
}

/** Red, green and blue of one pixel. */
async function pixel(bytes: Buffer, left: number, top: number): Promise<number[]> {
  const one = sharp(bytes).extract({ left, top, width: 1, height: 1 }).removeAlpha().raw();
  return [...(await one.toBuffer())];
}

/** A black PNG of one bit for each pixel. */
function blankPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(1, 8);
  const rows = Buffer.alloc((1 + Math.ceil(width / 8)) * height);
  const chunks = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND')];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks]);
}

function chunk(type: string, content: Buffer = Buffer.alloc(0)): Buffer {
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  const named = Buffer.concat([Buffer.from(type), content]);
  length.writeUInt32BE(content.length);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}

describe('the size', () => {
  const source = halves(400, 200).png().toBuffer();

  test.each([
    { name: 'nothing asked keeps it', asked: {}, is: [400, 200] },
    { name: 'a width leaves the height to follow', asked: { width: 100 }, is: [100, 50] },
    { name: 'a height leaves the width to follow', asked: { height: 100 }, is: [200, 100] },
    { name: 'cover fills both sides', asked: { width: 100, height: 100 }, is: [100, 100] },
    {
      name: 'contain fits into both sides',
      asked: { width: 100, height: 100, resize: 'contain' as const },
      is: [100, 50],
    },
    {
      name: 'fill takes both sides',
      asked: { width: 100, height: 100, resize: 'fill' as const },
      is: [100, 100],
    },
    {
      name: 'fill of one side leaves the other to follow',
      asked: { width: 100, resize: 'fill' as const },
      is: [100, 50],
    },
    { name: 'no width is made larger', asked: { width: 1000 }, is: [400, 200] },
    { name: 'no side is made larger', asked: { width: 1000, height: 100 }, is: [400, 100] },
    {
      name: 'contain makes nothing larger',
      asked: { width: 1000, height: 1000, resize: 'contain' as const },
      is: [400, 200],
    },
  ])('$name', async ({ asked, is }) => {
    const { width, height } = await transformed(await source, asked);
    expect([width, height]).toEqual(is);
  });

  test('cover cuts what stands out, evenly; fill keeps all of it', async () => {
    const asked = { ...plain, width: 20, height: 100 };
    const covered = await transformImage(await source, asked, 'png');
    expect(await pixel(covered.bytes, 0, 50)).toEqual([255, 0, 0]);
    expect(await pixel(covered.bytes, 19, 50)).toEqual([0, 0, 255]);
    const wide = { ...plain, width: 200, height: 20 };
    const narrow = await transformImage(await source, { ...wide, resize: 'fill' }, 'png');
    expect(await pixel(narrow.bytes, 10, 10)).toEqual([255, 0, 0]);
    expect(await pixel(narrow.bytes, 190, 10)).toEqual([0, 0, 255]);
  });
});

describe('what comes out', () => {
  test.each(['webp', 'avif', 'jpeg', 'png'] as const)(
    'is %s where that is asked',
    async (format) => {
      const source = await halves(64, 32).png().toBuffer();
      const metadata = await transformed(source, {}, format);
      expect(metadata.format).toBe(format === 'avif' ? 'heif' : format);
    },
  );

  test.each([
    { name: 'a JPEG', source: () => halves(64, 32).jpeg() },
    { name: 'a PNG', source: () => halves(64, 32).png() },
    { name: 'a WebP', source: () => halves(64, 32).webp() },
    { name: 'an AVIF', source: () => halves(64, 32).avif({ effort: 0 }) },
    { name: 'a GIF', source: () => halves(64, 32).gif() },
  ])('can be made of $name', async ({ source }) => {
    const { width, height } = await transformed(await source().toBuffer(), { width: 32 });
    expect([width, height]).toEqual([32, 16]);
  });

  test('is turned as its camera has noted, and no more so', async () => {
    const turned = await halves(64, 32).jpeg().withMetadata({ orientation: 6 }).toBuffer();
    const { bytes } = await transformImage(turned, { ...plain, width: 16 }, 'png');
    const { width, height, orientation } = await sharp(bytes).metadata();
    expect([width, height, orientation]).toEqual([16, 32, undefined]);
    const [top] = await pixel(bytes, 8, 4);
    expect(top).toBeGreaterThan(200);
  });

  test.each(['webp', 'avif', 'jpeg', 'png'] as const)(
    'carries no place, text or profile: %s',
    async (format) => {
      const place = { IFD0: { Copyright: 'somebody' }, IFD3: { GPSLatitude: '52/1 31/1 0/1' } };
      const source = await halves(64, 32)
        .jpeg()
        .withExif(place)
        .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>')
        .withIccProfile('p3')
        .toBuffer();
      const before = await sharp(source).metadata();
      expect([before.exif, before.xmp, before.icc]).not.toContain(undefined);
      const { exif, xmp, icc, iptc } = await transformed(source, {}, format);
      expect([exif, xmp, icc, iptc]).toEqual([undefined, undefined, undefined, undefined]);
    },
  );

  test('is the first picture of an animation', async () => {
    const frames = [red, blue].map((background) => ({
      create: { width: 16, height: 16, channels: 3 as const, background },
    }));
    const stills = frames.map((frame) => sharp(frame).png().toBuffer());
    const animation = await sharp(await Promise.all(stills), { join: { animated: true } })
      .gif()
      .toBuffer();
    expect((await sharp(animation).metadata()).pages).toBe(2);
    const { bytes } = await transformImage(animation, plain, 'webp');
    const { pages, height } = await sharp(bytes).metadata();
    expect([pages ?? 1, height]).toEqual([1, 16]);
    const [first] = await pixel(bytes, 8, 8);
    expect(first).toBeGreaterThan(200);
  });

  test('is white where a JPEG made of it cannot be transparent', async () => {
    const clear = { r: 0, g: 0, b: 0, alpha: 0 };
    const create = { width: 16, height: 16, channels: 4 as const, background: clear };
    const source = await sharp({ create }).png().toBuffer();
    const { bytes } = await transformImage(source, plain, 'jpeg');
    expect(await pixel(bytes, 8, 8)).toEqual([255, 255, 255]);
  });

  test('is smaller with less quality', async () => {
    const noise = { type: 'gaussian' as const, mean: 128, sigma: 30 };
    const create = { width: 200, height: 200, channels: 3 as const, background: red, noise };
    const source = await sharp({ create }).png().toBuffer();
    const [poor, rich] = await Promise.all(
      [20, 95].map((quality) => transformImage(source, { ...plain, quality }, 'webp')),
    );
    expect(poor?.bytes.length).toBeLessThan((rich?.bytes.length ?? 0) / 2);
  });
});

describe('what is refused', () => {
  const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect/></svg>';
  const photo = () => halves(640, 480).jpeg().toBuffer();
  const text = (content: string) => () => Promise.resolve(Buffer.from(content));

  test.each([
    { name: 'nothing', source: text(''), status: 400, code: 'IMAGE_INVALID' },
    {
      name: 'a file of few bytes and 256 million pixels',
      source: () => blankPng(16_000, 16_000),
      status: 413,
      code: 'IMAGE_TOO_LARGE',
    },
    {
      name: 'a file of few bytes and 400 million pixels',
      source: () => blankPng(20_000, 20_000),
      status: 413,
      code: 'IMAGE_TOO_LARGE',
    },
    { name: 'an SVG', source: text(picture), status: 415, code: 'IMAGE_NOT_SUPPORTED' },
    {
      name: 'an SVG after a declaration of XML',
      source: text(`<?xml version="1.0"?>${picture}`),
      status: 415,
      code: 'IMAGE_NOT_SUPPORTED',
    },
    { name: 'a PDF', source: text('%PDF-1.7\n'), status: 415, code: 'IMAGE_NOT_SUPPORTED' },
    {
      name: 'a TIFF',
      source: () => halves(64, 32).tiff().toBuffer(),
      status: 415,
      code: 'IMAGE_NOT_SUPPORTED',
    },
    {
      name: 'markup that begins as a GIF',
      source: text('GIF89a/*<script>alert(1)</script>*/'),
      status: 400,
      code: 'IMAGE_INVALID',
    },
    {
      name: 'half a JPEG',
      source: async () => (await photo()).subarray(0, 2000),
      status: 400,
      code: 'IMAGE_INVALID',
    },
    {
      name: 'half a PNG',
      source: async () => (await halves(640, 480).png().toBuffer()).subarray(0, 500),
      status: 400,
      code: 'IMAGE_INVALID',
    },
  ])('$name', async ({ source, status, code }) => {
    const made = transformImage(await source(), { ...plain, width: 10 }, 'webp');
    await expect(made).rejects.toMatchObject({ status, code });
  });

  test('an answer that its format cannot hold', async () => {
    const made = transformImage(blankPng(20_000, 10), plain, 'webp');
    await expect(made).rejects.toMatchObject({ code: 'IMAGE_TOO_LARGE' });
  });

  test('markup behind an image does not come out', async () => {
    const source = Buffer.concat([await photo(), Buffer.from('<script>alert(1)</script>')]);
    const { bytes } = await transformImage(source, plain, 'jpeg');
    expect(bytes.includes('<script>')).toBe(false);
  });

  test('an animation of a thousand pictures costs no more than its first', async () => {
    const stills = Array.from({ length: 1000 }, (_none, at) => ({
      create: {
        width: 8,
        height: 8,
        channels: 3 as const,
        background: { r: at % 256, g: 0, b: at >> 2 },
      },
    }));
    const pictures = await Promise.all(stills.map((still) => sharp(still).png().toBuffer()));
    const animation = await sharp(pictures, { join: { animated: true } })
      .gif()
      .toBuffer();
    const { width, height } = await transformed(animation);
    expect([width, height]).toEqual([8, 8]);
  });
});

describe('errors of the library', () => {
  test.each([
    { message: 'timeout: 42% complete', code: 'IMAGE_TIMEOUT' },
    { message: 'VipsJpeg: premature end of JPEG image', code: 'IMAGE_INVALID' },
    { message: 'Input buffer contains unsupported image format', code: 'IMAGE_NOT_SUPPORTED' },
    { message: 'Input image exceeds pixel limit', code: 'IMAGE_TOO_LARGE' },
  ])('$message', ({ message, code }) => {
    const cause = new Error(message);
    expect(imageError(cause)).toMatchObject({ code, cause });
  });

  test('a lack of memory is not the fault of the image', () => {
    const error = new Error('vips_tracked: out of memory --- size == 4MB');
    expect(imageError(error)).toBe(error);
  });
});
