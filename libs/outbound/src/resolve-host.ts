// From a host to the addresses that the connection may go to. A name is looked up once; what was checked
// here is what is connected to.
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

/** The addresses of a name. Rejects when there is none. */
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

/** Names of the operator's own network may stand in the hosts file or in another place that only the system knows. */
function askSystem(name: string): Promise<readonly HostAddress[]> {
  return lookupAsSystem(name, { all: true });
}

/**
 * Asks the DNS servers directly. The system's lookup takes one of the few threads of the process, which
 * hash passwords too, and a name server that answers slowly would hold it for as long as it likes.
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
