import type { FastifyReply, FastifyRequest } from 'fastify';

const allowedMethods = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
const allowedHeaders =
  'authorization, apikey, content-type, accept, prefer, range, range-unit, accept-profile, ' +
  'content-profile, x-client-info, x-captcha-response, x-service-impersonate, x-mfa-token, ' +
  'x-trust-token, x-challenge-token, x-rowhouse-flow, x-code-challenge, x-request-id, x-retry-count, ' +
  'x-bucket-token, if-none-match, if-match, if-modified-since, if-unmodified-since, if-range, ' +
  'x-checksum-sha256, repr-digest, content-digest, tus-resumable, upload-length, upload-metadata, ' +
  'upload-offset, upload-defer-length, upload-concat, x-http-method-override';
/** Headers of answers of every kind, which pages read whatever the rules of a bucket expose. */
export const alwaysExposed = ['www-authenticate', 'x-request-id', 'retry-after'] as const;
const exposedHeaders =
  `${alwaysExposed.join(', ')}, ` +
  'content-range, range-unit, preference-applied, location, set-auth-token, ' +
  'x-mfa-token, x-trust-token, x-challenge-token, etag, content-length, content-disposition, accept-ranges, last-modified, ' +
  'tus-resumable, tus-version, tus-extension, tus-max-size, upload-offset, upload-length, ' +
  'upload-metadata, upload-expires';
const maxAskedLength = 4_096;
/** Names of headers, separated by commas (RFC 9110 section 5.6.2). */
const headerNames =
  /^[ \t]*[!#$%&'*+.^_`|~0-9a-z-]+(?:[ \t]*,[ \t]*[!#$%&'*+.^_`|~0-9a-z-]+)*[ \t]*$/i;
const variesByPreflight = 'Origin, Access-Control-Request-Headers';

/** CORS response headers, with names in lower case. */
export type CorsHeaders = Readonly<Record<string, string>>;

/** The request of a page from an origin, or its preflight. */
export type CorsQuestion =
  | { readonly kind: 'request'; readonly origin: string; readonly method: string }
  | {
      readonly kind: 'preflight';
      readonly origin: string;
      readonly method: string;
      /** The headers that the page wants to send, in lower case. */
      readonly headers: readonly string[];
    };

/** The question that a page's request asks; undefined without an origin. */
export function corsQuestion({ method, headers }: FastifyRequest): CorsQuestion | undefined {
  const { origin } = headers;
  if (origin === undefined) return undefined;
  const asked = headers['access-control-request-method'];
  if (method !== 'OPTIONS' || asked === undefined) return { kind: 'request', origin, method };
  const names = headers['access-control-request-headers'] ?? '';
  const wanted = names.split(',').map((name) => name.trim().toLowerCase());
  const named = wanted.filter((name) => name !== '');
  return { kind: 'preflight', origin, method: asked, headers: named };
}

/** Which pages may do what. Pages of every origin may read answers to requests without cookies. */
export interface CorsRules {
  /** Whether the page of the request may send cookies, too. */
  readonly isTrusted: boolean;
  /** The headers of a bucket that has rules of its own. */
  readonly own: CorsHeaders | undefined;
}

/**
 * Answers pages of other origins (Fetch standard, CORS protocol): with `own`, the headers of a bucket with rules of its
 * own, else by the rules of the project. A preflight is answered here.
 */
export function applyCors(
  request: FastifyRequest,
  reply: FastifyReply,
  { isTrusted, own }: CorsRules,
): void {
  const { origin } = request.headers;
  const asked = request.headers['access-control-request-headers'];
  const isPreflight =
    request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
  if (own) reply.headers(own);
  else allowOrigin(origin, reply, isTrusted);
  if (!isPreflight) return;
  reply
    .code(204)
    .headers(own ? {} : preflightHeaders(asked))
    .send();
}

function allowOrigin(origin: string | undefined, reply: FastifyReply, isTrusted: boolean): void {
  // Also without an origin: a cache must not give this answer to a page.
  reply.header('vary', 'Origin');
  if (origin === undefined) return;
  reply.header('access-control-allow-origin', origin);
  reply.header('access-control-expose-headers', exposedHeaders);
  if (isTrusted) {
    reply.header('access-control-allow-credentials', 'true');
  }
}

/** Allows the headers that a page requests: a client may add headers of its own, such as those of tracing. */
function preflightHeaders(asked: string | undefined): CorsHeaders {
  const isReadable =
    asked !== undefined && asked.length <= maxAskedLength && headerNames.test(asked);
  return {
    vary: variesByPreflight,
    'access-control-allow-methods': allowedMethods,
    'access-control-allow-headers': isReadable ? asked : allowedHeaders,
    'access-control-max-age': '600',
  };
}
