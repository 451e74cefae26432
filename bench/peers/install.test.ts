import { afterAll, beforeAll, expect, test } from 'vitest';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isInstalled } from './install.js';

let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'rowhouse-peers-'));
});

afterAll(() => rm(root, { recursive: true, force: true }));

async function folder(name: string, files: Readonly<Record<string, string>>): Promise<string> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(root, name, path, '..'), { recursive: true });
    await writeFile(join(root, name, path), text);
  }
  return join(root, name);
}

const DONE = 'node_modules/.package-lock.json';

test.each([
  { name: 'same', files: { 'package-lock.json': 'a', [DONE]: '' }, is: true },
  { name: 'older', files: { 'package-lock.json': 'b', [DONE]: '' }, is: false },
  { name: 'unfinished', files: { 'package-lock.json': 'a' }, is: false },
  { name: 'empty', files: { 'README.md': '' }, is: false },
])('an installation that is $name counts: $is', async ({ name, files, is }) => {
  const locked = await folder('locked', { 'package-lock.json': 'a' });
  expect(await isInstalled(locked, await folder(name, files))).toBe(is);
});
