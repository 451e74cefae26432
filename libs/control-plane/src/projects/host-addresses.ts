import { Resolver } from 'node:dns/promises';

import { recordsOf } from './dns-records.js';

/** Where the name servers say that a host name leads. */
export interface HostAnswer {
  /** The name that its CNAME record has; null without such a record. */
  readonly alias: string | null;
  /** Of its A and AAAA records, also those behind the alias. */
  readonly addresses: readonly string[];
  /** Set if the name servers gave no usable answer: the code of the resolver, such as `ETIMEOUT`. */
  readonly failure?: string;
}

export type ReadHost = (name: string) => Promise<HostAnswer>;

/** How long the name servers have for all questions about a name. An operator waits for the answer. */
const defaultDeadlineMs = 4_000;

/**
 * Returns a function that reads the addresses of a host name over DNS; files of the machine such as `/etc/hosts` do not
 * count. `servers` are addresses with an optional port; absent: those of the system.
 */
export function hostReader(
  options: { readonly servers?: readonly string[]; readonly deadlineMs?: number } = {},
): ReadHost {
  const { servers = [], deadlineMs = defaultDeadlineMs } = options;
  return async (name) => {
    const resolver = new Resolver({ timeout: deadlineMs, tries: 1 });
    if (servers.length > 0) resolver.setServers([...servers]);
    const deadline = setTimeout(() => resolver.cancel(), deadlineMs);
    try {
      const [v4, v6, aliases] = await Promise.all([
        recordsOf(resolver.resolve4(name)),
        recordsOf(resolver.resolve6(name)),
        recordsOf(resolver.resolveCname(name)),
      ]);
      const addresses = [...v4.records, ...v6.records];
      const failure = addresses.length > 0 ? undefined : (v4.failure ?? v6.failure);
      const alias = aliases.records[0]?.toLowerCase() ?? null;
      return { alias, addresses, ...(failure !== undefined && { failure }) };
    } finally {
      clearTimeout(deadline);
    }
  };
}
