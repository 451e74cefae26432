import { useEffect, useState } from 'react';

/** As long as a browser that is busy, or that does not say when it is idle, is waited for. */
const maxMs = 2_000;
const unknownMs = 200;

/** Runs what is not urgent when the browser has nothing to do, such as the load of code. Returns what prevents it. */
export function whenIdle(run: () => void): () => void {
  // Safari does not have it.
  if (typeof window.requestIdleCallback !== 'function') {
    const timer = window.setTimeout(run, unknownMs);
    return () => window.clearTimeout(timer);
  }
  const handle = window.requestIdleCallback(run, { timeout: maxMs });
  return () => window.cancelIdleCallback(handle);
}

/** Whether the browser has had nothing to do since the component was drawn: for requests that nothing waits for. */
export function useWasIdle(): boolean {
  const [wasIdle, setIdle] = useState(false);
  useEffect(() => whenIdle(() => setIdle(true)), []);
  return wasIdle;
}
