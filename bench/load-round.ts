// One round of load: keeps a number of connections busy, one request in flight on each, and counts
// what comes back between two readings of the clock.

import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { cpuMicrosOf } from './cpu.js';
import { ReplyReader } from './http-reply.js';
import type { LoadPlan, LoadResult } from './load-plan.js';

/** The value below which the given share of the sorted numbers lies; 0 when there are none. */
export function percentile(sorted: Float64Array, share: number): number {
  const index = Math.min(sorted.length - 1, Math.floor(sorted.length * share));
  return sorted[index] ?? 0;
}

/** Counts of one measured span; replaced by a fresh one when the warm-up is over. */
class Tally {
  replies = 0;
  failures = 0;
  failureStatus: number | undefined;
  readonly latenciesMs: number[] = [];

  add(status: number, latencyMs: number): void {
    if (status >= 200 && status < 300) {
      this.replies += 1;
      this.latenciesMs.push(latencyMs);
    } else {
      this.failures += 1;
      this.failureStatus ??= status;
    }
  }
}

/** Requests that were given a number, in all rounds of this process. */
let numbered = 0;

class LoadRound {
  readonly #plan: LoadPlan;
  readonly #sockets: Socket[] = [];
  readonly #broken: Promise<never>;
  #break: (reason: unknown) => void = () => undefined;
  #tally = new Tally();
  #next = 0;
  #over = false;

  constructor(plan: LoadPlan) {
    this.#plan = plan;
    this.#broken = new Promise((_, reject) => {
      this.#break = reject;
    });
    // A break is reported to the call that waits at that moment; there need not be a call.
    this.#broken.catch(() => undefined);
  }

  async run(): Promise<LoadResult> {
    try {
      const opened = Array.from({ length: this.#plan.connections }, () => this.#open());
      const starts = await Promise.race([Promise.all(opened), this.#broken]);
      for (const start of starts) start();
      await this.#during(this.#plan.warmUpSeconds);
      return await this.#measure();
    } finally {
      this.#over = true;
      for (const socket of this.#sockets) socket.destroy();
    }
  }

  async #measure(): Promise<LoadResult> {
    const tally = new Tally();
    this.#tally = tally;
    const cpuBefore = cpuMicrosOf(this.#plan.serverPid);
    const startedAt = performance.now();
    await this.#during(this.#plan.seconds);
    const cpuAfter = cpuMicrosOf(this.#plan.serverPid);
    const seconds = (performance.now() - startedAt) / 1000;
    this.#over = true;
    const sorted = Float64Array.from(tally.latenciesMs).sort();
    return {
      kind: 'result',
      replies: tally.replies,
      failures: tally.failures,
      ...(tally.failureStatus === undefined ? {} : { failureStatus: tally.failureStatus }),
      seconds,
      p50Ms: percentile(sorted, 0.5),
      p99Ms: percentile(sorted, 0.99),
      ...(cpuBefore === undefined || cpuAfter === undefined
        ? {}
        : { serverCpuMicros: cpuAfter - cpuBefore }),
    };
  }

  #during(seconds: number): Promise<void> {
    return Promise.race([delay(seconds * 1000), this.#broken]);
  }

  /** Opens one connection and gives the function that sends its first request. */
  async #open(): Promise<() => void> {
    const socket = connect({ port: this.#plan.port, host: '127.0.0.1', noDelay: true });
    this.#sockets.push(socket);
    const reader = new ReplyReader();
    let sentAt = 0;
    const send = (): void => {
      const request = this.#nextRequest();
      sentAt = performance.now();
      socket.write(request, 'latin1');
    };
    socket.on('data', (chunk) => {
      try {
        if (!reader.feed(chunk)) return;
        this.#tally.add(reader.status, performance.now() - sentAt);
        if (!this.#over) send();
      } catch (error) {
        this.#fail(error);
      }
    });
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('The server closed a connection')));
    await once(socket, 'connect');
    return send;
  }

  #nextRequest(): string {
    const { requests, numberMark } = this.#plan;
    const request = requests[this.#next++ % requests.length] ?? '';
    if (numberMark === undefined) return request;
    numbered += 1;
    return request.replace(numberMark, String(numbered));
  }

  #fail(error: unknown): void {
    if (!this.#over) this.#break(error);
  }
}

/**
 * Sends the plan's requests for its time and counts the replies.
 * Rejects when a connection breaks or a reply cannot be read: such a round measures nothing.
 */
export function runLoad(plan: LoadPlan): Promise<LoadResult> {
  return new LoadRound(plan).run();
}
