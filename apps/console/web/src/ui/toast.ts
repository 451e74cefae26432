// Short messages about what was done, with the way back. toasts.tsx shows them.
import { useSyncExternalStore } from 'react';

import { asProblem } from '../api/problem.js';

interface Toast {
  readonly text: string;
  readonly kind: 'done' | 'failed';
  /** The way back, and its name. */
  readonly undo?: { readonly label: string; readonly run: () => void };
}

export interface NumberedToast extends Toast {
  readonly id: number;
}

const shownAtOnce = 3;
const listeners = new Set<() => void>();
let toasts: readonly NumberedToast[] = [];
let lastId = 0;

export function showToast(toast: Toast): void {
  lastId += 1;
  change([...toasts.slice(1 - shownAtOnce), { ...toast, id: lastId }]);
}

/** What has failed, what to do about it, and which request it was. */
export function showProblem(thrown: unknown): void {
  const { message, hint, requestId } = asProblem(thrown);
  const parts = [message, hint, requestId && `Request ${requestId}`];
  showToast({ kind: 'failed', text: parts.filter(Boolean).join(' ') });
}

export function closeToast(id: number): void {
  change(toasts.filter((toast) => toast.id !== id));
}

/** After a sign-out nothing of the session is left on the page. */
export function clearToasts(): void {
  change([]);
}

export function useToasts(): readonly NumberedToast[] {
  return useSyncExternalStore(subscribe, () => toasts);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function change(next: readonly NumberedToast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}
