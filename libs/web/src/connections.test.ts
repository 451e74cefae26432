import { createServer, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

import { expect, test } from 'vitest';

import { clientNetworks, limitConnections } from './connections.js';

/** Whether each connection from one of the addresses stays open, with a limit of two. */
function keptOf(addresses: readonly string[], trustProxy: readonly string[] = []): boolean[] {
  const server = createServer();
  // No connection here sends a request.
  server.removeAllListeners('connection');
  limitConnections(server, trustProxy, 2);
  return addresses.map((remoteAddress) => {
    const socket = new Socket();
    Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress });
    server.emit('connection', socket);
    return !socket.destroyed;
  });
}

test.each([
  {
    name: 'an IPv4 address is one client',
    addresses: ['203.0.113.9', '203.0.113.9', '203.0.113.9', '203.0.113.8'],
    kept: [true, true, false, true],
  },
  {
    name: 'a /64 of IPv6 is one client',
    addresses: ['2001:db8:1:2::1', '2001:db8:1:2::2', '2001:db8:1:2:ffff::3', '2001:db8:1:3::1'],
    kept: [true, true, false, true],
  },
  {
    name: 'an IPv4 address is the same over an IPv6 socket',
    addresses: ['203.0.113.9', '::ffff:203.0.113.9', '::ffff:203.0.113.9', '::ffff:203.0.113.8'],
    kept: [true, true, false, true],
  },
  {
    name: 'a trusted proxy is not counted',
    trustProxy: ['2001:db8:1:2::1'],
    addresses: ['2001:db8:1:2::1', '2001:db8:1:2::1', '2001:db8:1:2::1'],
    kept: [true, true, true],
  },
])('$name', ({ addresses, trustProxy, kept }) => {
  expect(keptOf(addresses, trustProxy)).toEqual(kept);
});

test.each([
  { name: 'that of the connection', from: '203.0.113.9', network: '203.0.113.9' },
  { name: '64 bits of IPv6', from: '2001:db8:1:2::1', network: '2001:db8:1:2::/64' },
  {
    name: 'not what a client says of itself',
    from: '203.0.113.9',
    forwarded: '198.51.100.1',
    network: '203.0.113.9',
  },
  {
    name: 'what a trusted proxy says',
    from: '10.0.0.1',
    forwarded: '198.51.100.1',
    network: '198.51.100.1',
  },
  {
    name: 'what the first of several trusted proxies says',
    from: '10.0.0.1',
    forwarded: '192.0.2.66, 198.51.100.1, 10.0.0.2',
    network: '198.51.100.1',
  },
  {
    name: 'that of the proxy when it says something else',
    from: '10.0.0.1',
    forwarded: 'unknown',
    network: '10.0.0.1',
  },
  { name: 'that of the proxy when it says nothing', from: '10.0.0.1', network: '10.0.0.1' },
])('the network of a client is $name', ({ from, forwarded, network }) => {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: from });
  const request = new IncomingMessage(socket);
  if (forwarded !== undefined) request.headers['x-forwarded-for'] = forwarded;
  expect(clientNetworks(['10.0.0.0/8'])(request)).toBe(network);
});
