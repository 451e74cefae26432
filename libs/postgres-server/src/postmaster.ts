// The running server of a cluster, read from its lock file `postmaster.pid` (PostgreSQL manual §66.1): line 1 is the
// pid, line 4 the port, line 5 the folder of the socket, line 8 the state.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ServerAddress } from './cluster.js';
import { PostgresServerError, systemErrorCode } from './postgres-server-error.js';
import { commandOf, isAlive } from './running-process.js';

const settleMs = 300_000;
/** Larger than any pid that a system assigns. */
const nobodysPid = 2 ** 22;

export interface RunningServer extends ServerAddress {
  readonly pid: number;
}

/**
 * Returns the server that runs on a cluster and accepts connections; undefined if none runs. Waits for a server that is
 * starting or stopping.
 */
export async function findRunningServer(pgData: string): Promise<RunningServer | undefined> {
  const giveUpAt = Date.now() + settleMs;
  while (Date.now() < giveUpAt) {
    const lines = await readLines(pgData);
    const pid = Number(lines?.[0]);
    if (lines === undefined || !isAlive(pid)) return undefined;
    if (!isPostgres(pid)) {
      await disownPid(pgData, lines);
      return undefined;
    }
    if (lines[7]?.trim() === 'ready') {
      return { pid, port: Number(lines[3]), socketDir: lines[4]?.trim() || undefined };
    }
    await delay(50);
  }
  throw new PostgresServerError(`The database server of ${pgData} neither starts nor stops`);
}

/** True if the pid in the file of a dead server now belongs to another program. */
function isPostgres(pid: number): boolean {
  const command = commandOf(pid);
  return command === undefined || command.includes('postgres');
}

/**
 * Writes an unused pid into the file. Removing the file would be wrong: PostgreSQL needs the rest of it to find
 * backends of the dead server that still write to the cluster.
 */
async function disownPid(pgData: string, lines: readonly string[]): Promise<void> {
  await writeFile(join(pgData, 'postmaster.pid'), [nobodysPid, ...lines.slice(1)].join('\n'));
}

async function readLines(pgData: string): Promise<string[] | undefined> {
  try {
    return (await readFile(join(pgData, 'postmaster.pid'), 'utf8')).split('\n');
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
