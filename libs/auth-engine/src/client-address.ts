import { isIPv6 } from 'node:net';

const groups = 8;

/**
 * What counts as one client in a rate limit: an IPv4 address, or the first 64 bits of an IPv6 address,
 * because a household is given that many addresses. An IPv4 address inside an IPv6 one is taken out.
 */
export function clientKey(address: string): string {
  const bare = address.split('%')[0] ?? address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(bare)) return bare;
  const [head = '', tail] = bare.toLowerCase().split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, groups - left.length - right.length) }, () => '0');
  const first = [...left, ...zeros, ...right].slice(0, 4);
  return first.map((group) => group.replace(/^0+(?=.)/, '')).join(':');
}
