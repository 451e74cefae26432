// The headers that pass the proxy. A request forwards no credential and no claim about its origin: only the signed
// assertion identifies the operator. An answer sets nothing on the console's host.
import { assertionHeader } from '#libs/secrets';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

/** RFC 9110 §7.6.1: meant for one connection. */
const hopByHop = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

const keptFromProject: ReadonlySet<string> = new Set([
  ...hopByHop,
  'apikey',
  'authorization',
  'cookie',
  'expect',
  'forwarded',
  'host',
  'origin',
  'referer',
  'x-api-key',
  'x-bucket-token',
  'x-http-method-override',
  'x-real-ip',
  'x-request-id',
  'x-service-edge-token',
  'x-service-impersonate',
  assertionHeader,
]);
const keptPrefixes = ['x-forwarded-', 'x-internal-', 'x-rowhouse-', 'sec-'];

const keptFromClient: ReadonlySet<string> = new Set([
  ...hopByHop,
  'alt-svc',
  'clear-site-data',
  'content-security-policy',
  'service-worker-allowed',
  'set-cookie',
  'strict-transport-security',
  'x-content-type-options',
  'x-request-id',
]);
const keptAnswerPrefixes = ['access-control-', 'x-rowhouse-'];

/** Headers that the console sets on a request itself. */
export interface ForwardedFacts {
  readonly host: string;
  readonly assertion: string;
  readonly clientIp: string;
  readonly requestId: string;
}

/** The headers of the request to the project. */
export function requestHeaders(
  incoming: IncomingHttpHeaders,
  facts: ForwardedFacts,
): OutgoingHttpHeaders {
  return {
    ...passed(incoming, keptFromProject, keptPrefixes),
    host: facts.host,
    [assertionHeader]: facts.assertion,
    'x-forwarded-for': facts.clientIp,
    'x-request-id': facts.requestId,
  };
}

/**
 * The headers of the answer to the operator. Content of a project must not act as the console: scripts in it do not
 * run, whatever its type.
 */
export function answerHeaders(incoming: IncomingHttpHeaders): OutgoingHttpHeaders {
  return {
    ...passed(incoming, keptFromClient, keptAnswerPrefixes),
    'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  };
}

function passed(
  headers: IncomingHttpHeaders,
  kept: ReadonlySet<string>,
  prefixes: readonly string[],
): OutgoingHttpHeaders {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name, value]) =>
        value !== undefined &&
        !kept.has(name) &&
        !named.includes(name) &&
        !prefixes.some((prefix) => name.startsWith(prefix)),
    ),
  );
}
