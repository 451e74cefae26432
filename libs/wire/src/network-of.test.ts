import { expect, test } from 'vitest';

import { networkOf } from './network-of.js';

test.each([
  { address: '203.0.113.9', network: '203.0.113.9' },
  { address: '::ffff:203.0.113.9', network: '203.0.113.9' },
  { address: '::FFFF:cb00:7109', network: '203.0.113.9' },
  { address: '0:0:0:0:0:ffff:203.0.113.9', network: '203.0.113.9' },
  { address: '2001:db8:1:2:3:4:5:6', network: '2001:db8:1:2::/64' },
  { address: '2001:0DB8:0001:0002::9', network: '2001:db8:1:2::/64' },
  { address: '2001:db8::1', network: '2001:db8:0:0::/64' },
  { address: '2001:db8:0:0:1::', network: '2001:db8:0:0::/64' },
  { address: '::1', network: '0:0:0:0::/64' },
  { address: '::', network: '0:0:0:0::/64' },
  { address: '64:ff9b::203.0.113.9', network: '64:ff9b:0:0::/64' },
  { address: 'fe80::1%eth0', network: 'fe80:0:0:0::/64' },
  { address: 'unknown', network: 'unknown' },
  { address: '', network: '' },
])('$address is in $network', ({ address, network }) => {
  expect(networkOf(address)).toBe(network);
});
