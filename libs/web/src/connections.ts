// Limits on connections, the same in both applications.
import { BlockList, isIP, isIPv6, type Socket } from 'node:net';
import type { IncomingMessage, Server } from 'node:http';

import { networkOf } from '#libs/wire';

/**
 * Connections that one address, or one network of 64 bits of IPv6, may have open. Browsers open six for each host,
 * servers some hundred; an office behind one address has enough for a few hundred people.
 */
const maxConnectionsPerAddress = 1_000;
/** Time for the request line and the headers. */
const headersMs = 15_000;
/** How often Node.js looks for connections over these limits. */
const checkMs = 5_000;

/** Options of the HTTP server. Bodies have separate limits, because uploads may take long. */
export const connectionTimeouts = {
  headersTimeout: headersMs,
  requestTimeout: 0,
  connectionsCheckingInterval: checkMs,
} as const;

/**
 * Closes connections beyond `max` of one client ({@link networkOf}) as they are opened. Trusted proxies are exempt: they
 * carry the connections of many clients.
 */
export function limitConnections(
  server: Server,
  trustProxy: readonly string[],
  max = maxConnectionsPerAddress,
): void {
  const proxies = addressList(trustProxy);
  const countByClient = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress;
    if (address === undefined || isListed(proxies, address)) return;
    const client = networkOf(address);
    const count = (countByClient.get(client) ?? 0) + 1;
    if (count > max) {
      socket.destroy();
      return;
    }
    countByClient.set(client, count);
    socket.once('close', () => {
      const left = (countByClient.get(client) ?? 1) - 1;
      if (left === 0) countByClient.delete(client);
      else countByClient.set(client, left);
    });
  });
}

/**
 * Returns a function that finds the network of the client of a request ({@link networkOf}): that of the connection, or
 * behind trusted proxies that of the last address in `x-forwarded-for` that belongs to none of them.
 */
export function clientNetworks(
  trustProxy: readonly string[],
): (request: IncomingMessage) => string | undefined {
  const proxies = addressList(trustProxy);
  return ({ socket, headers }) => {
    let address = socket.remoteAddress;
    // Node.js joins several headers of this name.
    const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
    while (address !== undefined && isListed(proxies, address)) {
      const before = forwarded.pop()?.trim();
      if (before === undefined || isIP(before) === 0) break;
      address = before;
    }
    return address === undefined ? undefined : networkOf(address);
  };
}

function addressList(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

function isListed(list: BlockList, address: string): boolean {
  return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
