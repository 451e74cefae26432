import { Resolver } from 'node:dns/promises';

/** The texts of the TXT records of a name. Empty when there is none or no server answers in time. */
export type ReadTxt = (name: string) => Promise<readonly string[]>;

const defaultTimeoutMs = 3_000;
const tries = 2;

/** Codes of a name without such a record, and of servers that do not answer. */
const NO_ANSWER: ReadonlySet<unknown> = new Set([
  'ENOTFOUND',
  'ENODATA',
  'ESERVFAIL',
  'EREFUSED',
  'EFORMERR',
  'EBADNAME',
  'EBADRESP',
  'ETIMEOUT',
  'ECONNREFUSED',
]);

/**
 * Returns a function that reads TXT records over DNS.
 * `servers` are addresses with an optional port; absent: those of the system. A try takes 3 s at most.
 */
export function txtReader(
  options: { readonly servers?: readonly string[]; readonly timeoutMs?: number } = {},
): ReadTxt {
  const { servers = [], timeoutMs = defaultTimeoutMs } = options;
  return async (name) => {
    const resolver = new Resolver({ timeout: timeoutMs, tries });
    if (servers.length > 0) resolver.setServers([...servers]);
    try {
      // A record longer than 255 bytes comes in pieces.
      return (await resolver.resolveTxt(name)).map((pieces) => pieces.join('').trim());
    } catch (error) {
      const code: unknown =
        typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
      if (NO_ANSWER.has(code)) return [];
      throw error;
    }
  };
}
