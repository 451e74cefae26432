// Compiles the sources when they are newer than the last build. Two starts at once build once.
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const mark = join(root, 'dist', '.built');
const guard = join(root, 'dist', '.building');
const sources = [
  'apps',
  'libs',
  'bin',
  'bench',
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
];

/** Brings `dist` up to date and tells `output` of it. Throws an error of one line when that fails. */
export async function build(output = process.stdout) {
  if (await isFresh()) return;
  const compiler = findCompiler();
  if (compiler === undefined) {
    if ((await modifiedAt(join(root, 'dist/bin/start.js'))) > 0) return;
    throw new Error('there is no build in dist and no TypeScript to make one; run npm ci first');
  }
  await guarded(async () => {
    if (!(await isFresh())) await compile(compiler, output);
  });
}

async function compile(compiler, output) {
  output.write('building …\n');
  const startedAt = new Date();
  const args = [compiler, '-p', join(root, 'tsconfig.build.json')];
  try {
    await promisify(execFile)(process.execPath, args, { cwd: root, maxBuffer: 2 ** 26 });
  } catch (error) {
    output.write(error.stdout ?? '');
    throw new Error('the build failed; the errors are above', { cause: error });
  }
  // A source that is saved while the compiler runs is newer than the mark.
  await writeFile(mark, '');
  await utimes(mark, startedAt, startedAt);
}

/** Runs `work` while no other process does. The guard names the process that builds. */
async function guarded(work) {
  await mkdir(join(root, 'dist'), { recursive: true });
  while (!(await take())) {
    const text = await readFile(guard, 'utf8').catch(() => ''); // It was given free just now.
    if (text !== '' && !isAlive(Number(text))) await rm(guard, { force: true });
    await delay(100);
  }
  try {
    await work();
  } finally {
    await rm(guard, { force: true });
  }
}

async function take() {
  try {
    await writeFile(guard, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

async function isFresh() {
  const builtAt = await modifiedAt(mark);
  if (builtAt === 0) return false;
  const newest = await Promise.all(sources.map((name) => newestBelow(join(root, name))));
  return Math.max(...newest) < builtAt;
}

/** When the newest source in this file or folder was changed, in ms; 0 when there is none. */
async function newestBelow(path) {
  let entries;
  try {
    entries = await readdir(path, { withFileTypes: true, recursive: true });
  } catch (error) {
    if (error.code === 'ENOTDIR') return modifiedAt(path);
    if (error.code === 'ENOENT') return 0;
    throw error;
  }
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.ts'));
  const times = await Promise.all(
    files.map((file) => modifiedAt(join(file.parentPath, file.name))),
  );
  return Math.max(0, ...times);
}

async function modifiedAt(path) {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if (error.code === 'ENOENT') return 0;
    throw error;
  }
}

function findCompiler() {
  try {
    return createRequire(import.meta.url).resolve('typescript/bin/tsc');
  } catch (error) {
    if (error.code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
