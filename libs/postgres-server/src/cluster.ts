// The cluster on disk: initdb creates it once, later starts check it against the programs.
import { randomBytes } from 'node:crypto';
import { chown, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from './command.js';
import { makeFor, type Placement } from './placement.js';
import { PostgresServerError, systemErrorCode } from './postgres-server-error.js';

export interface Cluster {
  /** PostgreSQL's own data folder (PGDATA). */
  readonly dataDir: string;
  /** The password of the superuser `postgres`. */
  readonly password: string;
}

/** How clients reach a server on this machine. */
export interface ServerAddress {
  /** On 127.0.0.1, and in the name of the socket. */
  readonly port: number;
  /** The folder of the Unix socket; absent on Windows. */
  readonly socketDir: string | undefined;
}

/**
 * Returns the connection string of the superuser. Its parameter `host`, the folder of the socket, comes before the host
 * name, which is the address for owners of projects. Holds the password: never log it.
 */
export function superuserUrl(password: string, { port, socketDir }: ServerAddress): string {
  const address = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  return socketDir === undefined ? address : `${address}?host=${encodeURIComponent(socketDir)}`;
}

/**
 * Returns the cluster of a placement, and creates it if needed. `durable: false` does not wait for the disk. Throws
 * PostgresServerError if the cluster belongs to a major version other than `version` or its password file is missing.
 */
export async function ensureCluster(
  placement: Placement,
  version: string,
  options: { readonly durable: boolean },
): Promise<Cluster> {
  const dataDir = join(placement.clusterDir, 'data');
  const made = await readIfThere(join(dataDir, 'PG_VERSION'));
  if (made === undefined) return makeCluster(placement, options);
  refuseOtherMajor(placement.clusterDir, made.trim(), version);
  const password = await readIfThere(passwordFile(placement));
  if (password === undefined) {
    throw new PostgresServerError(
      `The password file ${passwordFile(placement)} of the database is missing; restore it from a backup`,
    );
  }
  return { dataDir, password: password.trim() };
}

/** An interrupted start leaves only `data.new`, which the next start removes. */
async function makeCluster(
  placement: Placement,
  options: { readonly durable: boolean },
): Promise<Cluster> {
  const { clusterDir, account, binaries } = placement;
  const unfinished = join(clusterDir, 'data.new');
  const password = randomBytes(24).toString('base64url');
  const handedOver = join(clusterDir, 'run', 'initial-password');
  await rm(unfinished, { recursive: true, force: true });
  await makeFor(account, unfinished);
  await writeFile(passwordFile(placement), `${password}\n`, { mode: 0o600 });
  await rm(handedOver, { force: true });
  await writeFile(handedOver, `${password}\n`, { mode: 0o600, flag: 'wx' });
  if (account !== undefined) await chown(handedOver, account.uid, account.gid);
  const { exitCode, output } = await runCommand(
    binaries.initdb,
    initdbArgs(unfinished, handedOver, options),
    account,
  );
  await rm(handedOver);
  if (exitCode !== 0) {
    throw new PostgresServerError(`initdb failed: ${lastLine(output)}`);
  }
  const dataDir = join(clusterDir, 'data');
  await rename(unfinished, dataDir);
  return { dataDir, password };
}

/**
 * Code point order with the case rules of Unicode (PostgreSQL manual §23.1.4, provider builtin): text sorts the same on
 * every machine and after every upgrade, and `ilike` still knows that É is é.
 */
function initdbArgs(
  dataDir: string,
  passwordFile: string,
  options: { readonly durable: boolean },
): string[] {
  const always = [
    `--pgdata=${dataDir}`,
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
  ];
  return options.durable ? always : [...always, '--no-sync'];
}

function refuseOtherMajor(folder: string, made: string, version: string): void {
  const major = version.split('.')[0];
  if (made === major) return;
  throw new PostgresServerError(
    `${folder} holds a database of PostgreSQL ${made}, and this release runs PostgreSQL ${major}; use the release that made it and move the data with a dump`,
  );
}

function passwordFile(placement: Placement): string {
  return join(placement.ownDir, 'password');
}

function lastLine(output: string): string {
  return output.trim().split('\n').at(-1) ?? '';
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
