// Brings the packages of the peers that are not ours. They are no dependencies of the product: the
// benchmark installs them when it runs, beside the data and outside of the sources, from a lock file.

import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { shellEnv } from '../env.js';

const LOCKED = 'bench/peers/packages';
const INSTALLED = 'data/bench-peers';
const LOCK_FILE = 'package-lock.json';
/** npm writes it when all packages are there. */
const DONE_FILE = 'node_modules/.package-lock.json';
const LIMIT_MS = 300_000;

const run = promisify(execFile);

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Whether the packages of the given lock file are installed in a folder. */
export async function isInstalled(locked: string, folder: string): Promise<boolean> {
  const [wanted, installed, done] = await Promise.all([
    textOf(join(locked, LOCK_FILE)),
    textOf(join(folder, LOCK_FILE)),
    textOf(join(folder, DONE_FILE)),
  ]);
  return wanted === installed && done !== undefined;
}

/** The folder with the packages of the peers, installed now unless they are there. */
export async function installPeers(say: (line: string) => void): Promise<string> {
  const folder = resolve(INSTALLED);
  if (await isInstalled(LOCKED, folder)) return folder;
  say(`installing the peers into ${INSTALLED} (npm ci, no install scripts)`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const file of ['package.json', LOCK_FILE])
    await copyFile(join(LOCKED, file), join(folder, file));
  const args = ['ci', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', args, {
    env: shellEnv(),
    timeout: LIMIT_MS,
    shell: process.platform === 'win32',
  });
  return folder;
}
