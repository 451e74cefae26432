// An HTTP server that stands for a service outside: it keeps every request and answers as the test says.
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';

import { freePort } from '#libs/testing';

import { Arrivals } from './arrivals.js';

export interface RecordedRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** The body as it came, e.g. to check a signature over it. */
  readonly text: string;
  /** The body read as JSON; undefined when it is none. */
  readonly json: unknown;
  /** The body read as a form. */
  readonly form: URLSearchParams;
}

export interface Answer {
  /** By default 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON unless it is text already. */
  readonly body?: unknown;
}

/** An answer; or silence until the caller or the test gives up; or a connection cut off at once. */
export type Reaction = Answer | 'hang' | 'cut';

export type React = (request: RecordedRequest) => Reaction | Promise<Reaction>;

export interface HttpRecorder {
  /** `http://127.0.0.1:<port>`. */
  readonly origin: string;
  readonly port: number;
  /** Every request since the start, in order. */
  readonly requests: readonly RecordedRequest[];
  /** Changes how requests are answered from now on. */
  answerWith(react: React): void;
  /** Takes the oldest matching request that was not taken yet, or waits for it. Throws after 10 s. */
  waitForRequest(matches?: (request: RecordedRequest) => boolean): Promise<RecordedRequest>;
  /** Ends what still hangs and frees the port. */
  close(): Promise<void>;
}

/** Opens a server that answers 200 `{}` unless `react` says otherwise. A `react` that throws answers 500. */
export async function openHttpRecorder(react: React = () => ({ body: {} })): Promise<HttpRecorder> {
  const arrivals = new Arrivals<RecordedRequest>();
  let current = react;
  const server = createServer((message, response) => {
    void serve(message, response);
  });
  async function serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await recorded(message).catch(() => undefined);
    // The caller gave up before the whole request had come: there is nobody to answer.
    if (request === undefined) return;
    arrivals.add(request);
    try {
      reply(response, await current(request));
    } catch (error) {
      reply(response, { status: 500, body: String(error) });
    }
  }
  // Longer than any test lasts: a connection that is reused is not closed under the caller's hands.
  server.keepAliveTimeout = 600_000;
  const port = await freePort();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    get requests() {
      return arrivals.all;
    },
    answerWith(next) {
      current = next;
    },
    waitForRequest: (matches = () => true) => arrivals.take(matches, 'request'),
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function recorded(message: IncomingMessage): Promise<RecordedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(Buffer.from(chunk));
  const text = Buffer.concat(chunks).toString('utf8');
  const { pathname, searchParams } = new URL(message.url ?? '/', 'http://recorder');
  return {
    method: message.method ?? '',
    path: pathname,
    query: searchParams,
    headers: message.headers,
    text,
    json: jsonOf(text),
    form: new URLSearchParams(text),
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function reply(response: ServerResponse, reaction: Reaction): void {
  if (reaction === 'hang') return;
  if (reaction === 'cut') {
    response.destroy();
    return;
  }
  const { status = 200, headers = {}, body } = reaction;
  const type = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json';
  response.writeHead(status, { ...(body !== undefined && { 'content-type': type }), ...headers });
  response.end(body === undefined || typeof body === 'string' ? body : JSON.stringify(body));
}
