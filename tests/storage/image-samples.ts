// Images for tests: plain ones, and such as somebody sends who means harm.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

import sharp, { type Sharp } from 'sharp';

import type { Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { localFolder } from './stored-files.js';

export const renderPath = '/storage/v1/render/image';

export const red = { r: 255, g: 0, b: 0 };
export const blue = { r: 0, g: 0, b: 255 };

/** A canvas of one colour, to be given a format. */
export function canvas(width: number, height: number, background = red): Sharp {
  return sharp({ create: { width, height, channels: 3, background } });
}

/** Two pictures, the first one red. */
export async function animation(): Promise<Buffer> {
  const pictures = [red, blue].map((colour) => canvas(40, 20, colour).png().toBuffer());
  return sharp(await Promise.all(pictures), { join: { animated: true } })
    .gif()
    .toBuffer();
}

/** A PNG of few bytes that says it has so many pixels on each side. */
export async function pixelBomb(side: number): Promise<Buffer> {
  const bomb = await canvas(8, 8).png().toBuffer();
  // The first chunk: its length, `IHDR`, width, height, five bytes more, its checksum.
  bomb.writeUInt32BE(side, 16);
  bomb.writeUInt32BE(side, 20);
  bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29);
  return bomb;
}

/** Red, green and blue of the first pixel, each nothing or all. */
export async function colourOf(image: Buffer): Promise<readonly boolean[]> {
  const one = sharp(image).extract({ left: 0, top: 0, width: 1, height: 1 }).removeAlpha().raw();
  return [...(await one.toBuffer())].map((part) => part > 127);
}

/** Names of the variants that a project keeps. */
export async function variantsOf(
  deployment: Deployment,
  project: ProjectUnderTest,
): Promise<string[]> {
  const folder = join(localFolder(deployment, project), '.variants');
  try {
    const files = await readdir(folder, { recursive: true, withFileTypes: true });
    return files.filter((file) => file.isFile()).map(({ name }) => name);
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT') {
      return [];
    }
    throw error;
  }
}
