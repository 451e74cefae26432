// One process per data folder. The lock is a file that names its holder. On the same machine, in the same boot and pid
// namespace, the holder's pid and start time show whether it lives; otherwise its heartbeat does: the holder touches
// the file every few seconds.
import { readFileSync, readlinkSync, type Stats } from 'node:fs';
import { link, open, readFile, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { PostgresServerError, systemErrorCode } from './postgres-server-error.js';
import { isAlive, startOf } from './running-process.js';

const heartbeatMs = 5_000;
const defaultSilenceMs = 3 * heartbeatMs;
const attempts = 5;

export interface DataFolderLock {
  /** Releases the folder. Harmless if called twice. */
  release(): Promise<void>;
}

interface Holder {
  readonly pid: number;
  readonly start: string | undefined;
  readonly host: string;
  /** Boot of the machine and pid namespace: within one place a pid identifies one process. */
  readonly boot: string;
  readonly namespace: string;
}

/**
 * Takes the lock of a data folder, also from a holder that is gone. `silenceMs`: a holder on another machine counts as
 * gone after this time without a heartbeat. Throws PostgresServerError, naming the pid, while the holder lives.
 */
export async function lockDataFolder(
  dataDir: string,
  silenceMs: number = defaultSilenceMs,
): Promise<DataFolderLock> {
  const file = join(dataDir, 'rowhouse.lock');
  const mine = JSON.stringify(thisProcess());
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    if (await create(file, mine)) return hold(file, mine);
    const found = await readSettled(file);
    if (found === undefined) continue;
    const holder = parseHolder(found);
    if (holder !== undefined && (await lives(file, holder, silenceMs)))
      throw heldBy(dataDir, holder);
    await removeStale(file, found);
  }
  throw new PostgresServerError(
    `The lock ${file} cannot be taken: several processes start on this folder`,
  );
}

function hold(file: string, mine: string): DataFolderLock {
  const touch = async (): Promise<void> => {
    const now = new Date();
    await utimes(file, now, now).catch(() => undefined); // The folder may be gone; then there is nothing to keep alive.
  };
  const heartbeat = setInterval(() => void touch(), heartbeatMs).unref();
  return {
    async release() {
      clearInterval(heartbeat);
      if ((await readIfThere(file)) === mine) await rm(file, { force: true });
    },
  };
}

async function create(file: string, content: string): Promise<boolean> {
  try {
    const handle = await open(file, 'wx', 0o600);
    await handle.writeFile(content);
    await handle.close();
    return true;
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** The text of the lock. It is empty while the file is being written, or after a power failure during the write. */
async function readSettled(file: string): Promise<string | undefined> {
  const text = await readIfThere(file);
  if (text !== '') return text;
  await delay(200);
  return readIfThere(file);
}

async function lives(file: string, holder: Holder, silenceMs: number): Promise<boolean> {
  const here = thisProcess();
  if (
    holder.host === here.host &&
    holder.boot === here.boot &&
    holder.namespace === here.namespace
  ) {
    return isAlive(holder.pid) && startOf(holder.pid) === holder.start;
  }
  // The same machine after a reboot: no earlier process lives.
  if (holder.host === here.host && holder.boot !== here.boot) return false;
  return showsHeartbeat(file, silenceMs);
}

async function showsHeartbeat(file: string, silenceMs: number): Promise<boolean> {
  const before = await modifiedAt(file);
  const giveUpAt = Date.now() + silenceMs;
  while (Date.now() < giveUpAt) {
    await delay(250);
    if ((await modifiedAt(file)) !== before) return true;
  }
  return false;
}

/** A takeover takes milliseconds; an unfinished takeover that is older than this was interrupted. */
const takeoverMs = 10_000;
const takeoverPauseMs = 20;

/**
 * Removes a stale lock. If several processes try, the process that creates a second name for exactly this file removes
 * it. A fresh lock in place of the stale one has another text.
 */
async function removeStale(file: string, stale: string): Promise<void> {
  const inode = (await statIfThere(file))?.ino;
  if (inode === undefined) return;
  const claim = `${file}.${inode}`;
  try {
    await link(file, claim);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code !== 'EEXIST' && code !== 'ENOENT') throw error;
    const begunAt = (await statIfThere(claim))?.ctimeMs ?? Infinity;
    if (Date.now() - begunAt > takeoverMs) await rm(claim, { force: true });
    await delay(takeoverPauseMs);
    return;
  }
  if ((await readIfThere(claim)) === stale) await rm(file, { force: true });
  await rm(claim, { force: true });
}

function heldBy(dataDir: string, holder: Holder): PostgresServerError {
  const where = holder.host === hostname() ? '' : ` on ${holder.host}`;
  return new PostgresServerError(
    `The data folder ${dataDir} is in use by the process ${holder.pid}${where}; stop it or set another DATA_DIR`,
  );
}

function thisProcess(): Holder {
  return {
    pid: process.pid,
    start: startOf(process.pid),
    host: hostname(),
    boot: readOr('', () => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    namespace: readOr('', () => readlinkSync('/proc/self/ns/pid')),
  };
}

/** These files exist on Linux only; elsewhere all processes of a host count as one place. */
function readOr(fallback: string, read: () => string): string {
  try {
    return read();
  } catch {
    return fallback;
  }
}

function parseHolder(text: string): Holder | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined; // Interrupted by a crash: no process holds it.
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const fields: Record<string, unknown> = { ...value };
  const { pid, start, host, boot, namespace } = fields;
  if (typeof pid !== 'number' || typeof host !== 'string') return undefined;
  if (typeof boot !== 'string' || typeof namespace !== 'string') return undefined;
  return { pid, start: typeof start === 'string' ? start : undefined, host, boot, namespace };
}

async function modifiedAt(file: string): Promise<number | undefined> {
  return (await statIfThere(file))?.mtimeMs;
}

async function statIfThere(file: string): Promise<Stats | undefined> {
  try {
    return await stat(file);
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
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
