import { isRecord } from './json.js';

/** How often a read is retried, and how long each pause is. */
export interface RetryPolicy {
  readonly maxRetries: number;
  /** The longest first pause; each further one may be twice as long. The actual pause is random below it. */
  readonly firstPauseMs: number;
  readonly maxPauseMs: number;
  /** If the server asks for a longer pause, the request is not retried: the caller receives the answer now. */
  readonly maxRetryAfterMs: number;
}

export const defaultRetryPolicy: RetryPolicy = {
  maxRetries: 3,
  firstPauseMs: 250,
  maxPauseMs: 2_000,
  maxRetryAfterMs: 10_000,
};

/** Overloaded or restarting (503), and the same from a proxy in front of it (520). */
const passing = new Set([503, 520]);

/**
 * Runs an attempt again after a network failure, a 503 or a 520. `Retry-After` is the pause if the server sends it (RFC
 * 9110 §10.2.3). Ends at once if the signal aborts.
 */
export async function withRetries<A extends Pick<Response, 'status' | 'headers'>>(
  attempt: () => Promise<A>,
  policy: RetryPolicy,
  signal: AbortSignal | undefined,
): Promise<A> {
  for (let retries = 0; ; retries += 1) {
    const isLast = retries === policy.maxRetries;
    let pauseMs = randomPauseMs(policy, retries);
    // The next attempt depends on the result of this one.
    try {
      const answer = await attempt();
      if (isLast || !passing.has(answer.status)) return answer;
      pauseMs = retryAfterMs(answer.headers.get('retry-after')) ?? pauseMs;
      if (pauseMs > policy.maxRetryAfterMs) return answer;
    } catch (thrown) {
      if (isLast || wasAborted(thrown, signal)) throw thrown;
    }
    await pause(pauseMs, signal);
  }
}

function wasAborted(thrown: unknown, signal: AbortSignal | undefined): boolean {
  const name = isRecord(thrown) ? thrown['name'] : undefined;
  return signal?.aborted === true || name === 'AbortError' || name === 'TimeoutError';
}

/** A random time below the limit, which doubles with each attempt. */
export function randomPauseMs(
  { firstPauseMs, maxPauseMs }: Pick<RetryPolicy, 'firstPauseMs' | 'maxPauseMs'>,
  retries: number,
): number {
  return Math.random() * Math.min(maxPauseMs, firstPauseMs * 2 ** retries);
}

/** The pause in a `Retry-After` header, which contains seconds or a date. */
function retryAfterMs(header: string | null): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
