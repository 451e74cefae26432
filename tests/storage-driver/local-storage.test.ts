// What is particular to objects in a folder: what a crash leaves, who may read, where nothing is written.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLocalStorage, type StorageDriver } from '#libs/storage-driver';
import { buildDriver } from './built-driver.js';
import {
  bytesAt,
  contentOf,
  listAll,
  MEGABYTE,
  newAddress,
  someBytes,
  writing,
} from './storage-places.js';

/** More than what is gathered in memory. */
const longBytes = 600_000;

let folder: string;
let root: string;
let driver: StorageDriver;
let projects = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rowhouse-local-'));
});
beforeEach(() => {
  root = join(folder, `project${(projects += 1)}`);
  driver = openLocalStorage({ root });
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const shardOf = (version: string): string => version.slice(0, 2);

const modesOf = (paths: readonly string[]): Promise<number[]> =>
  Promise.all(paths.map(async (path) => (await stat(path)).mode & 0o777));

async function filesUnder(path: string): Promise<readonly string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
}

test('an object lies under the first two digits of its version, for our own user alone', async () => {
  const address = newAddress('../../../key that never becomes a path');
  await driver.write(address, contentOf(someBytes(10)), writing());
  const shard = join(root, address.version.slice(0, 2));
  expect(await modesOf([root, shard, join(shard, address.version)])).toEqual([0o700, 0o700, 0o600]);
  expect(await filesUnder(root)).toEqual([address.version]);
});

test('a long object comes by a folder of temporary files, for our own user alone too', async () => {
  const address = newAddress();
  await driver.write(address, contentOf(someBytes(longBytes)), writing());
  const shard = join(root, address.version.slice(0, 2));
  const paths = [shard, join(root, '.tmp'), join(shard, address.version)];
  expect(await modesOf(paths)).toEqual([0o700, 0o700, 0o600]);
  expect(await filesUnder(root)).toEqual([address.version]);
});

test.each([
  { size: 3000, chunkBytes: 1 },
  { size: longBytes, chunkBytes: 300 },
])('$size bytes in pieces of $chunkBytes are one object', async ({ size, chunkBytes }) => {
  const address = newAddress();
  const bytes = someBytes(size);
  await driver.write(address, contentOf(bytes, chunkBytes), writing({ size }));
  expect((await bytesAt(driver, address))?.equals(bytes)).toBe(true);
});

test.each([10, longBytes])('folders that have gone are made again for %d bytes', async (size) => {
  const versions = [randomUUID(), randomUUID()].map((version) => `ab${version.slice(2)}`);
  for (const version of versions) {
    const address = { ...newAddress(), version };
    const bytes = someBytes(size);
    await driver.write(address, contentOf(bytes), writing());
    expect((await bytesAt(driver, address))?.equals(bytes)).toBe(true);
    await rm(root, { recursive: true });
  }
});

test('a version that is stored is not stored again, nor copied over', async () => {
  const [address, other] = [newAddress(), newAddress()];
  await driver.write(address, contentOf(Buffer.from('first')), writing());
  await driver.write(other, contentOf(Buffer.from('other')), writing());
  const again = [
    () => driver.write(address, contentOf(Buffer.from('second')), writing()),
    () => driver.write(address, contentOf(someBytes(longBytes)), writing()),
    () => driver.copy(other, address),
  ];
  for (const attempt of again) {
    await expect(attempt()).rejects.toMatchObject({ code: 'STORAGE_OBJECT_EXISTS', status: 409 });
  }
  expect((await bytesAt(driver, address))?.toString()).toBe('first');
  expect(await readdir(join(root, '.tmp'))).toEqual([]);
});

describe('a symbolic link', () => {
  let elsewhere: string;
  beforeEach(async () => {
    elsewhere = await mkdtemp(join(folder, 'elsewhere-'));
    await mkdir(root, { mode: 0o700 });
  });

  test.each([
    { name: 'in place of the folder of temporary files', size: longBytes, link: () => '.tmp' },
    { name: 'in place of the folder of an object', size: 10, link: shardOf },
    { name: 'in place of the folder of a long object', size: longBytes, link: shardOf },
  ])('$name is not written through', async ({ size, link }) => {
    const address = newAddress();
    await symlink(elsewhere, join(root, link(address.version)));
    const write = driver.write(address, contentOf(someBytes(size)), writing());
    await expect(write).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE', status: 503 });
    expect(await readdir(elsewhere)).toEqual([]);
  });

  test('in place of a temporary file or an object is neither written, read, measured nor listed', async () => {
    const address = newAddress();
    const target = join(elsewhere, 'target');
    await writeFile(target, 'theirs');
    const shard = join(root, address.version.slice(0, 2));
    await mkdir(shard);
    await mkdir(join(root, '.tmp'));
    for (const place of [join(root, '.tmp'), shard]) {
      const link = join(place, address.version);
      await symlink(target, link);
      const size = place === shard ? 10 : longBytes;
      const write = driver.write(address, contentOf(someBytes(size)), writing());
      await expect(write).rejects.toMatchObject({ code: 'STORAGE_OBJECT_EXISTS' });
      if (place !== shard) await rm(link);
    }
    expect(await driver.read(address)).toBeUndefined();
    expect(await driver.stat(address)).toBeUndefined();
    expect(await listAll(driver)).toEqual([]);
    await driver.removeAll();
    expect(await readdir(elsewhere)).toEqual(['target']);
  });
});

test('files that are no objects are not listed', async () => {
  const address = newAddress();
  await driver.write(address, contentOf(someBytes(10)), writing());
  const shard = join(root, address.version.slice(0, 2));
  await writeFile(join(shard, 'notes.txt'), '');
  await writeFile(join(root, 'README'), '');
  await mkdir(join(root, 'variants'));
  expect((await listAll(driver)).map(({ address: found }) => found)).toEqual([
    { bucket: '', key: '', version: address.version },
  ]);
});

test('a folder that cannot be made is told with its cause', async () => {
  await writeFile(root, 'a file in its place');
  await expect(
    driver.write(newAddress(), contentOf(someBytes(10)), writing()),
  ).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE', cause: { code: 'ENOTDIR' } });
});

test('a process that is killed while it writes leaves one temporary file, which the sweep removes', async () => {
  const built = await mkdtemp(join(folder, 'built-'));
  const module = await buildDriver(built);
  const address = newAddress();
  const script = `
    import { Readable } from 'node:stream';
    import { openLocalStorage } from ${JSON.stringify(module)};
    const driver = openLocalStorage({ root: ${JSON.stringify(root)} });
    let given = 0;
    const content = new Readable({
      read() {
        if (given < ${4 * MEGABYTE}) given += 65536, this.push(Buffer.alloc(65536, 7));
        else process.stdout.write('waiting');
      },
    });
    setInterval(() => undefined, 1000);
    await driver.write(${JSON.stringify(address)}, content, {
      maxBytes: 1e9, mediaType: 'text/plain', signal: new AbortController().signal,
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {},
  });
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'close');

  expect(await filesUnder(root)).toEqual([address.version]);
  expect(await readdir(join(root, '.tmp'))).toEqual([address.version]);
  expect(await listAll(driver)).toEqual([]);
  expect(await driver.stat(address)).toBeUndefined();
  const anHour = 3_600_000;
  expect(await driver.removeStale(new Date(Date.now() - anHour))).toBe(0);
  const long = new Date(Date.now() - 2 * anHour);
  await utimes(join(root, '.tmp', address.version), long, long);
  expect(await driver.removeStale(new Date(Date.now() - anHour))).toBe(1);
  expect(await filesUnder(root)).toEqual([]);
});
