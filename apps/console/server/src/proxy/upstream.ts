import { fail } from '#libs/errors';
import { framed, parseJson } from '#libs/wire';
import http, { type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import https from 'node:https';
import type { Readable, Writable } from 'node:stream';

/** How long a project may be silent, longer than the API's own limits. */
const silenceMs = 125_000;

export interface UpstreamRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: OutgoingHttpHeaders;
  /** Absent: a request without a body. */
  readonly body?: Readable | undefined;
  readonly signal: AbortSignal;
}

/**
 * Sends a request and returns the answer as soon as its headers have arrived; both bodies are streamed. Throws
 * PROJECT_UNAVAILABLE if there is no answer. The signal aborts the request and the answer.
 */
export function askUpstream(input: UpstreamRequest): Promise<IncomingMessage> {
  const { url, method, headers, body, signal } = input;
  const { request: send } = url.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const refuse = (cause: unknown): void => reject(fail('PROJECT_UNAVAILABLE', {}, { cause }));
    const request = send(url, {
      method,
      headers: framed(headers, body !== undefined),
      signal,
      timeout: silenceMs,
    });
    request.once('response', resolve);
    // After the answer has begun, a failure reaches its reader through the answer itself.
    request.on('error', refuse);
    request.once('timeout', () => request.destroy(new Error('the project is silent')));
    if (body === undefined) request.end();
    else stream(body, request);
  });
}

/**
 * Streams a body until it ends or the request does, and discards the rest. `pipeline` would destroy an unread body, and
 * take its connection from it, which then could not be closed.
 */
function stream(body: Readable, request: Writable): void {
  body.pipe(request);
  request.once('close', () => body.unpipe(request).resume());
}

/** The JSON body of an answer up to `maxBytes`, or undefined when it is larger or no JSON. */
export async function readJson(answer: IncomingMessage, maxBytes: number): Promise<unknown> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer) {
    if (!Buffer.isBuffer(chunk)) throw new Error('the answer is not read as bytes');
    length += chunk.length;
    if (length > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return parseJson(Buffer.concat(chunks).toString());
}
