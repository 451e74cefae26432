import { fail } from '#libs/errors';
import type { Outbound } from './outbound.js';

/** Statuses whose answers have no body (Fetch Standard, "null body status"). */
const NULL_BODY_STATUSES: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Returns a `fetch` that goes through `outbound`, for libraries that accept one. It supports GET and POST with a text,
 * never follows a redirect whatever `redirect` says, and rejects with the errors of the outbound.
 */
export function fetchOver(outbound: Outbound): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { method, url, signal } = request;
    if (method !== 'GET' && method !== 'POST') {
      const { host } = new URL(url);
      throw fail('OUTBOUND_REFUSED', { host, reason: `the method ${method} is not for calls` });
    }
    const answer = await outbound({
      url,
      method,
      headers: Object.fromEntries(request.headers),
      ...(method === 'POST' && { body: await request.text() }),
      signal,
    });
    const body = NULL_BODY_STATUSES.has(answer.status) ? null : answer.text;
    return new Response(body, { status: answer.status, headers: decodedHeaders(answer.headers) });
  };
}

/** The body is already inflated: the headers that describe its encoding would be wrong. */
function decodedHeaders(headers: Headers): Headers {
  const decoded = new Headers(headers);
  decoded.delete('content-encoding');
  decoded.delete('content-length');
  return decoded;
}
