// Lets child processes of a test run the sources as they are, compiled as for the tests themselves: no build is needed.
// What one of them has compiled is kept below dist, under a name of its content, for all that come later.
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire, register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread, threadId } from 'node:worker_threads';

import { compile as compileText, compilerOptions } from '../compiler.js';

const root = new URL('../../', import.meta.url);
const folder = fileURLToPath(new URL('dist/test-sources/', root));
const { version } = createRequire(import.meta.url)('@swc/core/package.json');
const compiler = JSON.stringify({ version, compilerOptions });

// Hooks run in a thread of their own, which loads this module once more.
if (isMainThread) register(import.meta.url);

export function resolve(specifier, context, next) {
  const [, kind, name] = /^#(libs|apps)\/(.+)$/.exec(specifier) ?? [];
  if (kind !== undefined) return next(new URL(`${kind}/${name}/src/index.ts`, root).href, context);
  const isOurs = context.parentURL?.endsWith('.ts') && /^\.{1,2}\/.*\.js$/.test(specifier);
  return next(isOurs ? specifier.replace(/\.js$/, '.ts') : specifier, context);
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const text = await readFile(new URL(url), 'utf8');
  const name = folder + createHash('sha1').update(compiler).update(url).update(text).digest('hex');
  const kept = await readFile(name, 'utf8').catch(() => undefined); // Nobody has compiled it yet.
  return { format: 'module', source: kept ?? (await compile(text, url, name)), shortCircuit: true };
}

async function compile(text, url, name) {
  const { code } = await compileText(text, url);
  await mkdir(folder, { recursive: true });
  // Others may compile the same at once; each reads a whole file.
  const half = `${name}.${process.pid}.${threadId}`;
  await writeFile(half, code);
  await rename(half, name);
  return code;
}
