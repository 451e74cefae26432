// Requests whose bodies and answers are bytes, and which may lose the server at any moment.
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';

import type { ProjectUnderTest } from '../support/project.js';

export interface ByteCall {
  readonly method?: string;
  /** Sent as it is given, or a whole address of another server. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

export interface ByteAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Rejects when no whole answer has come. */
export function exchange(
  { apiOrigin, host }: Pick<ProjectUnderTest, 'apiOrigin' | 'host'>,
  { method = 'GET', path, headers = {}, body }: ByteCall,
): Promise<ByteAnswer> {
  const isForeign = path.startsWith('http');
  const { hostname, port, pathname, search } = new URL(isForeign ? path : apiOrigin);
  const length = body === undefined ? {} : { 'content-length': String(body.length) };
  const sent = { ...(isForeign ? {} : { host }), ...length, ...headers };
  return new Promise((resolve, reject) => {
    const target = isForeign ? pathname + search : path;
    const request = httpRequest(
      { hostname, port, method, path: target, headers: sent, agent },
      (response) => {
        const { statusCode: status = 0, headers: received } = response;
        buffer(response).then((bytes) => resolve({ status, headers: received, bytes }), reject);
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

/** Whether the request has not reached any server. */
export function wasNotSent(error: unknown): boolean {
  return error instanceof Error && Reflect.get(error, 'code') === 'ECONNREFUSED';
}

/** The JSON value of an answer. */
export function jsonOf({ bytes }: ByteAnswer): unknown {
  return JSON.parse(bytes.toString('utf8'));
}
