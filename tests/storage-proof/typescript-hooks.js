// Lets child processes of a test run the sources as they are, compiled as Jest compiles them: no build is needed.
// What one of them has compiled is kept for the next in the folder that COMPILED_SOURCES names.
import { createHash } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { register } from 'node:module';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

const root = new URL('../../', import.meta.url);
const folder = process.env.COMPILED_SOURCES ?? '';

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
  const name = join(folder, createHash('sha1').update(url).digest('hex'));
  const kept = await readFile(name, 'utf8').catch(() => undefined);
  const source = kept ?? (await compile(url, name));
  return { format: 'module', source, shortCircuit: true };
}

async function compile(url, name) {
  const { transform } = await import('@swc/core');
  const { default: jestConfig } = await import('../../jest.config.js');
  const [, options] = Object.values(jestConfig.transform)[0];
  const text = await readFile(new URL(url), 'utf8');
  const { code } = await transform(text, { ...options, sourceMaps: false, filename: url });
  const half = `${name}.${process.pid}`;
  await writeFile(half, code);
  await rename(half, name);
  return code;
}
