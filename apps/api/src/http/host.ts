import { fail } from '#libs/errors';

const maxHostBytes = 255;
const hostPattern = /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?$/;
const addressPattern = /^\[[0-9a-f:.]+\]$/;

/**
 * The host name in a Host header: lower case, without port and without the trailing dot of a fully qualified name (RFC
 * 9110 §7.2). Throws PROJECT_NOT_FOUND for a text that cannot be a host name.
 */
export function hostOf(header: string | undefined): string {
  if (header === undefined || header.length > maxHostBytes) throw fail('PROJECT_NOT_FOUND');
  const host = header
    .toLowerCase()
    .replace(/:\d{0,5}$/, '')
    .replace(/\.$/, '');
  if (!hostPattern.test(host) && !addressPattern.test(host)) throw fail('PROJECT_NOT_FOUND');
  return host;
}

/**
 * Throws INVALID_REQUEST when a request names more than one host (RFC 9112 §3.2): Node.js shows the first,
 * a proxy in front may have gone by the last. `rawHeaders` are names and values in turn.
 */
export function requireOneHost(rawHeaders: readonly string[]): void {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host' && ++hosts > 1) {
      throw fail('INVALID_REQUEST');
    }
  }
}

/**
 * Path and query of a request target. A proxy may send the absolute form (RFC 9112 §3.2.2); its authority
 * must then equal the Host header, so that a proxy and this server agree on the project.
 */
export function pathOfTarget(target: string, hostHeader: string | undefined): string {
  if (target.startsWith('/')) return target;
  const absolute = /^https?:\/\/([^/?#]*)([^#]*)$/i.exec(target);
  const [, authority = '', rest = ''] = absolute ?? [];
  if (authority.toLowerCase() !== hostHeader?.toLowerCase()) return '/.mismatched-authority';
  return rest.startsWith('/') ? rest : `/${rest}`;
}
