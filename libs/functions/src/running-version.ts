// One version of a function while it is used: whose turn it is, its process, and how often that fails.
import { AppError, fail } from '#libs/errors';

import { Call, type CallPorts } from './call.js';
import { forward } from './forward.js';
import type { FunctionProcess } from './function-process.js';
import type { FunctionLimits, FunctionReply, FunctionRequest, FunctionVersion } from './types.js';
import { untilAborted, WaitingLine } from './waiting-line.js';

export interface VersionPorts extends CallPorts {
  readonly limits: () => FunctionLimits;
  /** Starts a process and resolves when it can answer. */
  readonly openProcess: () => Promise<FunctionProcess>;
  /** Nothing runs and nothing waits: what is known of the version can be forgotten. */
  readonly onQuiet: () => void;
}

/** Processes in a row that end without one answer, before the next has to wait. */
const maxFailures = 3;
const firstPauseMs = 5_000;
const maxPauseMs = 60_000;
const busyRetrySeconds = 1;

export class RunningVersion {
  readonly #line = new WaitingLine();
  #active = 0;
  #process: FunctionProcess | undefined;
  #starting: Promise<void> | undefined;
  #failures = 0;
  #pausedUntil = 0;
  #isLast = false;

  constructor(
    readonly version: FunctionVersion,
    private readonly ports: VersionPorts,
  ) {}

  async invoke(request: FunctionRequest): Promise<FunctionReply> {
    const limits = this.ports.limits();
    const call = new Call(this.version, request, limits.timeoutSeconds, this.ports);
    try {
      await this.#takeTurn(limits, call.signal);
    } catch (error) {
      call.end(undefined, error, undefined);
      throw error;
    }
    try {
      const process = await this.#acquireProcess(call);
      return await this.#answer(process, request, call, limits);
    } catch (error) {
      this.#giveTurn();
      throw error;
    }
  }

  /** New requests get a new process; the one that runs answers those that it has. */
  restart(): void {
    this.#process?.retire();
    this.#process = undefined;
    this.#starting = undefined;
  }

  /** Ends the process when all requests are answered, also those that wait. */
  endWhenQuiet(): void {
    this.#isLast = true;
    this.#endIfQuiet();
  }

  async #answer(
    process: FunctionProcess,
    request: FunctionRequest,
    call: Call,
    limits: FunctionLimits,
  ): Promise<FunctionReply> {
    call.begin(process.usage);
    const end = (status: number | undefined, error: unknown) => {
      const { usage } = process;
      if (isCrash(error)) process.markBroken();
      // A request that is over the time may have stopped the process.
      if (error instanceof AppError && error.code === 'FUNCTION_TIMEOUT') this.#replace(process);
      call.end(status, error, usage);
      process.endRequest(usage);
    };
    try {
      const options = { ...limits, signal: call.signal };
      const reply = await forward(process, request, options, (status, error) => {
        end(status, error);
        this.#giveTurn();
      });
      process.hasAnswered = true;
      this.#failures = 0;
      return reply;
    } catch (error) {
      end(undefined, error);
      throw error;
    }
  }

  /** Returns a process that can answer, and counts the request there. */
  async #acquireProcess(call: Call): Promise<FunctionProcess> {
    try {
      for (;;) {
        if (this.#process?.isOpen === true) {
          this.#process.beginRequest();
          return this.#process;
        }
        call.isColdStart = true;
        this.#starting ??= this.#start();
        await untilAborted(this.#starting, call.signal);
      }
    } catch (error) {
      call.end(undefined, error, undefined);
      throw error;
    }
  }

  #start(): Promise<void> {
    const starting: Promise<void> = this.#open().then(
      (process) => {
        void process.exited.then(() => this.#count(process));
        // The environment has changed meanwhile.
        if (this.#starting !== starting) process.retire();
        else this.#process = process;
      },
      (error: unknown) => {
        if (isCrash(error)) this.#countFailure();
        throw error;
      },
    );
    const forget = () => {
      if (this.#starting === starting) this.#starting = undefined;
    };
    starting.then(forget, forget);
    return starting;
  }

  async #open(): Promise<FunctionProcess> {
    const { slug } = this.version;
    const waitMs = this.#pausedUntil - this.ports.now();
    if (waitMs > 0) {
      throw fail('FUNCTION_CRASHED', { slug }, { retryAfterSeconds: Math.ceil(waitMs / 1000) });
    }
    return await this.ports.openProcess();
  }

  #count(process: FunctionProcess): void {
    if (this.#process === process) this.#process = undefined;
    if (!process.hasAnswered && !process.isEndedByUs) this.#countFailure();
    if (this.#active === 0 && this.#failures === 0) this.ports.onQuiet();
  }

  #countFailure(): void {
    if (this.#pausedUntil > this.ports.now()) return;
    this.#failures += 1;
    if (this.#failures < maxFailures) return;
    const pauseMs = Math.min(firstPauseMs * 2 ** (this.#failures - maxFailures), maxPauseMs);
    this.#pausedUntil = this.ports.now() + pauseMs;
  }

  #replace(process: FunctionProcess): void {
    process.retire();
    if (this.#process === process) this.#process = undefined;
  }

  async #takeTurn(limits: FunctionLimits, signal: AbortSignal): Promise<void> {
    if (this.#active >= limits.concurrency) {
      if (this.#line.length >= limits.queue) {
        const { slug } = this.version;
        throw fail('FUNCTION_BUSY', { slug }, { retryAfterSeconds: busyRetrySeconds });
      }
      // Whose turn it is was counted already.
      return await this.#line.wait(signal);
    }
    this.#active += 1;
  }

  #giveTurn(): void {
    this.#active -= 1;
    const { concurrency } = this.ports.limits();
    while (this.#active < concurrency && this.#line.resolveNext()) this.#active += 1;
    this.#endIfQuiet();
  }

  #endIfQuiet(): void {
    if (!this.#isLast || this.#active > 0) return;
    this.#process?.retire();
    this.#process = undefined;
    this.ports.onQuiet();
  }
}

function isCrash(error: unknown): boolean {
  return error instanceof AppError && error.status === 502;
}
