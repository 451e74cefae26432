// What of a folder is deployed as a function.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  findFunctionsFolder,
  listSlugs,
  readFunction,
  writeNewFunction,
} from './functions-folder.js';

let base: string;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'rowhouse-functions-'));
});
afterEach(() => rm(base, { recursive: true }));

async function write(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(base, path)), { recursive: true });
    await writeFile(join(base, path), content);
  }
  return join(base, 'functions');
}

test('a function has its own files and the shared ones, and no others', async () => {
  const folder = await write({
    'functions/hello/index.ts': 'own',
    'functions/hello/lib/db.ts': 'db',
    'functions/hello/deno.json': '{}',
    'functions/hello/.env': 'KEY=1',
    'functions/hello/.env.local': 'KEY=1',
    'functions/hello/.git/config': 'x',
    'functions/hello/node_modules/a/index.js': 'x',
    'functions/_shared/cors.ts': 'cors',
    'functions/deno.json': '{"imports":{}}',
    'functions/.env': 'KEY=1',
    'functions/README.md': 'x',
    'functions/other/index.ts': 'other',
    'package.json': '{}',
  });
  expect(await readFunction(folder, 'hello')).toEqual({
    entrypoint: 'index.ts',
    files: {
      'index.ts': 'own',
      'lib/db.ts': 'db',
      'deno.json': '{}',
      '../_shared/cors.ts': 'cors',
      '../deno.json': '{"imports":{}}',
    },
    binaries: [],
  });
});

test('a file that is no text is named and left out', async () => {
  const folder = await write({
    'functions/hello/index.js': 'ä€😀',
    'functions/hello/logo.png': new Uint8Array([0x89, 0x50]),
    'functions/hello/zero.bin': 'a\0',
  });
  const { entrypoint, files, binaries } = await readFunction(folder, 'hello');
  expect([entrypoint, files, binaries]).toEqual([
    'index.js',
    { 'index.js': 'ä€😀' },
    ['logo.png', 'zero.bin'],
  ]);
});

test('folders with an entrypoint and a valid name are functions', async () => {
  const folder = await write({
    'functions/b/index.ts': '',
    'functions/a_1/index.mjs': '',
    'functions/_shared/index.ts': '',
    'functions/Large/index.ts': '',
    'functions/empty/readme.md': '',
    'functions/file': '',
  });
  expect(await listSlugs(folder)).toEqual(['a_1', 'b']);
});

describe('refused is', () => {
  test('a function of more than 5 MB', async () => {
    const files = { 'functions/a/index.ts': '', 'functions/_shared/x': 'x'.repeat(5_000_001) };
    await expect(readFunction(await write(files), 'a')).rejects.toThrow('more than 5000000 bytes');
  });

  test('a function of more than 1,000 files', async () => {
    const paths = Array.from({ length: 1_000 }, (_, at) => [`functions/a/${at}`, ''] as const);
    const folder = await write({ 'functions/a/index.ts': '', ...Object.fromEntries(paths) });
    await expect(readFunction(folder, 'a')).rejects.toThrow('more than 1000 files');
  });

  test.each(['../secrets', 'a/b', '.', 'A', ''])('the name "%s"', async (slug) => {
    const folder = await write({ 'functions/a/b/index.ts': '', 'secrets/index.ts': '' });
    await expect(readFunction(folder, slug)).rejects.toThrow('is no name of a function');
  });

  test('a folder that does not exist', async () => {
    await expect(findFunctionsFolder(base, undefined)).rejects.toThrow(
      'There is no folder functions or supabase/functions; name it with --dir',
    );
    await expect(readFunction(base, 'a')).rejects.toThrow('index.ts does not exist');
  });
});

describe('a new function', () => {
  test.each([
    { name: 'is in functions', dir: undefined, before: {}, file: 'functions/hello/index.ts' },
    {
      name: 'is where the functions are',
      dir: undefined,
      before: { 'supabase/functions/a/index.ts': '' },
      file: 'supabase/functions/hello/index.ts',
    },
    { name: 'is in the folder of --dir', dir: 'edge', before: {}, file: 'edge/hello/index.ts' },
  ])('$name', async ({ dir, before, file }) => {
    await write(before);
    expect(await writeNewFunction(base, dir, 'hello')).toBe(file);
    expect(await readFile(join(base, file), 'utf8')).toContain('Deno.serve(');
  });

  test('replaces no file', async () => {
    await write({ 'functions/hello/index.ts': 'mine' });
    await expect(writeNewFunction(base, undefined, 'hello')).rejects.toThrow('exists already');
    expect(await readFile(join(base, 'functions/hello/index.ts'), 'utf8')).toBe('mine');
  });
});
