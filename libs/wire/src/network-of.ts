const groupCount = 8;
const mappedPrefix = '0:0:0:0:0:ffff';

/**
 * Returns what counts as one client where requests, guesses or connections of an address are limited: an IPv4 address,
 * or the network of 64 bits of an IPv6 address, such as `2001:db8:1:2::/64`, because a customer line has that many
 * addresses. An IPv4 address in an IPv6 one (`::ffff:203.0.113.9`) is taken out. Other text is returned as it is.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [bare = ''] = address.toLowerCase().split('%', 1);
  const groups = groupsOf(hexadecimal(bare));
  if (groups.slice(0, 6).join(':') === mappedPrefix) return dotted(groups.slice(6));
  return `${groups.slice(0, 4).join(':')}::/64`;
}

/** The address with the dotted form at its end (RFC 4291 section 2.2) as two groups. */
function hexadecimal(address: string): string {
  const [end, ...bytes] = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address) ?? [];
  if (end === undefined) return address;
  const [a = 0, b = 0, c = 0, d = 0] = bytes.map(Number);
  const pair = [a * 256 + b, c * 256 + d].map((group) => group.toString(16));
  return address.slice(0, -end.length) + pair.join(':');
}

/** The eight groups of an IPv6 address without leading zeros. */
function groupsOf(address: string): readonly string[] {
  const [head = '', tail = ''] = address.split('::');
  const [left, right] = [head, tail].map((part) => part.split(':').filter((group) => group !== ''));
  const ends = [...(left ?? []), ...(right ?? [])];
  const zeros = Array.from({ length: Math.max(0, groupCount - ends.length) }, () => '0');
  const groups = [...(left ?? []), ...zeros, ...(right ?? [])];
  return groups.map((group) => group.replace(/^0+(?=.)/, ''));
}

function dotted(groups: readonly string[]): string {
  const numbers = groups.map((group) => Number.parseInt(group, 16));
  return numbers.flatMap((number) => [number >> 8, number & 255]).join('.');
}
