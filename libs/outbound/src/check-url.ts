// Checks a URL by its text alone, without a lookup.
import { isIP } from 'node:net';
import { fail } from '#libs/errors';
import { isPublicAddress } from './public-address.js';

const maxUrlLength = 2048;

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** Ports of other protocols, whose servers might execute a line of HTTP (Fetch Standard, "bad ports"). */
const BLOCKED_PORTS: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
  103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
  512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
  995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
  6669, 6679, 6697, 10080,
]);

/**
 * Returns the parsed URL. Throws OUTBOUND_REFUSED (400) for a URL that must never be called: a scheme other than http
 * and https, credentials, a port of another protocol, or an address that is not public, in any spelling. The last two
 * rules do not apply to `allowedHosts` (`host` or `host:port`). Names are not looked up here.
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

/** The error for a host that leads to a private address. */
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
  // The message does not quote the text: it may be long, and it may contain a password.
  if (parsed === undefined) {
    throw fail('OUTBOUND_REFUSED', { host: '?', reason: 'it is not a URL' });
  }
  if (!Object.hasOwn(DEFAULT_PORTS, parsed.protocol)) {
    const reason = 'it begins with neither https: nor http:';
    throw fail('OUTBOUND_REFUSED', { host: parsed.host === '' ? '?' : parsed.host, reason });
  }
  return parsed;
}

/**
 * Decimal, octal, hexadecimal and short spellings of IPv4 do not reach this place: the URL parser normalises them
 * (WHATWG URL §3.5).
 */
function isPrivateByName(hostname: string): boolean {
  if (isIP(hostname) !== 0) return !isPublicAddress(hostname);
  const name = hostname.replace(/\.$/, '');
  return name === 'localhost' || name.endsWith('.localhost');
}
