// The way between a request of the server and the project's auth engine, which answers with the standard's Response.
import { isIP } from 'node:net';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { cookieNamePrefix, type EngineRequest } from '#libs/auth-engine';
import { fail } from '#libs/errors';
import { readBytes } from '#libs/web';
import type { Credential } from '#libs/wire';

import { holdBody } from '../http/content.js';
import { withoutDoubtful } from '../http/cookies.js';
import { impersonationHeader } from '../http/credential.js';
import { hostOf } from '../http/host.js';
import { mayReadSettings } from '../http/may-read-settings.js';
import type { RequestScope } from '../http/request-scope.js';

/** Headers that take the place of those that came; undefined takes one away. */
type ReplacedHeaders = Readonly<Record<string, string | undefined>>;

/** A request to the engine in the place of the one that came. */
export interface EngineCall {
  readonly method: 'GET' | 'POST';
  /** Below the host: `/api/auth/sign-in/email`. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: ReplacedHeaders;
}

/** What takes the place of what came when a request is handed to another route of the engine. */
interface Forwarding {
  readonly method?: EngineCall['method'];
  readonly path?: string;
  readonly headers?: ReplacedHeaders;
}

/** Returns the path of the engine's route that has the path of the matched one below `/api`. */
export function sameInEngine({ matched }: FastifyRequest): string {
  return `/api${matched?.url ?? ''}`;
}

/** Sends a call to the engine for the client that made `request`. Returns its answer. */
export function callEngine(
  scope: RequestScope,
  request: FastifyRequest,
  { method, path, body, headers = {} }: EngineCall,
): Promise<Response> {
  const sent = engineHeaders(scope, request);
  sent.delete('content-type');
  if (body !== undefined) sent.set('content-type', 'application/json');
  replaceHeaders(sent, headers);
  const text = body === undefined ? '' : JSON.stringify(body);
  const url = new URL(path, scope.lease.value.baseUrl).href;
  const readText = () => Promise.resolve(text);
  return handle(scope, request, { method, url, headers: sent, readText });
}

/**
 * Hands the request as it came to the engine, which counts it before it reads the body. A route that acts in place of
 * another replaces parts of it.
 */
export function forwardToEngine(
  scope: RequestScope,
  request: FastifyRequest,
  { method, path = request.url, headers = {} }: Forwarding = {},
): Promise<Response> {
  // The engine's address is the project's own, whatever Host was sent.
  const url = new URL(path, scope.lease.value.baseUrl).href;
  const sent = engineHeaders(scope, request);
  replaceHeaders(sent, headers);
  return handle(scope, request, {
    method: method ?? request.method,
    url,
    headers: sent,
    readText: (maxBytes) => readText(scope, request, maxBytes),
  });
}

function replaceHeaders(sent: Headers, headers: ReplacedHeaders): void {
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) sent.delete(name);
    else sent.set(name, value);
  }
}

async function readText(
  scope: RequestScope,
  { raw, method }: FastifyRequest,
  maxBytes: number,
): Promise<string> {
  if (method === 'GET') return '';
  const bytes = await readBytes(raw, { maxBytes, hold: () => holdBody(scope) });
  return bytes.toString('utf8');
}

/** Sends the engine's answer to the client. */
export async function relay(response: Response, reply: FastifyReply): Promise<void> {
  reply.code(response.status);
  response.headers.forEach((value, name) => {
    // Which pages may read the answer is decided by the hooks for all routes alike.
    if (name !== 'set-cookie' && !name.startsWith('access-control-')) reply.header(name, value);
  });
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) reply.header('set-cookie', cookies);
  reply.send(Buffer.from(await response.arrayBuffer()));
}

async function handle(
  scope: RequestScope,
  request: FastifyRequest,
  call: EngineRequest,
): Promise<Response> {
  refuseImpersonation(scope, call.headers);
  const ip = clientAddress(request, scope.credential);
  const project = scope.lease.value;
  const ownOrigin = project.rules.ownOriginAt(hostOf(request.headers.host));
  const auth = await project.auth.acquire();
  const context = {
    ip,
    requestId: request.id,
    ownOrigin,
    mayReadSettings: () => mayReadSettings(scope),
  };
  try {
    return await auth.value.handle(call, context);
  } finally {
    auth.release();
  }
}

/**
 * Refuses an impersonated user (IMPERSONATION_NOT_HERE): account routes need a session, and it has none. A request
 * that runs as `anon` is signed out, whatever else came with it.
 */
function refuseImpersonation({ credential }: RequestScope, headers: Headers): void {
  if (credential.kind === 'impersonated-user') throw fail('IMPERSONATION_NOT_HERE');
  headers.delete(impersonationHeader);
  if (credential.kind !== 'impersonated-anon') return;
  for (const name of ['authorization', 'cookie', 'x-mfa-token', 'x-trust-token']) {
    headers.delete(name);
  }
}

const clientAddressHeader = 'x-service-client-ip';
const ofTheProject: ReadonlySet<Credential['kind']> = new Set(['secret-key', 'impersonated-anon']);

/**
 * Returns the address that the request is counted for. A server that calls for its visitors names theirs with
 * the secret key. Throws CLIENT_ADDRESS_REFUSED for any other caller, INVALID_INPUT for what is no address.
 */
function clientAddress(request: FastifyRequest, credential: Credential): string {
  const named = request.headers[clientAddressHeader];
  if (named === undefined) return request.ip;
  if (!ofTheProject.has(credential.kind)) throw fail('CLIENT_ADDRESS_REFUSED');
  if (typeof named === 'string' && isIP(named) !== 0) return named;
  throw fail('INVALID_INPUT', { field: clientAddressHeader, reason: 'must be one IP address' });
}

function engineHeaders({ lease }: RequestScope, request: FastifyRequest): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  const cookies = headers.get('cookie');
  if (cookies !== null) {
    headers.set('cookie', withoutDoubtful(cookies, cookieNamePrefix(lease.value.baseUrl.href)));
  }
  return headers;
}
