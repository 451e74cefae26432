import { Resolver } from 'node:dns/promises';

import { recordsOf } from './dns-records.js';

/** What the name servers say of the TXT records of a name. */
export interface TxtAnswer {
  /** Empty if there is no record, or no server answers in time. */
  readonly texts: readonly string[];
  /** Set if the name servers gave no usable answer: the code of the resolver, such as `ETIMEOUT`. */
  readonly failure?: string;
}

export type ReadTxt = (name: string) => Promise<TxtAnswer>;

const defaultTimeoutMs = 3_000;
const tries = 2;

/**
 * Returns a function that reads TXT records over DNS. `servers` are addresses with an optional port; absent: those of
 * the system. A try takes at most 3 s.
 */
export function txtReader(
  options: { readonly servers?: readonly string[]; readonly timeoutMs?: number } = {},
): ReadTxt {
  const { servers = [], timeoutMs = defaultTimeoutMs } = options;
  return async (name) => {
    const resolver = new Resolver({ timeout: timeoutMs, tries });
    if (servers.length > 0) resolver.setServers([...servers]);
    const { records, ...failed } = await recordsOf(resolver.resolveTxt(name));
    // A record longer than 255 bytes is split into strings.
    return { texts: records.map((pieces) => pieces.join('').trim()), ...failed };
  };
}
