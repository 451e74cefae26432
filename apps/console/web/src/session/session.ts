// The session of this tab: a bearer token in memory, and in the session storage so that a reload keeps it. It is never
// in a URL, a cookie or the local storage. It ends with a sign-out, after idle time, and when the server refuses it.
import { useSyncExternalStore } from 'react';

/** Why the last session of this tab has ended. */
export type Ending = 'signed-out' | 'idle' | 'ended';

export interface Session {
  readonly token: string;
  /** Nothing but the change of the password is open. */
  readonly mustChangePassword: boolean;
  /** The publishable key, at the studio of a project that takes no request without one. */
  readonly projectKey?: string | undefined;
}

interface State {
  readonly session: Session | undefined;
  readonly ending: Ending | undefined;
}

const storageKey = 'rowhouse.session';
/** What screens keep in the session storage has keys with this beginning. A sign-out removes it. */
export const keptPrefix = 'rowhouse.kept.';
const listeners = new Set<() => void>();
let state: State = { session: stored(), ending: undefined };

export function currentToken(): string | undefined {
  return state.session?.token;
}

export function currentSession(): Session | undefined {
  return state.session;
}

export function startSession(session: Session): void {
  window.sessionStorage.setItem(storageKey, JSON.stringify(session));
  change({ session, ending: undefined });
}

/**
 * Goes on under `token` after the session of `before` was changed. Returns whether that session is still the current
 * one: an answer that comes after a sign-out starts no session.
 */
export function continueSession(before: string | undefined, token: string): boolean {
  if (before === undefined || currentToken() !== before) return false;
  startSession({ ...state.session, token, mustChangePassword: false });
  return true;
}

export function endSession(ending: Ending): void {
  window.sessionStorage.removeItem(storageKey);
  // Texts that were not saved outlive the idle time: another operator does not find them, by their keys.
  if (ending === 'signed-out') forgetKept();
  if (state.session) change({ session: undefined, ending });
}

function forgetKept(): void {
  for (const key of Object.keys(window.sessionStorage)) {
    if (key.startsWith(keptPrefix)) window.sessionStorage.removeItem(key);
  }
}

/** Calls `listener` after each change; returns how to stop that. */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useSession(): State {
  return useSyncExternalStore(onSessionChange, () => state);
}

function change(next: State): void {
  state = next;
  for (const listener of listeners) listener();
}

function stored(): Session | undefined {
  const text = window.sessionStorage.getItem(storageKey);
  if (text === null) return undefined;
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || !('token' in value)) return undefined;
  const { token } = value;
  if (typeof token !== 'string') return undefined;
  const projectKey = 'projectKey' in value ? value.projectKey : undefined;
  return {
    token,
    mustChangePassword: 'mustChangePassword' in value && value.mustChangePassword === true,
    ...(typeof projectKey === 'string' && { projectKey }),
  };
}
