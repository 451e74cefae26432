import type { FastifyRequest } from 'fastify';

import { fail } from '#libs/errors';
import type { Method, RestInput } from '#libs/rest-query';

const methods: readonly Method[] = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'];
const maxUrlBytes = 16 * 1024;

/** What of an HTTP request decides about a table. Throws METHOD_NOT_ALLOWED, URI_TOO_LONG. */
export function tableInput(request: FastifyRequest): RestInput {
  const { url, headers, body } = request;
  const method = methods.find((known) => known === request.method);
  if (!method) throw fail('METHOD_NOT_ALLOWED', { method: request.method });
  if (url.length > maxUrlBytes) throw fail('URI_TOO_LONG', { maxBytes: maxUrlBytes });
  const queryStart = url.indexOf('?');
  return {
    method,
    table: tableOf(request),
    queryString: queryStart === -1 ? '' : url.slice(queryStart + 1),
    headers: {
      prefer: single(headers['prefer']),
      range: headers.range,
      accept: headers.accept,
      contentType: headers['content-type'],
      acceptProfile: single(headers['accept-profile']),
      contentProfile: single(headers['content-profile']),
    },
    body: typeof body === 'string' ? body : undefined,
  };
}

function tableOf({ params }: FastifyRequest): string {
  // The route is `rest/v1/:table`, so the router has put the name there.
  return (params as { readonly table: string }).table;
}

/** Several lines of a list header mean the same as one (RFC 9110 §5.3). */
function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}
