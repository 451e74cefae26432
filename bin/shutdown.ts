// The end of the process: resources are closed in reverse order, once, whatever triggers it.
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Opened } from './database.js';

/** A terminal and npm both hand Ctrl-C on, so the same key press arrives twice. */
const echoMs = 1_000;
const exitCodeOf = { SIGINT: 130, SIGTERM: 143 } as const;

type StopSignal = keyof typeof exitCodeOf;

export class Shutdown {
  private readonly opened: Opened[] = [];
  private stopping: Promise<void> | undefined;
  private firstSignalAt: number | undefined;

  /** `closeMs`: how long each thing that was opened may take to close. */
  constructor(
    private readonly log: Logger,
    private readonly closeMs: number,
  ) {}

  /** True after the first signal or error; a start that fails then is a consequence. */
  get isStopping(): boolean {
    return this.stopping !== undefined;
  }

  /** Handles signals and uncaught errors. The process exits with 0 after a signal and with 1 after an error. */
  listen(): void {
    for (const name of ['SIGINT', 'SIGTERM'] as const) {
      process.on(name, () => this.onSignal(name));
    }
    const onFault = (error: unknown): void => {
      this.log.fatal({ err: error }, 'stopping after an uncaught error');
      void this.exit(1);
    };
    process.on('uncaughtException', onFault).on('unhandledRejection', onFault);
  }

  /**
   * Opens a resource that is closed at the end, also if the end comes while it is being opened. Rejects if the process
   * is already ending.
   */
  open<T extends Opened>(step: () => Promise<T>): Promise<T> {
    if (this.stopping !== undefined) return Promise.reject(new Error('the process is ending'));
    const opening = step();
    this.opened.push({
      async close() {
        // The caller reports a failure to open; then there is nothing to close.
        const opened = await opening.catch(() => undefined);
        await opened?.close();
      },
    });
    return opening;
  }

  /** Closes everything and ends the process. Later calls change nothing. */
  exit(code: number): Promise<void> {
    this.stopping ??= this.closeAll(code);
    return this.stopping;
  }

  private onSignal(name: StopSignal): void {
    const now = Date.now();
    this.firstSignalAt ??= now;
    if (now - this.firstSignalAt > echoMs) process.exit(exitCodeOf[name]);
    this.log.info(`${name}: stopping`);
    void this.exit(0);
  }

  private async closeAll(code: number): Promise<void> {
    let exitCode = code;
    for (const opened of this.opened.reverse()) {
      try {
        // One after the other: the database is needed until the applications are closed.
        const end = await Promise.race([opened.close(), delay(this.closeMs, 'late' as const)]);
        if (end === 'late') this.log.error('stopping goes on without what did not close in time');
      } catch (error) {
        this.log.error({ err: error }, 'closing failed');
        exitCode = 1;
      }
    }
    process.exit(exitCode);
  }
}
