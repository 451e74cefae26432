// Watches for stretches in which the process answers nobody, and says which routes were being worked on.
import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { MatchedRoute } from './matched-route.js';

/** Stretches longer than this are logged. */
const maxStretchMs = 50;
const tickMs = 20;
/** How many marks are kept between two ticks; a busy server sets more, and the latest count. */
const maxMarks = 64;
const maxNamed = 5;

/**
 * Logs a warning when one synchronous stretch was longer than `maxStretchMs`. A timer that is late tells of the
 * stretch; requests leave a mark when they begin, when their body was read, and when they are answered, so the
 * routes with a mark since the timer was last in time are those that may have caused it. It is a suspicion:
 * with several of them it is any one; with none it is background work, or a machine that was busy with something
 * else, for which `cpuMs` is much smaller than `heldMs`.
 */
export function watchLoop(server: FastifyInstance): void {
  const marks: (MatchedRoute | undefined)[] = Array.from({ length: maxMarks });
  let count = 0;
  let last = performance.now();
  let cpu = process.cpuUsage();
  const mark = ({ matched }: FastifyRequest): void => {
    marks[count % maxMarks] = matched;
    count += 1;
  };
  const tick = (): void => {
    const now = performance.now();
    const heldMs = now - last - tickMs;
    const spent = process.cpuUsage(cpu);
    if (heldMs > maxStretchMs) {
      const cpuMs = Math.round((spent.user + spent.system) / 1000);
      server.log.warn(
        { heldMs: Math.round(heldMs), cpuMs, suspects: suspectsOf(marks.slice(0, count)) },
        'The event loop was held: no project was answered meanwhile',
      );
    }
    count = 0;
    last = now;
    cpu = process.cpuUsage();
  };
  const timer = setInterval(tick, tickMs).unref();
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
  server.addHook('onClose', (_server, done) => {
    clearInterval(timer);
    done();
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
