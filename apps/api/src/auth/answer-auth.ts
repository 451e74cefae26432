import type { FastifyReply, FastifyRequest } from 'fastify';

import type { RequestScope } from '../http/request-scope.js';

/** Headers that say where a request came from: the client's own are not believed. */
const untrusted =
  /^(?:x-forwarded-|forwarded$|x-real-ip$|x-internal-|host$|connection$|content-length$|transfer-encoding$|x-rowhouse-)/;

/** Hands the request to the project's auth engine and its answer to the client. */
export async function answerAuth(
  scope: RequestScope,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { value: project } = scope.lease;
  const auth = await project.acquireAuth();
  try {
    const response = await auth.value.handle(engineRequest(request, project.baseUrl), {
      ip: request.ip,
      requestId: request.id,
    });
    await send(response, reply);
  } finally {
    auth.release();
  }
}

function engineRequest(request: FastifyRequest, baseUrl: URL): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined || untrusted.test(name)) continue;
    headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  // The engine's address is the project's own, whatever Host was sent.
  const url = new URL(request.url, baseUrl);
  const { body } = request;
  const hasBody = Buffer.isBuffer(body) && body.length > 0;
  return new Request(url, {
    method: request.method,
    headers,
    ...(hasBody && { body: new Uint8Array(body) }),
  });
}

async function send(response: Response, reply: FastifyReply): Promise<void> {
  reply.code(response.status);
  response.headers.forEach((value, name) => {
    // Which pages may read the answer is decided by the hooks for all routes alike.
    if (name !== 'set-cookie' && !name.startsWith('access-control-')) reply.header(name, value);
  });
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) reply.header('set-cookie', cookies);
  reply.send(Buffer.from(await response.arrayBuffer()));
}
