import { URI } from 'otpauth';

/** The code that an authenticator app shows for an `otpauth://totp/…` URI. Throws when the URI is none. */
export function codeFor(uri: string, { at = new Date() }: { readonly at?: Date } = {}): string {
  const entry = URI.parse(uri);
  if (!('period' in entry)) throw new Error(`a counter is no clock: ${uri}`);
  return entry.generate({ timestamp: at.getTime() });
}

/**
 * The code of a later (or, below zero, earlier) step. A code is good for one sign-in only, so the next sign-in
 * of a test takes that of the next step: servers accept the neighbors of the current one.
 */
export function codeAfter(uri: string, steps: number): string {
  const entry = URI.parse(uri);
  if (!('period' in entry)) throw new Error(`a counter is no clock: ${uri}`);
  return entry.generate({ timestamp: Date.now() + steps * entry.period * 1000 });
}
