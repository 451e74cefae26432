// A photograph of 1600x1200 pixels made into a WebP of 400x300: the first time, and from the cache.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { call } from '../control.js';
import { tokenOf } from '../database/accounts.js';
import { requestText } from '../requests.js';
import { httpSeries, perReply } from '../series.js';
import { IMAGE_CACHED, IMAGE_MADE } from './demands.js';
import { addressOf, BUCKET, type CheckedSeries, type StoragePlace } from './place.js';

const SOURCE = { width: 1600, height: 1200 } as const;
const MADE = { width: 400, height: 300 } as const;
const SOURCE_KEY = 'images/source.jpg';
/** More than a processor makes in a second. */
const COPIES_PER_SECOND = 100;
const CHANNELS = 3;

/** Smooth areas, edges and a little noise, as a photograph has them. */
async function writePhotograph(file: string): Promise<void> {
  const { width, height } = SOURCE;
  const pixels = Buffer.alloc(width * height * CHANNELS);
  for (let index = 0; index < pixels.length; index += 1) {
    const x = Math.floor(index / CHANNELS) % width;
    const y = Math.floor(index / (CHANNELS * width));
    const wave = Math.sin(x / 90 + (index % CHANNELS)) * Math.cos(y / 70) * 90;
    const edge = (x >> 7) % 2 === (y >> 7) % 2 ? 20 : -20;
    pixels[index] = 128 + wave + edge + Math.random() * 12;
  }
  await sharp(pixels, { raw: { ...SOURCE, channels: CHANNELS } })
    .jpeg({ quality: 90 })
    .toFile(file);
}

function imagePath(key: string): string {
  const query = new URLSearchParams({
    bucket: BUCKET,
    path: key,
    width: String(MADE.width),
    height: String(MADE.height),
    format: 'webp',
  });
  return `/storage/v1/render/image?${query.toString()}`;
}

function imageRequest(place: StoragePlace, key: string): string {
  const call = { method: 'GET', path: imagePath(key) } as const;
  return requestText(addressOf(place).host, call, tokenOf(1));
}

async function putPhotograph(place: StoragePlace): Promise<void> {
  const file = join(place.folder, 'source.jpg');
  await writePhotograph(file);
  const { status } = await place.send({
    ...addressOf(place),
    path: `/api/files/object/${BUCKET}/${SOURCE_KEY}`,
    bearer: tokenOf(1),
    body: { file, mediaType: 'image/jpeg' },
  });
  if (status !== 201) throw new Error(`The photograph was answered ${String(status)}`);
}

/** Each copy is a version of its own, so that no image of it has been made. */
async function copyPhotograph(place: StoragePlace, to: string): Promise<void> {
  await call({
    ...addressOf(place),
    method: 'POST',
    path: '/api/files/copy',
    headers: { authorization: `Bearer ${tokenOf(1)}` },
    body: { bucket: BUCKET, from: SOURCE_KEY, to },
  });
}

/** Why the image is wrong, or shown to strangers; undefined when it is right. */
async function faultOfImage(place: StoragePlace, key: string): Promise<string | undefined> {
  const out = join(place.folder, 'image.webp');
  const asked = { ...addressOf(place), path: imagePath(key) };
  const { status } = await place.send({ ...asked, bearer: tokenOf(1), out });
  if (status !== 200) return `no success; it answered ${String(status)}`;
  const { format, width, height } = await sharp(await readFile(out)).metadata();
  if (format !== 'webp' || width !== MADE.width || height !== MADE.height) {
    return `a ${format} of ${String(width)}x${String(height)} pixels`;
  }
  await writeFile(out, '');
  const toStranger = await place.send({ ...asked, bearer: tokenOf(2) });
  if (toStranger.status === 404) return undefined;
  return `a stranger is answered ${String(toStranger.status)}`;
}

/** Every image of a round is of a copy that no request has asked for. */
function madeSeries(place: StoragePlace): CheckedSeries {
  const { port } = addressOf(place);
  const { load, seconds } = place.by;
  let round = 0;
  return {
    key: IMAGE_MADE,
    faultOf: () => faultOfImage(place, SOURCE_KEY),
    async measure() {
      round += 1;
      const keys = Array.from(
        { length: COPIES_PER_SECOND * seconds },
        (_, index) => `images/${String(round)}/${String(index)}.jpg`,
      );
      // One after another: the next request waits for them anyway.
      for (const key of keys) await copyPhotograph(place, key);
      const result = await load.run({
        kind: 'load',
        port,
        connections: IMAGE_MADE.connections,
        warmUpSeconds: 0,
        seconds,
        serverPid: place.product.current().pid,
        requests: keys.map((key) => imageRequest(place, key)),
      });
      if (result.replies < keys.length) return perReply(result);
      throw new Error('There were fewer copies of the photograph than images in a round');
    },
  };
}

function cachedSeries(place: StoragePlace): CheckedSeries {
  const { port } = addressOf(place);
  const { pid } = place.product.current();
  const requests = [imageRequest(place, SOURCE_KEY)];
  return {
    ...httpSeries(IMAGE_CACHED, { port, pid, requests }, place.by),
    // The second time it comes from the cache.
    faultOf: async () =>
      (await faultOfImage(place, SOURCE_KEY)) ?? (await faultOfImage(place, SOURCE_KEY)),
  };
}

export async function openImages(place: StoragePlace): Promise<CheckedSeries[]> {
  await putPhotograph(place);
  return [madeSeries(place), cachedSeries(place)];
}
