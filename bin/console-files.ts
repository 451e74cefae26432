// The pages of the console, which the build leaves beside the compiled program (bin/build-console.js).
import { readdir, readFile } from 'node:fs/promises';
import type { ConsoleFile, ConsoleFiles } from '#libs/web';
import { systemErrorCode } from './start-error.js';

const builtFolder = new URL('../console/', import.meta.url);

/** Reads the pages that were built into `folder`; undefined when none were. */
export async function readConsoleFiles(folder = builtFolder): Promise<ConsoleFiles | undefined> {
  try {
    const assets = new URL('assets/', folder);
    const page = await readFile(new URL('index.html', folder), 'utf8');
    const names = await readdir(assets);
    const read = (name: string): Promise<Buffer> | undefined =>
      names.includes(name) ? readFile(new URL(name, assets)) : undefined;
    const plainNames = names.filter((name) => !/\.(?:gz|br)$/.test(name));
    const files = plainNames.map(async (name): Promise<[string, ConsoleFile]> => {
      const plain = await readFile(new URL(name, assets));
      return [name, { plain, gzip: await read(`${name}.gz`), br: await read(`${name}.br`) }];
    });
    return { page, assets: new Map(await Promise.all(files)) };
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
