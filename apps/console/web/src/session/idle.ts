// Ends a session in which nothing was typed, clicked or scrolled for half an hour, and warns before. The time of the
// last use is stored, so that a machine that slept and a page that is loaded again count too.
import { useSyncExternalStore } from 'react';

import { currentSession } from './session.js';

export const idleMinutes = 30;
/** How long before the end the page warns. */
export const warningMinutes = 2;

const minuteMs = 60_000;
const idleMs = idleMinutes * minuteMs;
const warnedMs = idleMs - warningMinutes * minuteMs;
const checkMs = 10_000;
/** The time is not written more often than this. */
const noteMs = 5_000;
const storageKey = 'rowhouse.used';
const uses = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const;

const listeners = new Set<() => void>();
let isWarned = false;

/** Whether the session in the storage was used last too long ago. */
export function isIdle(): boolean {
  return unusedMs() >= idleMs;
}

/** The session is in use: a sign-in, or the first page of a tab. */
export function noteUse(): void {
  window.sessionStorage.setItem(storageKey, String(Date.now()));
  warn(false);
}

/** Calls `onIdle` when a session has been idle for too long; from now until the page is left. */
export function watchIdle(onIdle: () => void): void {
  let notedAt = Date.now();
  const check = (): void => {
    const hasSession = currentSession() !== undefined;
    warn(hasSession && !isIdle() && unusedMs() >= warnedMs);
    if (hasSession && isIdle()) onIdle();
  };
  const note = (): void => {
    check();
    // While the page warns, its dialog keeps the session: it must not vanish under the pointer.
    if (isWarned && document.querySelector('[role=alertdialog]')) return;
    if (Date.now() - notedAt < noteMs) return;
    notedAt = Date.now();
    noteUse();
  };
  for (const use of uses) window.addEventListener(use, note, { capture: true, passive: true });
  document.addEventListener('visibilitychange', () => {
    // A page that is being left cannot wait for the server: the next one ends the session.
    if (document.visibilityState === 'visible') check();
  });
  window.setInterval(check, checkMs);
}

/** Whether the session ends in `warningMinutes` unless it is used. */
export function useIdleWarning(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isWarned,
  );
}

function unusedMs(): number {
  const usedAt = Number(window.sessionStorage.getItem(storageKey) ?? 0);
  return usedAt > 0 ? Date.now() - usedAt : 0;
}

function warn(next: boolean): void {
  if (isWarned === next) return;
  isWarned = next;
  for (const listener of listeners) listener();
}
