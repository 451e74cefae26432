import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import sharp from 'sharp';

import { waitFor } from '#libs/testing';
import { ImageQueue } from './image-queue.js';
import {
  type ImageVariants,
  openImageVariants,
  type Variant,
  variantName,
} from './image-variants.js';

let root: string;
let folder: string;
let opened: ImageVariants[];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'images-'));
  folder = join(root, 'variants');
  opened = [];
});

afterEach(async () => {
  await Promise.all(opened.map((variants) => variants.close()));
  await rm(root, { recursive: true, force: true });
});

const version = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
const transform = {
  width: 10,
  height: undefined,
  resize: 'cover' as const,
  quality: 80,
  format: undefined,
};
const small: Variant = { version, transform, format: 'webp' };
const create = { width: 64, height: 64, channels: 3 as const, background: '#ff0000' };
const picture = sharp({ create }).png().toBuffer();

function open(options: { readonly queue?: ImageQueue; readonly errors?: unknown[] } = {}) {
  const variants = openImageVariants({
    folder,
    maxBytes: () => 1_000_000,
    queue: options.queue ?? new ImageQueue({ places: 2 }),
    now: Date.now,
    onError: (error) => options.errors?.push(error),
  });
  opened.push(variants);
  return variants;
}

/** A source that counts how often it is fetched, and can be held back. */
class Source {
  fetches = 0;
  readonly signals: AbortSignal[] = [];
  #open: () => void = () => {};
  #gate: Promise<void> = Promise.resolve();

  close(): this {
    this.#gate = new Promise((resolve) => (this.#open = resolve));
    return this;
  }

  release(): void {
    this.#open();
  }

  ask(variant: Variant, client = new AbortController()) {
    const fetch = async (signal: AbortSignal) => {
      this.fetches += 1;
      this.signals.push(signal);
      await this.#gate;
      signal.throwIfAborted();
      return picture;
    };
    return { variant, fetch, signal: client.signal };
  }
}

describe('the variants of images', () => {
  test('are made once, kept, and read after a restart', async () => {
    const source = new Source();
    const variants = open();
    const made = await variants.get(source.ask(small));
    await variants.close();
    const name = variantName(small);
    expect(await readdir(join(folder, name.slice(0, 2)))).toEqual([name]);
    expect(await open().get(source.ask(small))).toEqual(made);
    expect(source.fetches).toBe(1);
  });

  test('that are asked for by many at once are made once', async () => {
    const source = new Source();
    const variants = open();
    const asked = Array.from({ length: 50 }, () => variants.get(source.ask(small)));
    const images = await Promise.all(asked);
    expect(new Set(images.map(String)).size).toBe(1);
    expect(source.fetches).toBe(1);
  });

  test.each([
    { name: 'another version', other: { version: version.replace('6', '7') } },
    { name: 'another format', other: { format: 'png' as const } },
    { name: 'another size', other: { transform: { ...transform, width: 11 } } },
    { name: 'another quality', other: { transform: { ...transform, quality: 81 } } },
  ])('of $name are others', async ({ other }) => {
    const source = new Source();
    const variants = open();
    await variants.get(source.ask(small));
    await variants.get(source.ask({ ...small, ...other }));
    expect(source.fetches).toBe(2);
    expect(variantName({ ...small, ...other })).not.toBe(variantName(small));
  });

  test('go on for those who stay, and end with the last who leaves', async () => {
    const source = new Source().close();
    const variants = open();
    const clients = [new AbortController(), new AbortController()] as const;
    const [first, second] = clients.map((client) => variants.get(source.ask(small, client)));
    await waitFor(() => source.fetches === 1);
    clients[0].abort();
    await expect(first).rejects.toMatchObject({ code: 'REQUEST_ABORTED' });
    expect(source.signals[0]?.aborted).toBe(false);
    clients[1].abort();
    await expect(second).rejects.toMatchObject({ code: 'REQUEST_ABORTED' });
    expect(source.signals[0]?.aborted).toBe(true);
    source.release();
  });

  test('are begun anew for whoever comes after the last has left', async () => {
    const source = new Source().close();
    const variants = open();
    const client = new AbortController();
    const left = variants.get(source.ask(small, client));
    await waitFor(() => source.fetches === 1);
    client.abort();
    const come = variants.get(source.ask(small));
    source.release();
    await expect(left).rejects.toMatchObject({ code: 'REQUEST_ABORTED' });
    expect((await come).length).toBeGreaterThan(0);
  });

  test('that failed are tried again, and nothing of them is kept', async () => {
    const variants = open();
    const broken = { ...new Source().ask(small), fetch: async () => Buffer.from('no image') };
    await expect(variants.get(broken)).rejects.toMatchObject({ code: 'IMAGE_NOT_SUPPORTED' });
    await variants.close();
    await expect(readdir(folder)).rejects.toMatchObject({ code: 'ENOENT' });
    expect((await variants.get(new Source().ask(small))).length).toBeGreaterThan(0);
  });

  test('are given although they cannot be kept', async () => {
    const errors: unknown[] = [];
    await writeFile(folder, 'a file is in the way');
    const variants = open({ errors });
    const [source, again] = [new Source(), new Source()];
    const made = await variants.get(source.ask(small));
    await variants.close();
    expect(await variants.get(again.ask(small))).toEqual(made);
    expect([source.fetches, again.fetches]).toEqual([1, 1]);
    expect(errors).not.toEqual([]);
  });

  test('that are kept do not wait for the queue', async () => {
    const queue = new ImageQueue({ places: 1 });
    const variants = open({ queue });
    const made = await variants.get(new Source().ask(small));
    await variants.close();
    const blocked = new Source().close();
    const waiting = Array.from({ length: 10 }, (_none, at) =>
      variants.get(blocked.ask({ ...small, transform: { ...transform, width: 20 + at } })),
    );
    await waitFor(() => blocked.fetches > 0);
    expect(await variants.get(new Source().ask(small))).toEqual(made);
    blocked.release();
    await Promise.all(waiting);
  });
});
