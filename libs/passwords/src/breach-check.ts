// Checks whether a password is part of a data breach, without sending it: the service receives the first five digits of
// its SHA-1 and returns all endings that it knows (k-anonymity).
import { createHash } from 'node:crypto';
import { fail } from '#libs/errors';
import type { HttpCall } from '#libs/wire';

/** The service that is commonly used; mirrors of it use the same protocol. */
export const defaultBreachUrl = 'https://api.pwnedpasswords.com/range/';

const prefixLength = 5;
const LINE = /^([0-9A-F]{35}):(\d+)$/i;

/** A line for the log of the project. */
export interface BreachLogEntry {
  readonly level: 'warn';
  readonly message: string;
  readonly cause: unknown;
}

export interface BreachCheckOptions {
  readonly call: HttpCall;
  /** The address without the digits, such as {@link defaultBreachUrl}. */
  readonly url?: string;
  /** Whether a password may be chosen while the service is unavailable. */
  readonly onFailure: 'allow' | 'refuse';
  readonly timeoutMs: number;
  readonly log: (entry: BreachLogEntry) => void;
}

export type BreachCheck = (password: string) => Promise<{ readonly isBreached: boolean }>;

/**
 * Returns a check against the service at `url`. If the service fails, the check logs it and returns that the password
 * is not breached, or throws BREACH_CHECK_UNAVAILABLE (503), depending on `onFailure`.
 */
export function createBreachCheck(options: BreachCheckOptions): BreachCheck {
  return async (password) => {
    const digest = createHash('sha1').update(password).digest('hex').toUpperCase();
    try {
      const endings = await askEndings(options, digest.slice(0, prefixLength));
      return { isBreached: endings.has(digest.slice(prefixLength)) };
    } catch (error) {
      if (options.onFailure === 'refuse') {
        throw fail('BREACH_CHECK_UNAVAILABLE', {}, { cause: error });
      }
      const message = 'The breach check failed; the password was accepted';
      options.log({ level: 'warn', message, cause: error });
      return { isBreached: false };
    }
  };
}

/**
 * Returns the endings of breached digests that begin with `prefix`. Throws if the service does not answer with a list.
 */
async function askEndings(
  { call, url = defaultBreachUrl, timeoutMs }: BreachCheckOptions,
  prefix: string,
): Promise<ReadonlySet<string>> {
  const response = await call({
    url: `${url.replace(/\/*$/, '/')}${prefix}`,
    // Padding keeps the length of the answer from revealing the prefix.
    headers: { 'add-padding': 'true', accept: 'text/plain' },
    timeoutMs,
  });
  if (response.status !== 200) {
    throw new Error(`the breach service answered with status ${response.status}`);
  }
  const endings = new Set<string>();
  for (const line of response.text.split(/\r?\n/)) {
    if (line === '') continue;
    const [, ending, count] = LINE.exec(line) ?? [];
    if (ending === undefined)
      throw new Error('the answer of the breach service is not a list of digests');
    // Padding lines have the count 0.
    if (Number(count) > 0) endings.add(ending.toUpperCase());
  }
  return endings;
}
