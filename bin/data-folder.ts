// The data folder: its making, the version of its layout, and the master key when the environment has none.
import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord, parseJson } from '#libs/wire';
import { StartError, systemErrorCode } from './start-error.js';

/** Grows by one when a release lays the folder out in a way that older releases cannot read. */
const layout = 1;

/** Creates the folder if needed. Throws StartError if it cannot be written or a newer release wrote it. */
export async function prepareDataFolder(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await refuseNewerLayout(dataDir);
    const probe = join(dataDir, `.probe-${process.pid}`);
    await writeFile(probe, '');
    await rm(probe);
  } catch (error) {
    throw unusable(dataDir, error);
  }
}

/** Records our layout in the folder. The caller holds the folder's lock. */
export async function markDataFolder(dataDir: string, release: string): Promise<void> {
  const file = join(dataDir, 'release.json');
  const unfinished = `${file}.new`;
  await writeFile(unfinished, `${JSON.stringify({ layout, release })}\n`);
  await rename(unfinished, file);
}

/**
 * Returns the key in the data folder: 32 bytes. The first start creates it, before it marks the folder. Throws
 * StartError if a later start finds none.
 */
export async function keptMasterKey(dataDir: string): Promise<Buffer> {
  const file = join(dataDir, 'master.key');
  const kept = await readIfThere(file).catch((error: unknown) => {
    if (systemErrorCode(error) !== 'EACCES') throw error;
    throw new StartError(
      `${file} cannot be read; start as the system user that it belongs to`,
      error,
    );
  });
  if (kept === undefined) return makeMasterKey(dataDir, file);
  const key = Buffer.from(kept.trim(), 'base64');
  if (key.length === 32) return key;
  throw new StartError(
    `${file} does not hold a key of 32 bytes in base64; restore it from a backup`,
  );
}

async function makeMasterKey(dataDir: string, file: string): Promise<Buffer> {
  if ((await readIfThere(join(dataDir, 'release.json'))) !== undefined) {
    throw new StartError(
      `${file} is missing, and MASTER_KEY is not set; restore the key from the backup of this deployment`,
    );
  }
  const key = randomBytes(32);
  // Flushed before anything is sealed with it: a key lost with the power would lose what it seals.
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(`${key.toString('base64')}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return key;
}

async function refuseNewerLayout(dataDir: string): Promise<void> {
  const text = await readIfThere(join(dataDir, 'release.json'));
  if (text === undefined) return;
  const written = parseRelease(text);
  if (written === undefined) {
    throw new StartError(`${join(dataDir, 'release.json')} is damaged; restore it from a backup`);
  }
  if (written.layout <= layout) return;
  throw new StartError(
    `The data folder ${dataDir} was written by the newer release ${written.release} (layout ${written.layout}, this one knows ${layout}); start that release`,
  );
}

function parseRelease(text: string): { layout: number; release: string } | undefined {
  const value = parseJson(text);
  if (!isRecord(value)) return undefined;
  const { layout, release } = value;
  if (typeof layout !== 'number') return undefined;
  return { layout, release: typeof release === 'string' ? release : 'unknown' };
}

function unusable(dataDir: string, error: unknown): unknown {
  switch (systemErrorCode(error) ?? 'none') {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new StartError(`The data folder ${dataDir} cannot be written; set DATA_DIR`, error);
    case 'EEXIST':
    case 'ENOTDIR':
      return new StartError(
        `The data folder ${dataDir} cannot be made: a file is in its place; set DATA_DIR`,
        error,
      );
    case 'ENOSPC':
      return new StartError(`The disk of the data folder ${dataDir} is full`, error);
    default:
      return error;
  }
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
