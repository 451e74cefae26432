// Which addresses are public. All others belong to this machine or its network, or are unassigned, and must not be
// called by a URL that an administrator of a project has entered.
import { BlockList, isIP } from 'node:net';

/** Ranges that are not public (IANA IPv4 Special-Purpose Address Registry, and multicast). */
const NOT_PUBLIC_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10', // between a carrier and its customers
  '127.0.0.0/8',
  '169.254.0.0/16', // link-local, and the metadata of clouds
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24', // relays of 6to4
  '192.168.0.0/16',
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/**
 * IPv6 is public within 2000::/3 alone (RFC 4291 §2.4): loopback, unique local, link-local, multicast,
 * IPv4-mapped addresses and NAT64 lie outside.
 */
const PUBLIC_IPV6 = '2000::/3';

/** The parts of 2000::/3 that are special, or carry an IPv4 address in them. */
const NOT_PUBLIC_IPV6 = [
  '2001::/23', // protocols, Teredo among them
  '2001:db8::/32',
  '2002::/16', // 6to4
  '3fff::/20', // documentation
];

const notPublic = rangesOf([...NOT_PUBLIC_IPV4, ...NOT_PUBLIC_IPV6]);
const publicIpv6 = rangesOf([PUBLIC_IPV6]);

/** Whether an IP address in its usual spelling is public. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !notPublic.check(address, 'ipv4');
    case 6:
      // A zone (`fe80::1%eth0`) names an interface of this machine.
      if (address.includes('%')) return false;
      return publicIpv6.check(address, 'ipv6') && !notPublic.check(address, 'ipv6');
    default:
      return false;
  }
}

function rangesOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', prefix] = range.split('/');
    list.addSubnet(network, Number(prefix), isIP(network) === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}
