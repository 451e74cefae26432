// Starts and stops the server of a cluster with pg_ctl.
import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from './cluster.js';
import { runCommand } from './command.js';
import { limitLog, logFileOf, logLength, readLog } from './log-file.js';
import type { Placement } from './placement.js';
import { freePort } from './ports.js';
import { PostgresServerError } from './postgres-server-error.js';
import type { ServerSettings } from './server-settings.js';

/** How long backends of a killed server may hold its shared memory. */
const orphanPatienceMs = 10_000;
const retryMs = 250;
/** Recovery of a large cluster takes minutes. */
const startSeconds = 600;
/** Shorter than the time limit for stopping the whole process. */
const fastStopSeconds = 8;
const stopSeconds = 60;

export type StopMode = 'fast' | 'immediate';

export interface ServerStart {
  readonly settings: ServerSettings;
  /** If this port is not free, another one is used. */
  readonly wantedPort: number | undefined;
  /** Use `wantedPort` and no other: clients already have it. */
  readonly samePort?: boolean;
}

/**
 * Starts the server on 127.0.0.1 and returns its port once it accepts connections. Throws PostgresServerError with the
 * server's own reason.
 */
export async function startServer(
  placement: Placement,
  cluster: Cluster,
  start: ServerStart,
): Promise<number> {
  const logFile = logFileOf(placement);
  await limitLog(logFile);
  const giveUpAt = Date.now() + orphanPatienceMs;
  const choosePort = (wanted: number | undefined): Promise<number> =>
    start.samePort === true && wanted !== undefined ? Promise.resolve(wanted) : freePort(wanted);
  let port = await choosePort(start.wantedPort);
  for (;;) {
    const logStart = await logLength(logFile);
    const options = serverOptions({ ...start.settings, port: String(port) });
    const { exitCode, output } = await runCommand(
      placement.binaries.pgCtl,
      [
        'start',
        '-w',
        '-t',
        String(startSeconds),
        '-D',
        cluster.dataDir,
        '-l',
        logFile,
        '-o',
        options,
      ],
      placement.account,
    );
    if (exitCode === 0) return port;
    const log = await readLog(logFile, logStart);
    const reason = reasonOf(log) ?? output.trim().split('\n').at(-1) ?? '';
    if (Date.now() >= giveUpAt || !mayPass(log + output)) {
      throw new PostgresServerError(`PostgreSQL does not start: ${reason} (see ${logFile})`);
    }
    await delay(retryMs);
    port = await choosePort(port);
  }
}

/**
 * Stops the server and waits until it is gone. `fast` ends open transactions; `immediate` leaves a recovery to the next
 * start, and is tried if `fast` takes too long, because a session in a long function ignores `fast`.
 */
export async function stopServer(
  placement: Placement,
  cluster: Cluster,
  mode: StopMode,
): Promise<void> {
  const seconds = mode === 'fast' ? fastStopSeconds : stopSeconds;
  const { exitCode, output } = await runCommand(
    placement.binaries.pgCtl,
    ['stop', '-w', '-t', String(seconds), '-D', cluster.dataDir, '-m', mode],
    placement.account,
  );
  if (exitCode === 0 || output.includes('PID file')) return;
  if (mode === 'fast') return stopServer(placement, cluster, 'immediate');
  throw new PostgresServerError(`PostgreSQL does not stop: ${output.trim().split('\n').at(-1)}`);
}

/** Temporary failures: orphans of a killed server end, and another port is tried. */
function mayPass(text: string): boolean {
  return /shared memory block|another server might be running|lock file ".*" already exists|Address already in use/.test(
    text,
  );
}

function reasonOf(log: string): string | undefined {
  const lines = log.split('\n').filter((line) => /\b(FATAL|PANIC): /.test(line));
  return lines.at(-1)?.replace(/^.*?\b(FATAL|PANIC): +/, '');
}

/** pg_ctl hands the options to a shell. */
function serverOptions(settings: ServerSettings): string {
  const mark = process.platform === 'win32' ? '"' : "'";
  return Object.entries(settings)
    .map(([name, value]) => `-c ${mark}${name}=${value.replaceAll("'", `'\\''`)}${mark}`)
    .join(' ');
}
