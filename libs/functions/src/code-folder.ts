// The files of versions on disk. A version lies in a folder that is named by its content, so that nothing of an earlier
// function with the same slug is ever run in its place:
//   <project>/code/<slug>-<hash>/functions/<slug>/…   the files of the function
//   <project>/code/<slug>-<hash>/functions/…          what functions share (`../` in the paths of files)
//   <project>/code/<slug>-<hash>/deno.lock            its lock file, if it imports packages
//   <project>/code/<slug>-<hash>/facts.json           what the check has found; written last
import { createHash } from 'node:crypto';
import {
  chmod,
  chown,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';

import { fail } from '#libs/errors';
import { isRecord, parseJson } from '#libs/wire';

import type { Account } from './command.js';
import { configOf, isConfig } from './deno-config.js';
import { systemErrorCode } from './system-error.js';
import type { FunctionVersion } from './types.js';

/** A version that can run. */
export interface Code {
  readonly folder: string;
  /** Deno may read what is below, and no other file of the server. */
  readonly readable: string;
  readonly entry: string;
  readonly config: string;
  readonly lock: string | undefined;
  /** Whether it imports modules over HTTPS, which then are in the cache of its project. */
  readonly hasRemote: boolean;
}

const maxFiles = 1_000;
/** Of a function, on this machine; those that run are kept beside. */
const maxKept = 10;
const pathRule = /^(?:\.\.\/)?(?:(?!\.{1,2}(?:\/|$))[\w.@-]+\/)*(?!\.{1,2}$)[\w.@-]+$/;
const slugRule = /^[\w-]+$/;

/** The name of the folder of a version. */
export function folderName({ slug, entrypoint, files, lock }: FunctionVersion): string {
  const hash = createHash('sha256').update(JSON.stringify([slug, entrypoint, lock ?? '']));
  for (const path of Object.keys(files).toSorted()) {
    hash.update(JSON.stringify([path, files[path]]));
  }
  return `${slug}-${hash.digest('hex').slice(0, 32)}`;
}

/** Where a version is below `folder`. */
export function codeIn(folder: string, version: FunctionVersion, hasRemote: boolean): Code {
  const readable = join(folder, 'functions');
  const own = join(readable, version.slug);
  return {
    folder,
    readable,
    entry: join(own, version.entrypoint),
    config: join(own, configOf(version.files).path),
    lock: version.lock ? join(folder, 'deno.lock') : undefined,
    hasRemote,
  };
}

/** Returns a version that is on disk and was checked; undefined if it is not. */
export async function findCode(
  folder: string,
  version: FunctionVersion,
): Promise<Code | undefined> {
  try {
    const facts = parseJson(await readFile(join(folder, 'facts.json'), 'utf8'));
    return codeIn(folder, version, isRecord(facts) && facts['hasRemote'] === true);
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Writes the files of a version to a new folder, which the user of the project can read and not change. Throws
 * FUNCTION_REFUSED for paths that are not allowed.
 */
export async function writeCode(
  folder: string,
  version: FunctionVersion,
  account: Account | undefined,
): Promise<Code> {
  checkPaths(version);
  const code = codeIn(folder, version, false);
  const own = join(code.readable, version.slug);
  const config = configOf(version.files);
  const files = Object.entries(version.files).filter(([path]) => !isConfig(path));
  for (const [path, text] of [...files, [config.path, config.text] as const]) {
    await writeBelow(join(own, path), text);
  }
  if (code.lock !== undefined) await writeBelow(code.lock, version.lock ?? '');
  if (account !== undefined) await shareFolder(account, folder);
  return code;
}

/** Writes the lock file that a check has made. */
export async function addLock(code: Code, text: string, account: Account | undefined) {
  const path = join(code.folder, 'deno.lock');
  await writeBelow(path, text);
  if (account !== undefined) await share(account, path, 0o640);
}

/** Marks a version as checked and moves it to its place. */
export async function keepCode(code: Code, place: string): Promise<void> {
  await writeFile(join(code.folder, 'facts.json'), JSON.stringify({ hasRemote: code.hasRemote }));
  try {
    await rename(code.folder, place);
  } catch (error) {
    // Another process has finished the same version.
    if (!['ENOTEMPTY', 'EEXIST'].includes(systemErrorCode(error) ?? '')) throw error;
    await rm(code.folder, { recursive: true, force: true });
  }
}

/** Removes the oldest folders of a function, but for those in use, and returns them. Each can be made again. */
export async function removeOldCode(
  parent: string,
  slug: string,
  inUse: ReadonlySet<string>,
): Promise<readonly string[]> {
  const isOfSlug = (name: string) => /^-[0-9a-f]{32}$/.test(name.slice(slug.length));
  const names = (await readdir(parent)).filter((name) => name.startsWith(slug) && isOfSlug(name));
  const folders = await Promise.all(
    names.map(async (name) => {
      const { mtimeMs } = await stat(join(parent, name));
      return { path: join(parent, name), mtimeMs };
    }),
  );
  const old = folders.toSorted((a, b) => b.mtimeMs - a.mtimeMs).slice(maxKept);
  const unused = old.map(({ path }) => path).filter((path) => !inUse.has(path));
  await Promise.all(unused.map((path) => rm(path, { recursive: true, force: true })));
  return unused;
}

function checkPaths({ slug, entrypoint, files }: FunctionVersion): void {
  if (!slugRule.test(slug)) refuse(`the slug ${slug} is not allowed`);
  const paths = Object.keys(files);
  const refused = paths.find(
    // npm settings name servers and credentials.
    (path) => !pathRule.test(path) || posix.basename(path) === '.npmrc' || isOwnAgain(path, slug),
  );
  if (refused !== undefined) refuse(`the path ${refused} is not allowed`);
  if (paths.length > maxFiles) refuse(`it has more than ${maxFiles} files`);
  if (files[entrypoint] === undefined)
    refuse(`its entrypoint ${entrypoint} is not among its files`);
}

/** A second path to the files of the function itself, which could replace them. */
function isOwnAgain(path: string, slug: string): boolean {
  return `${path}/`.toLowerCase().startsWith(`../${slug}/`.toLowerCase());
}

function refuse(reason: string): never {
  throw fail('FUNCTION_REFUSED', { reason });
}

async function writeBelow(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, text, { mode: 0o600 });
}

async function shareFolder(account: Account, folder: string): Promise<void> {
  await share(account, folder, 0o750);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const mode = entry.isDirectory() ? 0o750 : 0o640;
    await share(account, join(entry.parentPath, entry.name), mode);
  }
}

/** The user of the project is the only one of its group. */
async function share({ gid }: Account, path: string, mode: number): Promise<void> {
  await chown(path, 0, gid);
  await chmod(path, mode);
}
