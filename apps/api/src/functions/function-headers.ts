// Which headers pass between a client and a function.
import type { IncomingHttpHeaders } from 'node:http';

import { secretKeyPrefix } from '#libs/secrets';
import { hopByHopHeaders, isForProxies, isOfAllHosts } from '#libs/wire';

const hopByHop: ReadonlySet<string> = new Set([...hopByHopHeaders, 'expect', 'http2-settings']);
/** Credentials of the platform, and what a client could claim about its way here. */
const ofPlatform: ReadonlySet<string> = new Set([
  'apikey',
  'cookie',
  'forwarded',
  'x-act-as',
  'x-bucket-token',
  'x-captcha-response',
  'x-real-ip',
]);
const prefixesOfPlatform = ['x-service-', 'x-rowhouse-', 'x-forwarded-'];
const secretKey = new RegExp(`^bearer\\s+${secretKeyPrefix}`, 'i');

/** The headers of a request without those of the connection and the platform's. `ip` is the address of the client. */
export function requestHeaders(
  headers: IncomingHttpHeaders,
  { ip, caller }: { readonly ip: string; readonly caller: string },
): IncomingHttpHeaders {
  const ofConnection = namesIn(headers.connection);
  const kept: IncomingHttpHeaders = {};
  for (const name in headers) {
    const value = headers[name];
    if (hopByHop.has(name) || ofConnection.has(name) || ofPlatform.has(name)) continue;
    if (prefixesOfPlatform.some((prefix) => name.startsWith(prefix))) continue;
    if (name === 'authorization' && typeof value === 'string' && secretKey.test(value)) continue;
    kept[name] = value;
  }
  kept['x-forwarded-for'] = ip;
  kept['x-rowhouse-caller'] = caller;
  return kept;
}

/** The headers of a function's answer by name, without those that the platform sets or that reach beyond functions. */
export function answerHeaders(
  rawHeaders: readonly string[],
): ReadonlyMap<string, string | readonly string[]> {
  const headers = new Map<string, string | readonly string[]>();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = [rawHeaders[at]?.toLowerCase(), rawHeaders[at + 1]];
    if (hopByHop.has(name) || isOfAnswer(name) || isForProxies(name)) continue;
    if (name === 'set-cookie' && isOfAllHosts(value)) continue;
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : [before, value].flat());
  }
  return headers;
}

/** They are about all that has the host of the project, or are the project's: the request id is in its log. */
const ofHost: ReadonlySet<string> = new Set([
  'clear-site-data',
  'service-worker-allowed',
  'x-request-id',
]);
const isOfAnswer = (name: string): boolean =>
  ofHost.has(name) || name.startsWith('access-control-');

const namesIn = (connection: string | undefined): ReadonlySet<string> =>
  new Set(connection?.split(',').map((name) => name.trim().toLowerCase()));
