// The headers that pass the proxy. A request forwards no credential and no claim about its origin: only the signed
// assertion identifies the operator. An answer passes only what is known to set nothing on the console's host.
import { assertionHeader } from '#libs/secrets';
import { hopByHopHeaders } from '#libs/wire';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

const keptFromProject: ReadonlySet<string> = new Set([
  ...hopByHopHeaders,
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

/**
 * What an answer says of its content, of an upload and of a sign-in. Functions of a project set other headers too, and
 * browsers learn new ones that act on the whole origin.
 */
const passedToClient: ReadonlySet<string> = new Set([
  'accept-ranges',
  'age',
  'allow',
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-length',
  'content-range',
  'content-type',
  'date',
  'etag',
  'expires',
  'last-modified',
  'location',
  'preference-applied',
  'range-unit',
  'retry-after',
  'set-auth-token',
  'tus-extension',
  'tus-max-size',
  'tus-resumable',
  'tus-version',
  'upload-expires',
  'upload-length',
  'upload-metadata',
  'upload-offset',
  'vary',
  'x-accel-buffering',
  'x-challenge-token',
  'x-mfa-token',
  'x-robots-tag',
  'x-trust-token',
]);

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
    ...passed(incoming, mayReachProject),
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
    ...passed(incoming, (name) => passedToClient.has(name)),
    'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  };
}

const mayReachProject = (name: string): boolean =>
  !keptFromProject.has(name) && !keptPrefixes.some((prefix) => name.startsWith(prefix));

function passed(
  headers: IncomingHttpHeaders,
  mayPass: (name: string) => boolean,
): OutgoingHttpHeaders {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name, value]) => value !== undefined && mayPass(name) && !named.includes(name),
    ),
  );
}
