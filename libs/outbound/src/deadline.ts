import { fail } from '#libs/errors';

/** The end of a call: its time is over, or its caller aborts it. */
export interface Deadline {
  /** Its reason is the error to throw: OUTBOUND_TIMEOUT or REQUEST_ABORTED. */
  readonly signal: AbortSignal;
  /** Returns the promise's value, unless the call ends first. */
  race<T>(work: Promise<T>): Promise<T>;
  /** Releases the timer and the caller's signal. */
  close(): void;
}

/** Starts the timer of a call to `host`. The caller closes it. */
export function openDeadline(
  host: string,
  timeoutMs: number,
  given: AbortSignal | undefined,
): Deadline {
  const ended = new AbortController();
  const giveUp = (): void => ended.abort(fail('REQUEST_ABORTED', {}, { cause: given?.reason }));
  const timer = setTimeout(() => ended.abort(fail('OUTBOUND_TIMEOUT', { host })), timeoutMs);
  if (given?.aborted === true) giveUp();
  given?.addEventListener('abort', giveUp, { once: true });
  const { signal } = ended;
  return {
    signal,
    async race(work) {
      let stop = (): void => undefined;
      const end = new Promise<never>((_resolve, reject) => {
        stop = () => reject(signal.reason);
        signal.addEventListener('abort', stop, { once: true });
        if (signal.aborted) stop();
      });
      try {
        return await Promise.race([work, end]);
      } finally {
        signal.removeEventListener('abort', stop);
      }
    },
    close() {
      clearTimeout(timer);
      given?.removeEventListener('abort', giveUp);
    },
  };
}
