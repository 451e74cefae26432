// Limits on connections, the same in both applications.
import { BlockList, isIPv6, type Socket } from 'node:net';
import type { Server } from 'node:http';

/**
 * Connections that one address may have open. Browsers open six for each host, servers some hundred; an office behind
 * one address has enough for a few hundred people.
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
 * Closes connections beyond `max` of one address as they are opened. Trusted proxies are exempt: they carry the
 * connections of many clients.
 */
export function limitConnections(
  server: Server,
  trustProxy: readonly string[],
  max = maxConnectionsPerAddress,
): void {
  const proxies = addressList(trustProxy);
  const countByAddress = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress;
    if (address === undefined || isListed(proxies, address)) return;
    const count = (countByAddress.get(address) ?? 0) + 1;
    if (count > max) {
      socket.destroy();
      return;
    }
    countByAddress.set(address, count);
    socket.once('close', () => {
      const left = (countByAddress.get(address) ?? 1) - 1;
      if (left === 0) countByAddress.delete(address);
      else countByAddress.set(address, left);
    });
  });
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
