// Random kills of server and database, and the service manager that starts the server again.
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

import type { Trial } from '../case.js';

const shortestMs = 25_000;
const longestMs = 60_000;
const killsOfSoak = 40;
/** What a service manager waits before it starts a service again. */
const restartMs = 500;
/** The part of the soak in which the server is killed as well. */
const serverShare = 0.75;

/**
 * Whether the server may be killed at this moment of the soak. In its last quarter the database alone is killed, so that
 * the memory at the end is that of a process that has lived through a part of the soak.
 */
export const mayKillServer = (passedMs: number, soakMs: number): boolean =>
  passedMs < soakMs * serverShare;

export class Kills {
  readonly counts = { server: 0, database: 0 };
  /** Exits of the server that the soak did not cause. */
  readonly surprises: string[] = [];
  readonly #stopping = new AbortController();
  readonly #stopped = once(this.#stopping.signal, 'abort').then(() => undefined);
  #isKilled = false;
  #working: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly trial: Trial,
    private readonly soakMs: number,
  ) {}

  start(): void {
    this.#working = Promise.all([this.#kill(), this.#manage()]);
  }

  /** Ends the kills; the server runs afterwards. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#working;
    await this.trial.deployment.ensureReady();
  }

  async #kill(): Promise<void> {
    const { deployment, chance } = this.trial;
    const meanMs = Math.min(longestMs, Math.max(shortestMs, this.soakMs / killsOfSoak));
    const startedAt = performance.now();
    for (;;) {
      await this.#pause(meanMs / 2 + chance.below(meanMs));
      if (this.#stopping.signal.aborted) return;
      const isServer = !chance.is(50) && mayKillServer(performance.now() - startedAt, this.soakMs);
      if (!isServer) {
        if (await deployment.killDatabase()) this.counts.database += 1;
      } else if (deployment.isRunning) {
        this.counts.server += 1;
        this.#isKilled = true;
        deployment.server.child.kill('SIGKILL');
      }
    }
  }

  async #manage(): Promise<void> {
    const { deployment } = this.trial;
    while (!this.#stopping.signal.aborted) {
      const ended = await Promise.race([deployment.server.ended().then(String), this.#stopped]);
      if (ended === undefined) return;
      if (!this.#isKilled) {
        this.surprises.push(
          `the server ended by itself (${ended}): ${deployment.log.tail().join(' ')}`,
        );
      }
      this.#isKilled = false;
      await delay(restartMs);
      // A start that fails ends the process, which the next round sees.
      await deployment.start().catch(() => undefined);
    }
  }

  /** Ends early when the kills end. */
  #pause(ms: number): Promise<unknown> {
    return delay(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }
}
