// What the text of a URL alone says about whether it may be called.
import { isIP } from 'node:net';
import { fail } from '#libs/errors';
import { isPublicAddress } from './public-address.js';

const maxUrlLength = 2048;

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** Ports on which another protocol is spoken, one that might obey a line of HTTP (Fetch Standard, "bad ports"). */
const BLOCKED_PORTS: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
  103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
  512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
  995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
  6669, 6679, 6697, 10080,
]);

/**
 * The URL, if it might be called. Throws OUTBOUND_REFUSED (400) for one that never could: another scheme
 * than http and https, credentials in it, a port of another protocol, or an address that is not public in
 * whatever spelling. `allowedHosts` (`host` or `host:port`) are free of the last two rules. What a name
 * leads to is not looked up here.
 */
export function checkOutboundUrl(url: string, allowedHosts: readonly string[]): URL {
  const parsed = parse(url);
  const { host } = parsed;
  if (parsed.username !== '' || parsed.password !== '') {
    throw fail('OUTBOUND_REFUSED', { host, reason: 'it contains a user name or a password' });
  }
  if (isAllowedHost(parsed, allowedHosts)) return parsed;
  if (BLOCKED_PORTS.has(Number(portOf(parsed)))) {
    throw fail('OUTBOUND_REFUSED', { host, reason: `the port ${portOf(parsed)} is closed` });
  }
  if (isPrivateByName(hostnameOf(parsed))) throw notPublic(host);
  return parsed;
}

/** The refusal of a host that leads to an address that is not public. */
export function notPublic(host: string): Error {
  return fail('OUTBOUND_REFUSED', {
    host,
    reason:
      'it is not a public address, and OUTBOUND_ALLOWED_HOSTS of the deployment does not list it',
  });
}

/** Whether the operator lets this host be private. */
export function isAllowedHost(url: URL, allowedHosts: readonly string[]): boolean {
  const names = [url.hostname, hostnameOf(url), `${url.hostname}:${portOf(url)}`];
  return allowedHosts.some((allowed) => names.includes(allowed.toLowerCase()));
}

/** The name or address of a URL; an IPv6 address without its brackets. */
export function hostnameOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

function portOf(url: URL): string {
  return url.port === '' ? (DEFAULT_PORTS[url.protocol] ?? '') : url.port;
}

function parse(url: string): URL {
  const parsed = url.length <= maxUrlLength && URL.canParse(url) ? new URL(url) : undefined;
  // The text itself stays out of the message: it may be long, and it may contain a password.
  if (parsed === undefined) {
    throw fail('OUTBOUND_REFUSED', { host: '?', reason: 'it is not a URL' });
  }
  if (!Object.hasOwn(DEFAULT_PORTS, parsed.protocol)) {
    const reason = 'it begins with neither https: nor http:';
    throw fail('OUTBOUND_REFUSED', { host: parsed.host === '' ? '?' : parsed.host, reason });
  }
  return parsed;
}

/** Decimal, octal, hexadecimal and short spellings of IPv4 are gone: the URL parser writes them out (WHATWG URL §3.5). */
function isPrivateByName(hostname: string): boolean {
  if (isIP(hostname) !== 0) return !isPublicAddress(hostname);
  const name = hostname.replace(/\.$/, '');
  return name === 'localhost' || name.endsWith('.localhost');
}
