// The worker's watch over locks: sessions of one project must not make the others wait.
import { setTimeout as delay } from 'node:timers/promises';

import type { Logger } from 'pino';

import {
  databaseServer,
  type EndedSession,
  type LockWatchLimits,
  openLockWatch,
  type ProjectsContext,
  type StuckSession,
} from '#libs/control-plane';

import { type EndBackend, StuckSessions } from './stuck-sessions.js';

const secondTryMs = 1_000;

export interface RunningLockWatch {
  /**
   * Lets the watch name projects by their ref and pause them. Until then, and for deleted ones, warnings have the
   * database id alone.
   */
  nameProjects(projects: ProjectsContext): void;
  close(): Promise<void>;
}

export interface LockWatchOptions {
  readonly databaseUrl: string;
  readonly log: Logger;
  /** Absent on a server of the operator's. */
  readonly endBackend?: EndBackend | undefined;
  readonly limits?: LockWatchLimits;
}

/** Starts the watch. It comes before everything that may wait for a lock of a project. */
export function startLockWatch({
  databaseUrl,
  log,
  endBackend,
  limits,
}: LockWatchOptions): RunningLockWatch {
  let named: ProjectsContext | undefined;
  const findRef = async (databaseId: string | undefined): Promise<string | undefined> => {
    const find = async (): Promise<string | undefined> => {
      const text = 'select ref from project where database_id = $1';
      const rows: { ref: string }[] | undefined = await named?.dataSource.query(text, [databaseId]);
      return rows?.[0]?.ref;
    };
    try {
      return await find();
    } catch {
      // The session may be releasing its locks. The warning is more useful without the ref than not at all.
      await delay(secondTryMs);
      return find().catch(() => undefined);
    }
  };
  const stuck = new StuckSessions(log, endBackend, findRef, () => named);
  const reports = {
    onEnded({ login, reason, locks }: EndedSession) {
      void findRef(login?.databaseId).then((ref) =>
        log.warn({ ref, ...login, reason, locks }, 'ending a session of a project'),
      );
    },
    onStuck: (session: StuckSession) => void stuck.end(session),
    onFailure: (err: unknown) =>
      log.warn({ err }, 'the lock watch lost its connection; it connects again'),
  };
  const watch = openLockWatch(databaseServer(databaseUrl), reports, limits);
  return {
    nameProjects(projects) {
      named = projects;
    },
    close() {
      stuck.close();
      return watch.close();
    },
  };
}
