// A process of Deno with one version of a function: its requests, its output, what it may use, and its end.
import type { ChildProcess } from 'node:child_process';
import { Agent } from 'node:http';

import { type AppError, fail } from '#libs/errors';

import { type Command, kill, start } from './command.js';
import { type OutputLine, parseOutput, plainLine, readLines } from './log-lines.js';
import type { FunctionLimits } from './types.js';
import { readUsage, type Usage } from './usage.js';

/** Why we have ended a process. */
type EndReason = 'idle' | 'closed' | 'cpu' | 'memory' | 'slow' | 'broken';

type LogLine = OutputLine & { readonly kind: 'log' };

export interface ProcessOptions {
  readonly slug: string;
  readonly command: Command;
  readonly socket: string;
  /** Of the heap, which a process keeps. */
  readonly memoryMb: number;
  readonly limits: () => FunctionLimits;
  readonly now: () => number;
  readonly onLine: (line: LogLine) => void;
  /** Called whenever it may have become idle. */
  readonly onIdle: () => void;
}

const idleMs = 60_000;
const startMs = 30_000;
const watchMs = process.platform === 'linux' ? 250 : 2_000;
/** Half of the step in which Linux counts processor time. */
const usageMs = 5;
/** What a process may use beside its heap, for buffers and for Deno itself. */
const besideHeapMb = 256;

export class FunctionProcess {
  readonly agent = new Agent({ keepAlive: true });
  readonly socket: string;
  /** Resolves when the process has ended. */
  readonly exited: Promise<void>;
  /** Resolves when it can answer; rejects with FUNCTION_CRASHED if it ends before. */
  readonly ready: Promise<void>;
  hasAnswered = false;
  /** On the clock of `performance.now()`. */
  lastUsedAt = performance.now();
  readonly #child: ChildProcess;
  readonly #watch: NodeJS.Timeout;
  #setReady: () => void = () => undefined;
  #active = 0;
  #pending = 0;
  #usage: Usage | undefined;
  #usageUntil = 0;
  #cpuMsBefore = 0;
  #isRetired = false;
  #endReason: EndReason | undefined;
  #isBroken = false;
  #isGone = false;

  constructor(private readonly options: ProcessOptions) {
    this.socket = options.socket;
    this.#child = start(options.command);
    this.exited = this.#follow();
    this.ready = this.#untilReady();
    this.#watch = setInterval(() => this.#check(), watchMs).unref();
  }

  get isOpen(): boolean {
    return !this.#isRetired && !this.#isBroken && this.#endReason === undefined && !this.#isGone;
  }

  /** Whether it may be ended for another process: no request runs, and no promise of `waitUntil` within its time. */
  get isIdle(): boolean {
    if (this.#active > 0) return false;
    const maxMs = this.options.limits().timeoutSeconds * 1000;
    return this.#pending === 0 || performance.now() - this.lastUsedAt > maxMs;
  }

  /** Whether it has ended without a fault of its own. */
  get isEndedByUs(): boolean {
    return this.#endReason === 'idle' || this.#endReason === 'closed';
  }

  /** Read again after some milliseconds: the system counts in longer steps, and many requests end at once. */
  get usage(): Usage | undefined {
    const { pid } = this.#child;
    if (pid === undefined || this.#isGone) return undefined;
    if (performance.now() >= this.#usageUntil) {
      this.#usage = readUsage(pid);
      this.#usageUntil = performance.now() + usageMs;
    }
    return this.#usage;
  }

  /** The error of requests that the process has left without an answer. */
  readonly brokenBy = (): AppError => {
    const { slug } = this.options;
    const isSlow = this.#endReason === 'cpu' || this.#endReason === 'slow';
    return fail(isSlow ? 'FUNCTION_TIMEOUT' : 'FUNCTION_CRASHED', { slug });
  };

  beginRequest(): void {
    this.#active += 1;
    this.lastUsedAt = performance.now();
  }

  endRequest(usage: Usage | undefined): void {
    this.#active -= 1;
    this.lastUsedAt = performance.now();
    this.#cpuMsBefore = usage?.cpuMs ?? this.#cpuMsBefore;
    this.#endIfRetired();
    if (this.isIdle) this.options.onIdle();
  }

  /** It gets no new requests, and ends when those that it has are answered. */
  retire(): void {
    this.#isRetired = true;
    this.#endIfRetired();
  }

  /** A request got no answer, so the process ends, or is ended soon: its own end has a reason for the log. */
  markBroken(): void {
    this.#isBroken = true;
  }

  /** Ends it at once. */
  end(reason: EndReason): Promise<void> {
    this.#endReason ??= reason;
    if (this.#child.pid !== undefined && !this.#isGone) kill(this.#child.pid);
    return this.exited;
  }

  #endIfRetired(): void {
    if (this.#isRetired && this.isIdle) void this.end('closed');
  }

  #follow(): Promise<void> {
    const { onLine, now } = this.options;
    const { stdout, stderr, pid } = this.#child;
    if (stdout !== null) readLines(stdout, (line) => this.#read(parseOutput(line, now())));
    if (stderr !== null) readLines(stderr, (line) => onLine(plainLine(line, 'error', now())));
    return new Promise((resolve) => {
      this.#child.once('error', (error) => {
        this.#say(`The process cannot be started: ${error.message}`);
        if (pid === undefined) finish();
      });
      this.#child.once('exit', (code, signal) => {
        this.#sayWhy(code, signal);
        finish();
      });
      const finish = () => {
        this.#isGone = true;
        clearInterval(this.#watch);
        this.agent.destroy();
        resolve();
      };
    });
  }

  #untilReady(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => void this.end('slow'), startMs);
      this.#setReady = () => {
        clearTimeout(timer);
        resolve();
      };
      void this.exited.then(() => {
        clearTimeout(timer);
        reject(this.brokenBy());
      });
    });
  }

  #read(line: OutputLine): void {
    switch (line.kind) {
      case 'ready':
        this.#setReady();
        break;
      case 'pending':
        this.#pending = line.count;
        this.#endIfRetired();
        if (this.isIdle) this.options.onIdle();
        break;
      case 'log':
        this.options.onLine(line);
        break;
    }
  }

  #check(): void {
    const { memoryMb } = this.options;
    const { cpuSeconds } = this.options.limits();
    const { usage } = this;
    if (usage !== undefined && usage.cpuMs - this.#cpuMsBefore > cpuSeconds * 1000) {
      void this.end('cpu');
    } else if (usage !== undefined && usage.memoryKb > (memoryMb + besideHeapMb) * 1024) {
      void this.end('memory');
    } else if (this.isIdle && performance.now() - this.lastUsedAt > idleMs) {
      void this.end('idle');
    } else if (this.#isBroken && this.isIdle) {
      void this.end('broken');
    } else {
      this.#endIfRetired();
    }
  }

  #sayWhy(code: number | null, signal: string | null): void {
    const { memoryMb } = this.options;
    const { cpuSeconds } = this.options.limits();
    switch (this.#endReason) {
      case 'idle':
      case 'closed':
        return;
      case 'cpu':
        return this.#say(
          `The process was ended: it used more than ${cpuSeconds} s of processor time without ending a request`,
        );
      case 'memory':
        return this.#say(
          `The process was ended: it used more than ${memoryMb + besideHeapMb} MB of memory`,
        );
      case 'slow':
        return this.#say(`The process was ended: its start took more than ${startMs / 1000} s`);
      case 'broken':
      case undefined: {
        // V8 ends the process so when the heap is full.
        const isMemory = signal === 'SIGTRAP' || signal === 'SIGABRT';
        const why = isMemory ? `, probably for more than ${memoryMb} MB of memory` : '';
        return this.#say(`The process has ended with ${signal ?? `the code ${code}`}${why}`);
      }
    }
  }

  #say(message: string): void {
    this.options.onLine({ kind: 'log', level: 'error', message, at: new Date(this.options.now()) });
  }
}
