// Where the programs and the folders of functions are. As root, the users of projects must reach them: what lies below
// a folder that only root can enter (its home) moves to a folder of the system.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';

import { fail } from '#libs/errors';

import { ensureAccount, findIdRange, type IdRange } from './accounts.js';
import { type Account, runCommand } from './command.js';
import { systemErrorCode } from './system-error.js';

export interface PlacementOptions {
  readonly folder: string;
  readonly systemFolders: readonly string[];
  readonly deno: string;
  readonly log: { info(message: string): void };
}

export interface Placement {
  readonly deno: string;
  /** The bootstrap, in a folder without a configuration of Deno. */
  readonly boot: string;
  /** Has a folder for each project. */
  readonly folder: string;
  /** A folder for sockets, with a short path, which ends with the host. */
  readonly sockets: string;
  /** The user of a project; undefined: our own. */
  readonly accountOf: (ref: string) => Promise<Account | undefined>;
}

const BOOT = fileURLToPath(new URL(`./boot${extname(import.meta.url)}`, import.meta.url));
/** The system allows 103 bytes for the path of a socket; ours add about 30. */
const maxSocketFolder = 70;
/** Deno opens nothing there, whatever its permissions. */
const special = /^\/(?:dev|proc|sys)(?:\/|$)/;
const probeMs = 10_000;

/** Chooses and creates the folders. Throws FUNCTIONS_UNAVAILABLE if the users of projects can reach none. */
export async function place(options: PlacementOptions): Promise<Placement> {
  const range = process.getuid?.() === 0 ? await findIdRange() : undefined;
  const probe = range && { uid: range.last, gid: range.last };
  const folder = await placeFolder(options, probe);
  const deno = await placeDeno(options, probe);
  const sockets = await makeSockets(probe);
  const boot = join(sockets, basename(BOOT));
  await copyFile(BOOT, boot);
  await chmod(boot, 0o644);
  return { deno, boot, folder, sockets, accountOf: (ref) => accountOf(folder, ref, range) };
}

async function accountOf(
  folder: string,
  ref: string,
  range: IdRange | undefined,
): Promise<Account | undefined> {
  return range && (await ensureAccount(join(folder, 'uids'), ref, range));
}

async function placeFolder(options: PlacementOptions, probe: Account | undefined): Promise<string> {
  await openFolder(options.folder);
  if (await canEnter(options.folder, probe)) return options.folder;
  const name = createHash('sha256').update(options.folder).digest('hex').slice(0, 16);
  const elsewhere = join(await systemFolder(options.systemFolders), `functions-${name}`);
  await openFolder(elsewhere);
  if (!(await canEnter(elsewhere, probe))) {
    const reason = `other users cannot enter ${elsewhere}; allow it with chmod o+x on the folders above`;
    throw fail('FUNCTIONS_UNAVAILABLE', { reason });
  }
  options.log.info(
    `The files of functions are in ${elsewhere}: other users reach no ${options.folder}`,
  );
  return elsewhere;
}

/** Others may pass and not list: each folder below is for the user of one project. */
export async function openFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o711 });
  if (process.getuid?.() === 0) await chmod(folder, 0o711);
}

async function placeDeno(options: PlacementOptions, probe: Account | undefined): Promise<string> {
  if (await canRun(options.deno, probe)) return options.deno;
  const hash = createHash('sha256');
  await pipeline(createReadStream(options.deno), hash);
  const name = `deno-${hash.digest('hex').slice(0, 16)}`;
  const copy = join(await systemFolder(options.systemFolders), name);
  if (!(await exists(copy))) {
    const unfinished = `${copy}.${process.pid}`;
    await copyFile(options.deno, unfinished);
    await chmod(unfinished, 0o755);
    await rename(unfinished, copy);
  }
  options.log.info(`Deno cannot run from ${options.deno}: it runs from the copy ${copy}`);
  if (await canRun(copy, probe)) return copy;
  throw fail('FUNCTIONS_UNAVAILABLE', { reason: 'Deno does not run on this system' });
}

async function makeSockets(probe: Account | undefined): Promise<string> {
  for (const parent of new Set([tmpdir(), '/tmp', '/var/tmp'])) {
    if (Buffer.byteLength(parent) > maxSocketFolder || special.test(parent)) continue;
    if (!(await exists(parent))) continue;
    const folder = await mkdtemp(join(parent, 'rowhouse-fn-'));
    await chmod(folder, 0o711);
    if (await canEnter(folder, probe)) return folder;
    await rm(folder, { recursive: true });
  }
  const reason = `${tmpdir()} cannot hold sockets; set TMPDIR to a folder with a short path`;
  throw fail('FUNCTIONS_UNAVAILABLE', { reason });
}

/** The first of `folders` that only we can write. A folder of another user could hold foreign programs. */
async function systemFolder(folders: readonly string[]): Promise<string> {
  for (const folder of folders) {
    try {
      await mkdir(folder, { recursive: true, mode: 0o755 });
      const { uid, mode } = await stat(folder);
      if (uid === process.getuid?.() && (mode & 0o022) === 0) return folder;
    } catch (error) {
      const known = ['EACCES', 'EPERM', 'EROFS', 'EEXIST'];
      if (!known.includes(systemErrorCode(error) ?? '')) throw error;
    }
  }
  const reason = `none of ${folders.join(', ')} can be written`;
  throw fail('FUNCTIONS_UNAVAILABLE', { reason });
}

async function canEnter(folder: string, account: Account | undefined): Promise<boolean> {
  if (account === undefined) return true;
  return succeeds('cd "$0" 2>/dev/null', folder, account);
}

/** Through a shell, because here an unreachable program is a result and not a failure. */
function canRun(program: string, account: Account | undefined): Promise<boolean> {
  return succeeds('exec "$0" --version', program, account);
}

async function succeeds(script: string, path: string, account: Account | undefined) {
  const command = { program: '/bin/sh', args: ['-c', script, path], env: {}, account };
  return (await runCommand(command, probeMs)).exitCode === 0;
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return false;
    throw error;
  }
}
