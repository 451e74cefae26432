// Turns a Fastify request into the plain input that rest-query takes.
import type { FastifyRequest } from 'fastify';

import { fail } from '#libs/errors';
import type { Method, Resource, RestHeaders } from '#libs/rest-query';
import type { Credential } from '#libs/wire';

import { scopeOf } from '../http/request-scope.js';
import type { RestText } from './input.js';

const tableMethods: readonly Method[] = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'];
const functionMethods: readonly Method[] = ['GET', 'HEAD', 'POST'];
const maxUrlBytes = 16 * 1024;

/** A request on a table. Throws METHOD_NOT_ALLOWED, URI_TOO_LONG. */
export function tableInput(request: FastifyRequest): RestText {
  // The route is `rest/v1/:table`, so the router has put the name there.
  const { table } = request.params as { readonly table: string };
  return restInput(request, { kind: 'table', name: table }, tableMethods);
}

/** A call of a function. Throws METHOD_NOT_ALLOWED, URI_TOO_LONG. */
export function functionInput(request: FastifyRequest): RestText {
  // The route is `rest/v1/rpc/:function`, so the router has put the name there.
  const { function: name } = request.params as { readonly function: string };
  return restInput(request, { kind: 'function', name }, functionMethods);
}

/** Several writes. Throws URI_TOO_LONG. */
export function batchInput(request: FastifyRequest): RestText {
  checkUrl(request.url);
  return { kind: 'batch', text: { headers: restHeaders(request), body: bytesOf(request) } };
}

function restInput(
  request: FastifyRequest,
  resource: Resource,
  methods: readonly Method[],
): RestText {
  const { url } = request;
  const method = methods.find((known) => known === request.method);
  if (!method) throw notAllowed(request.method, methods);
  checkUrl(url);
  const queryStart = url.indexOf('?');
  return {
    kind: 'request',
    input: {
      method,
      resource,
      queryString: queryStart === -1 ? '' : url.slice(queryStart + 1),
      headers: restHeaders(request),
      body: bytesOf(request),
      seesAllRows: passesPolicies(scopeOf(request).credential),
    },
  };
}

/** The role of these callers bypasses row level security. */
function passesPolicies({ kind }: Credential): boolean {
  return kind === 'secret-key' || kind === 'operator';
}

function notAllowed(method: string, methods: readonly Method[]): Error {
  return fail('METHOD_NOT_ALLOWED', { method }, { headers: { allow: methods.join(', ') } });
}

function checkUrl(url: string): void {
  if (url.length > maxUrlBytes) throw fail('URI_TOO_LONG', { maxBytes: maxUrlBytes });
}

function restHeaders({ headers }: FastifyRequest): RestHeaders {
  return {
    prefer: single(headers['prefer']),
    range: headers.range,
    accept: headers.accept,
    contentType: headers['content-type'],
    acceptProfile: single(headers['accept-profile']),
    contentProfile: single(headers['content-profile']),
  };
}

function bytesOf({ body }: FastifyRequest): Buffer | undefined {
  return Buffer.isBuffer(body) ? body : undefined;
}

/** Several lines of a list header mean the same as one (RFC 9110 §5.3). */
function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}
