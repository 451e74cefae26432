// Resolves a host to the addresses that the connection may use. A name is looked up once; the connection goes to the
// addresses that were checked.
import { lookup as lookupAsSystem, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { hostnameOf, isAllowedHost, notPublic } from './check-url.js';
import { isPublicAddress } from './public-address.js';

const dnsTimeoutMs = 2000;
const dnsTries = 2;

export interface HostAddress {
  readonly address: string;
  readonly family: number;
}

/** Returns the addresses of a name. Rejects if there is none. */
export type Lookup = (name: string, signal: AbortSignal) => Promise<readonly HostAddress[]>;

/**
 * The addresses of a URL that has passed `checkOutboundUrl`. Throws OUTBOUND_REFUSED when one of them is
 * not public and the host is not an allowed one; one bad address is enough, because a server that mixes
 * them is up to something. `lookup` is used for all names; by default {@link askNameServers}, and the system's way
 * for allowed hosts.
 */
export async function resolveHost(
  url: URL,
  allowedHosts: readonly string[],
  signal: AbortSignal,
  lookup?: Lookup,
): Promise<readonly HostAddress[]> {
  const hostname = hostnameOf(url);
  const family = isIP(hostname);
  if (family !== 0) return [{ address: hostname, family }];
  const isAllowed = isAllowedHost(url, allowedHosts);
  const find = lookup ?? (isAllowed ? askSystem : askNameServers);
  const addresses = await find(hostname, signal);
  if (addresses.length === 0) throw new Error('the name has no address');
  if (!isAllowed && !addresses.every(({ address }) => isPublicAddress(address))) {
    throw notPublic(url.host);
  }
  return addresses;
}

/** Names of the operator's own network may be in the hosts file or in another source that only the system reads. */
function askSystem(name: string): Promise<readonly HostAddress[]> {
  return lookupAsSystem(name, { all: true });
}

/**
 * Queries the DNS servers directly. The lookup of the system occupies one of the few threads of the process, which also
 * hash passwords, and a slow name server would hold it.
 */
async function askNameServers(name: string, signal: AbortSignal): Promise<readonly HostAddress[]> {
  const resolver = new Resolver({ timeout: dnsTimeoutMs, tries: dnsTries });
  const cancel = (): void => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const [ipv4, ipv6] = await Promise.allSettled([
      resolver.resolve4(name),
      resolver.resolve6(name),
    ]);
    if (ipv4.status === 'rejected' && ipv6.status === 'rejected') throw ipv4.reason;
    return [...addressesOf(ipv4, 4), ...addressesOf(ipv6, 6)];
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

function addressesOf(
  found: PromiseSettledResult<readonly string[]>,
  family: number,
): readonly HostAddress[] {
  if (found.status === 'rejected') return [];
  return found.value.map((address) => ({ address, family }));
}
