// Compiles the sources when they are newer than the last build, and builds the client and the console that the
// deployment serves. Two starts at once build once.
import { spawn } from 'node:child_process';
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname, isAbsolute, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const guard = join(root, 'dist', '.building');
/** How often a running build reports its progress. */
const reportMs = 10_000;

/**
 * A part of the build: its name in reports, its program and what the program needs, its sources, the files that count,
 * and the mark whose time is that of the last build.
 */
const product = {
  name: 'the sources',
  program: ['typescript/bin/tsc', '-p', join(root, 'tsconfig.build.json')],
  mark: join(root, 'dist', '.built'),
  sources: [
    'apps/api',
    'apps/console/server',
    'apps/worker',
    'libs',
    'bin',
    'bench',
    'package.json',
    'tsconfig.json',
    'tsconfig.build.json',
  ],
  endings: ['.ts'],
};
const client = {
  name: 'the client',
  program: [join(root, 'bin/build-client.js')],
  mark: join(root, 'dist', '.client-built'),
  sources: [
    'libs/sdk',
    'bin/build-client.js',
    'bin/client-dependencies.js',
    'bin/client-page.js',
    'bin/tar.js',
    'LICENSE',
    // With the versions of what the client brings along.
    'package-lock.json',
  ],
  endings: ['.ts', '.json', '.md'],
};
const pages = {
  name: 'the console',
  program: [join(root, 'bin/build-console.js')],
  mark: join(root, 'dist', '.console-built'),
  sources: ['apps/console/web', 'bin/build-console.js', 'package.json'],
  endings: ['.ts', '.tsx', '.css', '.html', '.svg', '.js', '.json'],
};
const parts = [product, client, pages];

/**
 * Brings `dist` up to date. `report` is called with a line for each step, and not at all when the build is
 * fresh. Throws an error of one line when it fails, after `report` had the compiler's findings.
 */
export async function build(report) {
  await buildParts(parts, report);
}

/** Brings the pages of the console in `dist/console` up to date, and nothing else. */
export async function buildPages(report) {
  await buildParts([pages], report);
}

async function buildParts(wanted, report) {
  const stale = await Promise.all(wanted.map(staleFiles));
  if (stale.every((files) => files.length === 0)) return;
  if (!hasCompiler()) {
    if ((await modifiedAt(join(root, 'dist/bin/start.js'))) > 0) return;
    throw new Error('there is no build in dist and no TypeScript to make one; run npm ci first');
  }
  await guarded(async () => {
    const changed = await Promise.all(wanted.map(staleFiles));
    await Promise.all(
      wanted.map((part, at) => changed[at].length > 0 && compile(part, changed[at], report)),
    );
  });
}

/** Runs the program that builds a part, and reports its progress. */
async function compile(part, changed, report) {
  const { name: what, program } = part;
  const isFirst = (await modifiedAt(part.mark)) === 0;
  report(
    isFirst
      ? `compiling ${what} for the first time (${changed.length} files)`
      : `compiling ${what}: ${changed.length} changed (${shortList(changed)})`,
  );
  const startedAt = new Date();
  const seconds = () => ((Date.now() - startedAt) / 1000).toFixed(1);
  const progress = setInterval(() => report(`compiling ${what}: ${seconds()} s so far`), reportMs);
  const { exitCode, output } = await run(programArgs(program)).finally(() =>
    clearInterval(progress),
  );
  if (exitCode !== 0) {
    report(`compiling ${what} failed:\n${output}`);
    throw new Error('the build failed; the errors are above');
  }
  // A source that is saved while the compiler runs is newer than the mark.
  await writeFile(part.mark, '');
  await utimes(part.mark, startedAt, startedAt);
  report(`compiled ${what} in ${seconds()} s`);
}

function shortList(files) {
  const shown = files.slice(0, 3).map((file) => file.slice(root.length));
  return files.length > 3 ? `${shown.join(', ')}, …` : shown.join(', ');
}

function run(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    }
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ exitCode, output }));
  });
}

/** Runs `work` while no other process does. The guard names the process that builds. */
async function guarded(work) {
  await mkdir(join(root, 'dist'), { recursive: true });
  while (!(await take())) {
    const text = await readFile(guard, 'utf8').catch(() => ''); // Another process has just removed it.
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

/** The sources of a part that are newer than its last build. */
async function staleFiles({ mark, sources, endings }) {
  const builtAt = await modifiedAt(mark);
  const listed = await Promise.all(sources.map((name) => filesBelow(join(root, name), endings)));
  const files = listed.flat();
  const times = await Promise.all(files.map(modifiedAt));
  return files.filter((_, index) => times[index] >= builtAt);
}

/** This file, or those with one of the `endings` in this folder. */
async function filesBelow(path, endings) {
  let entries;
  try {
    entries = await readdir(path, { withFileTypes: true, recursive: true });
  } catch (error) {
    if (error.code === 'ENOTDIR') return [path];
    if (error.code === 'ENOENT') return [];
    throw error;
  }
  return entries
    .filter((entry) => entry.isFile() && endings.includes(extname(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name));
}

async function modifiedAt(path) {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if (error.code === 'ENOENT') return 0;
    throw error;
  }
}

const { resolve } = createRequire(import.meta.url);

/** The program of a package is found where npm has put it. */
function programArgs([program, ...args]) {
  return [isAbsolute(program) ? program : resolve(program), ...args];
}

function hasCompiler() {
  try {
    resolve('typescript/bin/tsc');
    return true;
  } catch (error) {
    if (error.code === 'MODULE_NOT_FOUND') return false;
    throw error;
  }
}
