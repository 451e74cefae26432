import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from './cluster.js';
import type { Placement } from './placement.js';
import { limitLog, logFileOf } from './log-file.js';
import { findRunningServer } from './postmaster.js';
import { startServer } from './server.js';
import type { ServerSettings } from './server-settings.js';
import type { ServerLog } from './server-log.js';

const lookMs = 1_000;
/** The pause after a failed start doubles each time, up to this. */
const longestPauseMs = 30_000;

export interface ServerWatch {
  readonly placement: Placement;
  readonly cluster: Cluster;
  readonly settings: ServerSettings;
  readonly port: number;
  readonly log: ServerLog;
}

/**
 * Starts the server again, on the same port, if it ends unexpectedly: the system may kill it when memory runs out. A
 * failed start is tried again, after increasing pauses. Also limits the log file of the server. The returned function
 * stops the watch and resolves when no start is in progress.
 */
export function watchServer(watch: ServerWatch): () => Promise<void> {
  const end = new AbortController();
  const watching = look(watch, end.signal);
  return async () => {
    end.abort();
    await watching;
  };
}

async function look(watch: ServerWatch, end: AbortSignal): Promise<void> {
  const { placement, cluster, settings, port, log } = watch;
  let lastFailure: string | undefined;
  let pauseMs = lookMs;
  while (await pause(pauseMs, end)) {
    try {
      if ((await findRunningServer(cluster.dataDir)) !== undefined) {
        await limitLog(logFileOf(placement));
      } else {
        if (lastFailure === undefined) {
          log.error('PostgreSQL has ended by itself: starting it again');
        }
        await startServer(placement, cluster, { settings, wantedPort: port, samePort: true });
        log.info('PostgreSQL runs again');
      }
      lastFailure = undefined;
      pauseMs = lookMs;
    } catch (error) {
      const failure = error instanceof Error ? error.message : String(error);
      if (failure !== lastFailure) log.error(failure);
      lastFailure = failure;
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    }
  }
}

/** True after the delay, false as soon as the watch ends. */
async function pause(ms: number, end: AbortSignal): Promise<boolean> {
  await delay(ms, undefined, { ref: false, signal: end }).catch(() => undefined); // Aborted: see below.
  return !end.aborted;
}
