// Compiles the sources when they are newer than the last build, and builds the client that the deployment
// serves. Two starts at once build once.
import { spawn } from 'node:child_process';
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const guard = join(root, 'dist', '.building');
/** How often a running build reports its progress. */
const reportMs = 10_000;

/** A part of the build: its sources, the files that count, and the mark whose time is that of the last build. */
const product = {
  mark: join(root, 'dist', '.built'),
  sources: ['apps', 'libs', 'bin', 'bench', 'package.json', 'tsconfig.json', 'tsconfig.build.json'],
  endings: ['.ts'],
};
const client = {
  mark: join(root, 'dist', '.client-built'),
  sources: ['libs/sdk', 'bin/build-client.js', 'bin/tar.js', 'LICENSE'],
  endings: ['.ts', '.json', '.md'],
};

/**
 * Brings `dist` up to date. `report` is called with a line for each step, and not at all when the build is
 * fresh. Throws an error of one line when it fails, after `report` had the compiler's findings.
 */
export async function build(report) {
  if ((await staleFiles(product)).length === 0 && (await staleFiles(client)).length === 0) return;
  const compiler = findCompiler();
  if (compiler === undefined) {
    if ((await modifiedAt(join(root, 'dist/bin/start.js'))) > 0) return;
    throw new Error('there is no build in dist and no TypeScript to make one; run npm ci first');
  }
  await guarded(async () => {
    const [changed, changedOfClient] = [await staleFiles(product), await staleFiles(client)];
    const compilerArgs = [compiler, '-p', join(root, 'tsconfig.build.json')];
    await Promise.all([
      changed.length > 0 &&
        compile(product, 'the sources', { args: compilerArgs, changed, report }),
      changedOfClient.length > 0 &&
        compile(client, 'the client', {
          args: [join(root, 'bin/build-client.js')],
          changed: changedOfClient,
          report,
        }),
    ]);
  });
}

/** Runs the program that builds `what`, and reports its progress. */
async function compile(part, what, { args, changed, report }) {
  const isFirst = (await modifiedAt(part.mark)) === 0;
  report(
    isFirst
      ? `compiling ${what} for the first time (${changed.length} files)`
      : `compiling ${what}: ${changed.length} changed (${shortList(changed)})`,
  );
  const startedAt = new Date();
  const seconds = () => ((Date.now() - startedAt) / 1000).toFixed(1);
  const progress = setInterval(() => report(`compiling ${what}: ${seconds()} s so far`), reportMs);
  const { exitCode, output } = await run(args).finally(() => clearInterval(progress));
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

function findCompiler() {
  try {
    return createRequire(import.meta.url).resolve('typescript/bin/tsc');
  } catch (error) {
    if (error.code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
