// Logs when the event loop was blocked, and which routes may have blocked it. A process has one event loop, which its
// applications share, so it opens one watch and lets each application report its requests.
import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { MatchedRoute } from './matched-route.js';

/** Longer blocks are logged. */
const maxBlockMs = 50;
const tickMs = 20;
/** How many marks are kept between two ticks. A busy server sets more; only the last ones count. */
const maxMarks = 64;
const maxNamed = 5;

export interface LoopWatch {
  /** Marks the routes of the requests to `server`. */
  observe(server: FastifyInstance): void;
  /** Begins to watch. Blocks during the start of the process affect no request, so it begins later. */
  start(): void;
  close(): void;
}

/** The part of a logger that a watch needs. */
interface Log {
  warn(fields: object, message: string): void;
}

/**
 * Returns a watch that logs a warning after each block of more than `maxBlockMs`: a timer fires late. Requests leave a
 * mark when they begin, when their body is read, and when they are answered. The routes with a mark since the last
 * timer are suspects. Without a suspect the cause is background work or a busy machine; then `cpuMs` is much smaller
 * than `blockedMs`.
 */
export function watchLoop(log: Log): LoopWatch {
  const marks: (MatchedRoute | undefined)[] = Array.from({ length: maxMarks });
  let count = 0;
  let last = 0;
  let cpu = process.cpuUsage();
  let timer: NodeJS.Timeout | undefined;
  const begin = (now: number): void => {
    count = 0;
    last = now;
    cpu = process.cpuUsage();
  };
  const tick = (): void => {
    const now = performance.now();
    const blockedMs = Math.round(now - last - tickMs);
    if (blockedMs > maxBlockMs) {
      const spent = process.cpuUsage(cpu);
      const cpuMs = Math.round((spent.user + spent.system) / 1000);
      const suspects = suspectsOf(marks.slice(0, count));
      log.warn({ blockedMs, cpuMs, suspects }, `The event loop was blocked for ${blockedMs} ms`);
    }
    begin(now);
  };
  const mark = ({ matched }: FastifyRequest): void => {
    marks[count % maxMarks] = matched;
    count += 1;
  };
  return {
    observe: (server) => observe(server, mark),
    start() {
      begin(performance.now());
      timer = setInterval(tick, tickMs).unref();
    },
    close: () => clearInterval(timer),
  };
}

function observe(server: FastifyInstance, mark: (request: FastifyRequest) => void): void {
  server.addHook('onRequest', (request, _reply, done) => {
    mark(request);
    done();
  });
  server.addHook('preValidation', (request, _reply, done) => {
    mark(request);
    done();
  });
  server.addHook('onSend', (request, _reply, payload, done) => {
    mark(request);
    done(null, payload);
  });
}

/** The routes, the most frequent first. */
function suspectsOf(marks: readonly (MatchedRoute | undefined)[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const mark of marks) {
    if (!mark) continue;
    const name = mark.url ?? '(no route)';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a);
  return sorted.slice(0, maxNamed).map(([name]) => name);
}
