// Whether a password is known from a data breach, asked of a service without telling it the password: it
// gets the first five digits of the SHA-1 and answers all endings that it knows (k-anonymity).
import { createHash } from 'node:crypto';
import { fail } from '#libs/errors';
import type { HttpCall } from '#libs/wire';

/** The service that most of the world uses; a mirror of it speaks the same protocol. */
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
  /** What stands before the digits in the address, such as {@link defaultBreachUrl}. */
  readonly url?: string;
  /** Whether a password may be chosen while the service cannot be asked. */
  readonly onFailure: 'allow' | 'refuse';
  readonly timeoutMs: number;
  readonly log: (entry: BreachLogEntry) => void;
}

export type BreachCheck = (password: string) => Promise<{ readonly isBreached: boolean }>;

/**
 * A check against the service at `url`. When the service fails, the check answers that the password is not
 * breached and logs it, or throws BREACH_CHECK_UNAVAILABLE (503), as `onFailure` says.
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
      const message = 'The breach check failed; the password was let through';
      options.log({ level: 'warn', message, cause: error });
      return { isBreached: false };
    }
  };
}

/** The endings of breached passwords whose digest begins with `prefix`. Throws when the service does not tell. */
async function askEndings(
  { call, url = defaultBreachUrl, timeoutMs }: BreachCheckOptions,
  prefix: string,
): Promise<ReadonlySet<string>> {
  const response = await call({
    url: `${url.replace(/\/*$/, '/')}${prefix}`,
    // Padding hides from the length of the answer which prefix was asked for.
    headers: { 'add-padding': 'true', accept: 'text/plain' },
    timeoutMs,
  });
  if (response.status !== 200) {
    throw new Error(`the breach service answered ${response.status}`);
  }
  const endings = new Set<string>();
  for (const line of response.text.split(/\r?\n/)) {
    if (line === '') continue;
    const [, ending, count] = LINE.exec(line) ?? [];
    if (ending === undefined) throw new Error('the breach service answered no list of digests');
    // Padding has the count 0.
    if (Number(count) > 0) endings.add(ending.toUpperCase());
  }
  return endings;
}
