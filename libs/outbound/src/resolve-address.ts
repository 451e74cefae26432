import { isIP } from 'node:net';
import { AppError, fail } from '#libs/errors';
import { hostnameOf, isAllowedHost, notPublic } from './check-url.js';
import { isPublicAddress } from './public-address.js';
import { resolveHost } from './resolve-host.js';

const timeoutMs = 5000;

/**
 * Returns the address to reach `host` at, for protocols other than HTTP, such as SMTP. Connect to this address and not
 * to the name, which may lead elsewhere a moment later. Throws OUTBOUND_REFUSED (400) for a private address whose host
 * is not among `allowedHosts`, OUTBOUND_FAILED (502) for a name without an address.
 */
export async function resolveAddress(
  host: string,
  port: number,
  { allowedHosts }: { readonly allowedHosts: readonly string[] },
): Promise<string> {
  const url = new URL(`https://${host.includes(':') ? `[${host}]` : host}:${port}`);
  const name = hostnameOf(url);
  if (isIP(name) !== 0 && !isAllowedHost(url, allowedHosts) && !isPublicAddress(name)) {
    throw notPublic(url.host);
  }
  try {
    const [first] = await resolveHost(url, allowedHosts, AbortSignal.timeout(timeoutMs));
    if (first) return first.address;
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw fail('OUTBOUND_FAILED', { host: url.host }, { cause: error });
  }
  throw fail('OUTBOUND_FAILED', { host: url.host });
}
