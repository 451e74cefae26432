// Notices that the schema of the project has changed, for example a policy of `realtime.messages` or a grant. Reads the
// version of the schema once a second while a channel depends on it, and at once when it is woken.
import type { Clock, Timer } from '../ports.js';

const pauseMs = 1_000;

export interface SchemaWatchParts {
  readonly clock: Clock;
  /** The version of the schema as the database has it now. */
  readonly readSchemaVersion: () => Promise<string>;
  /** Called after a change; the next version is read when it has resolved. */
  readonly onSchemaChange: () => Promise<void>;
  readonly onError: (error: unknown, doing: string) => void;
}

export class SchemaWatch {
  /** How many changes have been noticed. */
  changes = 0;
  #holders = 0;
  #version: Promise<string> | undefined;
  #timer: Timer | undefined;
  /** The timer whose check runs. */
  #checking: Timer | undefined;
  #isWoken = false;
  /** Those who wait for a check that begins later. */
  readonly #waiting: (() => void)[] = [];

  constructor(private readonly parts: SchemaWatchParts) {}

  /**
   * Starts to watch. Later changes than the resolved promise are noticed until the returned function is called. Throws
   * the errors of the database.
   */
  async acquire(): Promise<() => void> {
    this.#holders += 1;
    let isHeld = true;
    const release = (): void => {
      if (isHeld) this.#release();
      isHeld = false;
    };
    try {
      this.#version ??= this.parts.readSchemaVersion();
      await this.#version;
      if (!this.#timer) this.#schedule();
      return release;
    } catch (error) {
      release();
      throw error;
    }
  }

  /**
   * Reads the version at once, or again after the check that runs: the schema may have changed. Resolves when the change
   * has taken effect.
   */
  wake(): Promise<void> {
    if (this.#holders === 0) return Promise.resolve();
    const checked = new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#isWoken = true;
    if (this.#timer && this.#timer !== this.#checking) {
      this.#timer.cancel();
      this.#schedule();
    }
    return checked;
  }

  #release(): void {
    this.#holders -= 1;
    if (this.#holders > 0) return;
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#version = undefined;
    this.#isWoken = false;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #schedule(): void {
    const pause = this.#isWoken ? 0 : pauseMs;
    this.#isWoken = false;
    const timer = this.parts.clock.setTimer(pause, () => {
      this.#checking = timer;
      const waiting = this.#waiting.splice(0);
      this.#check()
        .catch((error: unknown) => this.parts.onError(error, 'read the version of the schema'))
        .finally(() => {
          for (const resolve of waiting) resolve();
          if (this.#timer === timer) this.#schedule();
        });
    });
    this.#timer = timer;
  }

  async #check(): Promise<void> {
    const version = await this.parts.readSchemaVersion();
    const known = await this.#version;
    if (known === undefined || known === version) return;
    this.#version = Promise.resolve(version);
    this.changes += 1;
    await this.parts.onSchemaChange();
  }
}
