import { expect, test } from 'vitest';
import { resolveAddress } from './resolve-address.js';

test.each([
  { name: 'a public address', host: '203.0.112.7', is: '203.0.112.7' },
  { name: 'a public IPv6 address', host: '2606:4700::1111', is: '2606:4700::1111' },
  {
    name: 'a private address that the operator allows',
    host: '127.0.0.1',
    allowed: ['127.0.0.1'],
    is: '127.0.0.1',
  },
])('$name is itself', async ({ host, allowed = [], is }) => {
  await expect(resolveAddress(host, 587, { allowedHosts: allowed })).resolves.toBe(is);
});

test.each([
  { name: 'this machine', host: '127.0.0.1' },
  { name: 'this machine in IPv6', host: '::1' },
  { name: 'a private network', host: '10.1.2.3' },
  { name: 'this machine inside IPv6', host: '::ffff:127.0.0.1' },
])('$name is refused', async ({ host }) => {
  await expect(resolveAddress(host, 25, { allowedHosts: [] })).rejects.toMatchObject({
    code: 'OUTBOUND_REFUSED',
  });
});

test('another port of an allowed host and port is refused', async () => {
  const allowedHosts = ['127.0.0.1:587'];
  await expect(resolveAddress('127.0.0.1', 587, { allowedHosts })).resolves.toBe('127.0.0.1');
  await expect(resolveAddress('127.0.0.1', 25, { allowedHosts })).rejects.toMatchObject({
    code: 'OUTBOUND_REFUSED',
  });
});
