// Finds the program `deno` in the npm package of this platform.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export type FoundDeno =
  | { readonly kind: 'found'; readonly program: string }
  | { readonly kind: 'missing'; readonly reason: string };

/** Without Windows: a process is reached over a Unix socket, and limited by its shell and its user. */
const packages: Readonly<Record<string, string>> = {
  'linux-x64': '@deno/linux-x64-glibc',
  'linux-arm64': '@deno/linux-arm64-glibc',
  'darwin-x64': '@deno/darwin-x64',
  'darwin-arm64': '@deno/darwin-arm64',
};

/** Returns the program, or why there is none. The packages need glibc: npm does not install them on musl. */
export function findDeno(): FoundDeno {
  const name = packages[`${process.platform}-${process.arch}`];
  if (name === undefined) {
    return { kind: 'missing', reason: `there is no Deno for ${process.platform}-${process.arch}` };
  }
  try {
    const description = createRequire(import.meta.url).resolve(`${name}/package.json`);
    return { kind: 'found', program: join(dirname(description), 'deno') };
  } catch {
    return { kind: 'missing', reason: `the package ${name} is not installed` };
  }
}
