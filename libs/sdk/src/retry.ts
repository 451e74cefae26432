import { isRecord } from './json.js';

/** How often a request that changes nothing is sent again, and how long each pause is. */
export interface RetryPolicy {
  readonly maxRetries: number;
  /** The longest first pause; each further one may be twice as long. The pause is drawn at random below it. */
  readonly firstPauseMs: number;
  readonly maxPauseMs: number;
  /** A server that asks for a longer pause gets no second request: the caller has its answer now. */
  readonly maxRetryAfterMs: number;
}

export const defaultRetryPolicy: RetryPolicy = {
  maxRetries: 3,
  firstPauseMs: 250,
  maxPauseMs: 2_000,
  maxRetryAfterMs: 10_000,
};

/** Overloaded or being restarted (503), and the same as a proxy in front puts it (520). */
const passing = new Set([503, 520]);

/**
 * Runs an attempt again after a network fault, a 503 or a 520. `Retry-After` is the pause when the server
 * names one (RFC 9110 §10.2.3). Ends at once when the signal aborts.
 */
export async function withRetries<A extends Pick<Response, 'status' | 'headers'>>(
  attempt: () => Promise<A>,
  policy: RetryPolicy,
  signal: AbortSignal | undefined,
): Promise<A> {
  for (let retries = 0; ; retries += 1) {
    const isLast = retries === policy.maxRetries;
    let pauseMs = randomPauseMs(policy, retries);
    // The next attempt depends on how this one ended.
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

function randomPauseMs({ firstPauseMs, maxPauseMs }: RetryPolicy, retries: number): number {
  return Math.random() * Math.min(maxPauseMs, firstPauseMs * 2 ** retries);
}

/** The pause of a `Retry-After` header, which holds seconds or a date. */
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
