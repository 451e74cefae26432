// A call of a function: its route, its caller, and the way of the request to it and of its answer back. Both bodies are
// streams.
import { Readable } from 'node:stream';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { fail } from '#libs/errors';
import type { FunctionReply } from '#libs/functions';
import { callerToken, type ProjectRuntime } from '#libs/project-runtime';
import { edgePath } from '#libs/wire';

import type { RequestScope } from '../http/request-scope.js';
import { type FunctionCaller, requireCaller, tokenHeader } from './function-caller.js';
import { answerHeaders, requestHeaders } from './function-headers.js';
import { routesOf } from './function-names.js';

/**
 * Has the function answer whose route the path begins with. Throws FUNCTION_ROUTE_NOT_FOUND, UNAUTHORIZED, USER_INACTIVE,
 * FUNCTION_BODY_TOO_LARGE, FUNCTION_BUSY, FUNCTION_CRASHED, FUNCTION_TIMEOUT and FUNCTIONS_UNAVAILABLE.
 */
export async function invokeFunction(
  scope: RequestScope,
  request: FastifyRequest,
): Promise<FunctionReply> {
  const project = scope.lease.value;
  const url = new URL(request.url, project.baseUrl);
  const below = url.pathname.slice(edgePath.length + 1);
  const [found, resolved] = await Promise.all([
    project.functions.find(routesOf(below)),
    project.db.resolveCaller(scope.credential),
  ]);
  if (!found) throw fail('FUNCTION_ROUTE_NOT_FOUND', { route: below.slice(0, 100) });
  // The record of the request names the user.
  scope.caller = resolved.caller;
  const token = single(request.headers[tokenHeader]);
  const caller = await requireCaller(project, found, { resolved, token });
  requireFittingBody(project, request);
  project.functions.journal.noteCaller(request.id, caller.label);
  return project.functions.invoke(found, {
    requestId: request.id,
    method: request.method,
    url,
    path: below.slice(found.route.length) || '/',
    headers: headersFor(project, request, caller),
    body: hasBody(request) ? request.raw : undefined,
    signal: scope.client.signal,
  });
}

/** Sends the answer of a function. Its headers win over those of the platform, but for CORS. */
export function sendAnswer(reply: FastifyReply, { status, rawHeaders, body }: FunctionReply): void {
  reply.code(status);
  for (const [name, value] of answerHeaders(rawHeaders)) {
    reply.header(name, name === 'vary' ? variesBy(reply, value) : value);
  }
  // Fastify gives bytes without a type one.
  const isTyped = reply.hasHeader('content-type');
  reply.send(Buffer.isBuffer(body) && !isTyped ? Readable.from([body]) : body);
}

/** Answers depend on the page that asks, whatever the function says. */
function variesBy(reply: FastifyReply, value: string | readonly string[]): string {
  return [reply.getHeader('vary') ?? [], value].flat().join(', ');
}

function headersFor(project: ProjectRuntime, request: FastifyRequest, caller: FunctionCaller) {
  const { functions, deps } = project;
  const { resolved, via } = caller;
  const shown = callerToken(functions.callerKey, resolved, { via, now: deps.now() });
  return requestHeaders(request.headers, { ip: request.ip, caller: shown });
}

/** A body without a length is counted as it comes. */
function requireFittingBody(project: ProjectRuntime, { headers }: FastifyRequest): void {
  const { maxRequestBytes: limit } = project.settings.get('functions');
  if (Number(headers['content-length'] ?? 0) > limit) {
    throw fail('FUNCTION_BODY_TOO_LARGE', { limit });
  }
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

const single = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value;
