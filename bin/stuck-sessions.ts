// Sessions of projects that ignore a request to end, and keep others waiting: the embedded server is restarted, and the
// project is paused.
import { setTimeout as delay } from 'node:timers/promises';

import type { Logger } from 'pino';

import { type ProjectsContext, setProjectStatus, type StuckSession } from '#libs/control-plane';

/** How often, and for how long, the pause of a project is tried after the restart; milliseconds. */
const pauseTryMs = 500;
const pauseMs = 60_000;

/** Ends the session with a process id by restarting the server; false when there is none. */
export type EndBackend = (pid: number) => Promise<boolean>;

export class StuckSessions {
  private readonly stop = new AbortController();
  /** Databases whose sessions are being ended. One restart ends all of them. */
  private readonly running = new Set<string>();
  private restarts = 0;

  /**
   * `endBackend` is absent on a server of the operator's; `projects` gives undefined until the control plane is open.
   */
  constructor(
    private readonly log: Logger,
    private readonly endBackend: EndBackend | undefined,
    private readonly findRef: (databaseId: string | undefined) => Promise<string | undefined>,
    private readonly projects: () => ProjectsContext | undefined,
  ) {}

  /** Ends a session and pauses its project, or logs why it cannot. Never rejects. */
  async end(session: StuckSession): Promise<void> {
    const databaseId = session.login?.databaseId ?? '';
    if (this.running.has(databaseId)) return;
    this.running.add(databaseId);
    try {
      await this.endAndPause(session);
    } catch (err) {
      this.log.error({ ...session.login, err }, 'a session of a project could not be ended');
    } finally {
      this.running.delete(databaseId);
    }
  }

  /** Tries no longer to pause projects. */
  close(): void {
    this.stop.abort();
  }

  private async endAndPause({ pid, login, reason }: StuckSession): Promise<void> {
    const { log, endBackend } = this;
    if (endBackend === undefined) {
      const ref = await this.findRef(login?.databaseId);
      const session = { ref, ...login, pid, reason };
      log.error(session, 'a session of a project does not end: restart PostgreSQL');
      return;
    }
    const restartsBefore = this.restarts;
    if (await endBackend(pid)) {
      this.restarts += 1;
      log.error({ ...login, reason }, 'PostgreSQL was restarted to end a session of a project');
    } else if (this.restarts === restartsBefore) {
      // It has ended by itself, and not by the restart for another session.
      return;
    }
    if (login === undefined) return;
    // Before its clients repeat it.
    const ref = await this.pause(login.databaseId);
    if (ref !== undefined) log.error({ ref, reason }, 'a project was paused');
    else log.error({ ...login, reason }, 'a project could not be paused');
  }

  /** Returns the ref of the project; undefined when it has none, or the watch ended. Throws the last failure. */
  private async pause(databaseId: string): Promise<string | undefined> {
    const giveUpAt = Date.now() + pauseMs;
    for (;;) {
      const isLast = this.stop.signal.aborted || Date.now() > giveUpAt;
      try {
        const ref = await this.findRef(databaseId);
        const projects = this.projects();
        if (projects !== undefined && ref !== undefined) {
          await setProjectStatus(projects, 'system', { ref, status: 'paused' });
          return ref;
        }
      } catch (error) {
        if (isLast) throw error;
      }
      if (isLast) return undefined;
      await delay(pauseTryMs);
    }
  }
}
