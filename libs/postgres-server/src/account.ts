import { stat } from 'node:fs/promises';
import { runCommand, type Account } from './command.js';
import { PostgresServerError } from './postgres-server-error.js';

/** True if this process runs as root; PostgreSQL refuses to run as root. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * The user that PostgreSQL runs as; undefined for our own user. As root we use the owner of an existing cluster, and
 * the system user `nobody`, which exists on every system, for a new cluster.
 */
export async function chooseAccount(
  existingCluster: string | undefined,
): Promise<Account | undefined> {
  if (existingCluster === undefined) return isRoot() ? findNobody() : undefined;
  const owner = await stat(existingCluster);
  if (!isRoot()) {
    if (process.getuid === undefined || owner.uid === process.getuid()) return undefined;
    throw new PostgresServerError(
      `The database in ${existingCluster} belongs to the system user with id ${owner.uid}; start as that user or as root`,
    );
  }
  return owner.uid === 0 ? findNobody() : { uid: owner.uid, gid: owner.gid };
}

/** Whether `account` can enter the folder; always true for our own user, which creates its folders. */
export async function canEnter(folder: string, account: Account | undefined): Promise<boolean> {
  if (account === undefined) return true;
  const { exitCode } = await runCommand('/bin/sh', ['-c', 'cd "$0" 2>/dev/null', folder], account);
  return exitCode === 0;
}

async function findNobody(): Promise<Account> {
  const uid = await runCommand('/usr/bin/env', ['id', '-u', 'nobody'], undefined);
  const gid = await runCommand('/usr/bin/env', ['id', '-g', 'nobody'], undefined);
  if (uid.exitCode !== 0 || gid.exitCode !== 0) {
    throw new PostgresServerError(
      'PostgreSQL does not run as root and this system has no user "nobody"; start as an ordinary user or set DATABASE_URL',
    );
  }
  return { uid: Number(uid.output), gid: Number(gid.output) };
}
