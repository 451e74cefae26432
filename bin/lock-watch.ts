// The worker's watch over locks: one project's sessions must not make the others wait.
import { setTimeout as delay } from 'node:timers/promises';

import type { Logger } from 'pino';

import {
  databaseServer,
  type EndedSession,
  type LockWatchLimits,
  openLockWatch,
  type ProjectsContext,
  setProjectStatus,
  type StuckSession,
} from '#libs/control-plane';

const secondTryMs = 1_000;
/** How often, and for how long, a project is tried to be paused after the restart of its server; milliseconds. */
const pauseTryMs = 500;
const pauseMs = 60_000;

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
  /** Ends a session that hears no request to end; absent where only the operator of the server can. */
  readonly endBackend?: ((pid: number) => Promise<boolean>) | undefined;
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
  const stop = new AbortController();
  /** Databases of the projects for whose sessions the server is being restarted. */
  const restartedFor = new Set<string>();
  const findRef = async (databaseId: string | undefined): Promise<string | undefined> => {
    const find = async (): Promise<string | undefined> => {
      const text = 'select ref from project where database_id = $1';
      const rows: { ref: string }[] | undefined = await named?.dataSource.query(text, [databaseId]);
      return rows?.[0]?.ref;
    };
    try {
      return await find();
    } catch {
      // The locks of the session may just be going. The warning is more useful without the ref than not at all.
      await delay(secondTryMs);
      return find().catch(() => undefined);
    }
  };
  const endSurely = async ({ pid, login, reason }: StuckSession): Promise<void> => {
    if (endBackend === undefined) {
      const ref = await findRef(login?.databaseId);
      log.error(
        { ref, ...login, pid, reason },
        'a session of a project does not end: restart PostgreSQL',
      );
      return;
    }
    // One restart ends all sessions of the project.
    const databaseId = login?.databaseId ?? '';
    if (restartedFor.has(databaseId)) return;
    restartedFor.add(databaseId);
    try {
      await restart(endBackend, { pid, login, reason });
    } finally {
      restartedFor.delete(databaseId);
    }
  };
  const restart = async (
    end: NonNullable<LockWatchOptions['endBackend']>,
    { pid, login, reason }: StuckSession,
  ): Promise<void> => {
    if (!(await end(pid))) return;
    log.error({ ...login, reason }, 'PostgreSQL was restarted to end a session of a project');
    // Before its clients do the same again.
    const ref = login && (await pauseProject(login.databaseId));
    if (ref !== undefined) log.error({ ref, reason }, 'a project was paused');
  };
  const pauseProject = async (databaseId: string): Promise<string | undefined> => {
    const giveUpAt = Date.now() + pauseMs;
    for (;;) {
      try {
        const ref = await findRef(databaseId);
        if (named !== undefined && ref !== undefined) {
          await setProjectStatus(named, 'system', { ref, status: 'paused' });
          return ref;
        }
      } catch (error) {
        if (stop.signal.aborted || Date.now() > giveUpAt) throw error;
      }
      if (stop.signal.aborted || Date.now() > giveUpAt) return undefined;
      await delay(pauseTryMs);
    }
  };
  const reports = {
    onEnded({ login, reason, locks }: EndedSession) {
      void findRef(login?.databaseId).then((ref) =>
        log.warn({ ref, ...login, reason, locks }, 'a session of a project was ended'),
      );
    },
    onStuck(session: StuckSession) {
      void endSurely(session).catch((err: unknown) =>
        log.error({ ...session.login, err }, 'a session of a project could not be ended'),
      );
    },
    onFailure: (err: unknown) =>
      log.warn({ err }, 'the lock watch lost its connection; it connects again'),
  };
  const watch = openLockWatch(databaseServer(databaseUrl), reports, limits);
  return {
    nameProjects(projects) {
      named = projects;
    },
    close() {
      stop.abort();
      return watch.close();
    },
  };
}
