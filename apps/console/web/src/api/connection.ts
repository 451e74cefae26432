// Whether the server can be reached. A request without an answer has it checked; while it cannot, it is checked again
// and again, and the shell says so.
import { useSyncExternalStore } from 'react';

const answerMs = 10_000;
const retryMs = 2_000;
const listeners = new Set<() => void>();
let isLost = false;
let timer: number | undefined;
let check: Promise<void> | undefined;

/** Asks for the page itself: a failed request proves nothing, because the browser may have blocked it. */
export function checkConnection(): Promise<void> {
  check ??= hasAnswer().then((answers) => {
    check = undefined;
    if (isLost === !answers) return;
    isLost = !answers;
    window.clearInterval(timer);
    if (isLost) timer = window.setInterval(() => void checkConnection(), retryMs);
    for (const listener of listeners) listener();
  });
  return check;
}

/** Has the connection checked if a proxy says that it does not reach the server. */
export function checkAfter({ status }: Response): void {
  if (isOfProxy(status)) void checkConnection();
}

export function useIsLost(): boolean {
  return useSyncExternalStore(subscribe, () => isLost);
}

export const isConnectionLost = (): boolean => isLost;

/** Resolves when the server can be reached. */
export function untilConnected(): Promise<void> {
  if (!isLost) return Promise.resolve();
  return new Promise((resolve) => {
    const unsubscribe = subscribe(() => {
      if (isLost) return;
      unsubscribe();
      resolve();
    });
  });
}

async function hasAnswer(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(answerMs);
    const { status } = await fetch(document.baseURI, { cache: 'no-store', signal });
    return !isOfProxy(status);
  } catch (error) {
    if (error instanceof TypeError || error instanceof DOMException) return false;
    throw error;
  }
}

const isOfProxy = (status: number): boolean => status >= 502 && status <= 504;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
