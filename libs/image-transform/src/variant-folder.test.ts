import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { VariantFolder } from './variant-folder.js';

let root: string;
let folder: string;
let errors: unknown[];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'variants-'));
  folder = join(root, 'variants');
  errors = [];
});

afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

const hour = 60 * 60 * 1000;
const newName = () => randomBytes(32).toString('hex');
const pathOf = (name: string) => join(folder, name.slice(0, 2), name);

function open(maxBytes: number, now: () => number = Date.now): VariantFolder {
  return new VariantFolder({
    folder,
    maxBytes: () => maxBytes,
    now,
    onError: (error) => errors.push(error),
  });
}

/** Bytes of all files in the folder. */
async function bytesKept(): Promise<number> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = files
    .filter((file) => file.isFile())
    .map(async (file) => (await stat(join(file.parentPath, file.name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** Makes the file as if it was last used so long ago. */
async function age(name: string, ms: number): Promise<void> {
  const then = (Date.now() - ms) / 1000;
  await utimes(pathOf(name), then, then);
}

describe('the folder of variants', () => {
  test('gives what it was given, after a restart too, and nothing else', async () => {
    const name = newName();
    await open(1000).write(name, Buffer.from('image'));
    expect(await open(1000).read(name)).toEqual(Buffer.from('image'));
    expect(await open(1000).read(newName())).toBeUndefined();
    expect(errors).toEqual([]);
  });

  test('leaves no half-written files', async () => {
    const name = newName();
    await open(1000).write(name, Buffer.from('image'));
    expect(await readdir(join(folder, name.slice(0, 2)))).toEqual([name]);
  });

  test.each(['../../x', 'A'.repeat(64), '', '0'.repeat(63)])(
    'takes no name that is not a hash: %j',
    async (name) => {
      await open(1000).write(name, Buffer.from('image'));
      expect(await open(1000).read(name)).toBeUndefined();
      expect(errors).toHaveLength(2);
      await expect(readdir(folder)).rejects.toMatchObject({ code: 'ENOENT' });
    },
  );

  test.each([
    { name: 'empty', damage: () => Buffer.alloc(0) },
    { name: 'too short', damage: (content: Buffer) => content.subarray(0, -1) },
    { name: 'zeros', damage: (content: Buffer) => Buffer.alloc(content.length) },
  ])('a file that a power cut has left $name is absent, and written anew', async ({ damage }) => {
    const [name, image] = [newName(), Buffer.from('image')];
    const variants = open(1000);
    await variants.write(name, image);
    await writeFile(pathOf(name), damage(await readFile(pathOf(name))));
    expect(await variants.read(name)).toBeUndefined();
    await variants.write(name, image);
    expect(await variants.read(name)).toEqual(image);
    expect(errors).toEqual([]);
  });

  test('never holds more than its room', async () => {
    const variants = open(10_000);
    for (let at = 0; at < 60; at += 1) {
      await variants.write(newName(), randomBytes(1000));
      expect(await bytesKept()).toBeLessThanOrEqual(10_000);
    }
    expect(await bytesKept()).toBeGreaterThanOrEqual(6_000);
  });

  test('never holds more when many are written at once', async () => {
    const variants = open(10_000);
    for (let round = 0; round < 5; round += 1) {
      await Promise.all(
        Array.from({ length: 16 }, () => variants.write(newName(), randomBytes(1200))),
      );
      expect(await bytesKept()).toBeLessThanOrEqual(10_000);
    }
  });

  test('counts what was there before', async () => {
    const before = open(10_000);
    for (let at = 0; at < 8; at += 1) await before.write(newName(), randomBytes(1000));
    const after = open(10_000);
    for (let at = 0; at < 4; at += 1) await after.write(newName(), randomBytes(1000));
    expect(await bytesKept()).toBeLessThanOrEqual(10_000);
  });

  test('two processes together stay near the room of one', async () => {
    const [a, b] = [open(10_000), open(10_000)];
    for (let at = 0; at < 40; at += 1) {
      await a.write(newName(), randomBytes(500));
      await b.write(newName(), randomBytes(500));
      expect(await bytesKept()).toBeLessThanOrEqual(10_000 * (1 + 2 / 8));
    }
  });

  test('what was not used for longest goes first', async () => {
    const variants = open(10_000);
    const names = Array.from({ length: 8 }, newName);
    for (const name of names) await variants.write(name, randomBytes(1000));
    await Promise.all(names.map((name, at) => age(name, (at + 2) * hour)));
    // The oldest is used again, which makes it the youngest.
    const [oldest = '', nextOldest = ''] = names.toReversed();
    await variants.read(oldest);
    await variants.write(newName(), randomBytes(1000));
    expect(await variants.read(oldest)).toBeDefined();
    expect(await variants.read(nextOldest)).toBeUndefined();
  });

  test('a use is noted once an hour', async () => {
    const name = newName();
    const variants = open(1000);
    await variants.write(name, Buffer.from('image'));
    await age(name, 0.5 * hour);
    const noted = (await stat(pathOf(name))).mtimeMs;
    await variants.read(name);
    expect((await stat(pathOf(name))).mtimeMs).toBe(noted);
    await age(name, 2 * hour);
    await variants.read(name);
    expect((await stat(pathOf(name))).mtimeMs).toBeGreaterThan(noted);
  });

  test.each([
    { name: 'without room nothing', maxBytes: 0 },
    { name: 'nothing that would take an eighth of the room', maxBytes: 7_999 },
  ])('keeps $name', async ({ maxBytes }) => {
    await open(maxBytes).write(newName(), randomBytes(1000));
    await expect(readdir(folder)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(errors).toEqual([]);
  });

  test('what a crash has left goes as variants do', async () => {
    const name = newName();
    await mkdir(join(folder, name.slice(0, 2)), { recursive: true });
    await writeFile(`${pathOf(name)}.half`, randomBytes(9_000));
    await open(10_000).write(name, randomBytes(1000));
    expect(await bytesKept()).toBeLessThan(1010);
  });

  test('a folder that cannot be made fails nobody and is reported', async () => {
    await writeFile(folder, 'a file is in the way');
    const variants = open(1000);
    await variants.write(newName(), Buffer.from('image'));
    expect(await variants.read(newName())).toBeUndefined();
    expect(errors).not.toEqual([]);
    expect(await readFile(folder, 'utf8')).toBe('a file is in the way');
  });
});
