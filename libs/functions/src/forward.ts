// Hands a request to a process over its socket, and its answer back. Bodies are streams in both directions: no more of
// them is in memory than the system keeps for a socket. A body that has come with its headers is passed on in one piece.
import {
  type Agent,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as httpRequest,
} from 'node:http';
import { pipeline, Transform } from 'node:stream';

import { AppError, fail } from '#libs/errors';
import { framed, hopByHopHeaders } from '#libs/wire';

import type { FunctionReply, FunctionRequest } from './types.js';

export interface Target {
  readonly socket: string;
  readonly agent: Agent;
  /** The error of a request that got no answer, or half of it. */
  readonly brokenBy: () => AppError;
}

export interface ForwardLimits {
  readonly signal: AbortSignal;
  readonly maxRequestBytes: number;
  readonly maxResponseBytes: number;
}

/** `error` is why an answer has ended early. */
export type OnEnd = (status: number, error: AppError | undefined) => void;

const hopByHop: ReadonlySet<string> = new Set(hopByHopHeaders);
const withoutBody: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * Resolves when the answer begins; `onEnd` is called when its body has ended. Rejects with an error of the table, and
 * then `onEnd` is not called.
 */
export function forward(
  target: Target,
  request: FunctionRequest,
  limits: ForwardLimits,
  onEnd: OnEnd,
): Promise<FunctionReply> {
  return new Promise((resolve, reject) => {
    const { signal } = limits;
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const upstream = httpRequest({
      socketPath: target.socket,
      agent: target.agent,
      method: request.method,
      path: request.url.pathname + request.url.search,
      headers: headersOf(request),
    });
    const abort = () =>
      upstream.destroy(signal.reason instanceof Error ? signal.reason : undefined);
    signal.addEventListener('abort', abort, { once: true });
    // Node.js reports that the request was closed, and not why.
    let tooLarge: AppError | undefined;
    const because = (error: unknown): AppError => {
      if (signal.reason instanceof AppError) return signal.reason;
      return tooLarge ?? (error instanceof AppError ? error : target.brokenBy());
    };
    // Errors after the beginning of the answer reach its body.
    upstream.on('error', (error) => {
      signal.removeEventListener('abort', abort);
      reject(because(error));
    });
    upstream.once('response', (response) => {
      if ((response.statusCode ?? 0) < 200) {
        // A change of the protocol, which no client of ours has asked for.
        signal.removeEventListener('abort', abort);
        reject(target.brokenBy());
        upstream.destroy();
        return;
      }
      const end = (error: Error | undefined) => {
        signal.removeEventListener('abort', abort);
        onEnd(response.statusCode ?? 502, error && because(error));
      };
      // The rest of what has come with the headers is parsed before.
      process.nextTick(() => resolve(replyOf(response, { ...limits, because }, end)));
    });
    sendBody(request, upstream, limits.maxRequestBytes, (error) => (tooLarge = error));
  });
}

function headersOf(request: FunctionRequest): OutgoingHttpHeaders {
  const { headers, url, requestId } = request;
  const kept: OutgoingHttpHeaders = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && name !== 'expect' && !hopByHop.has(name)) kept[name] = value;
  }
  kept['host'] = url.host;
  kept['x-rowhouse-function-url'] = url.href;
  kept['x-rowhouse-function-request'] = requestId;
  return framed(kept, hasBody(request));
}

const hasBody = ({ method, body }: FunctionRequest): boolean =>
  body !== undefined && !withoutBody.has(method);

function sendBody(
  request: FunctionRequest,
  upstream: NodeJS.WritableStream,
  maxBytes: number,
  onTooLarge: (error: AppError) => void,
): void {
  const { body } = request;
  if (body === undefined || !hasBody(request)) {
    body?.resume();
    upstream.end();
    return;
  }
  const counter = countBytes(maxBytes, { onTooLarge });
  // A failure ends the request, which reports it.
  pipeline(body, counter, upstream, () => undefined);
}

function replyOf(
  response: IncomingMessage,
  limits: AnswerLimits,
  onEnd: (error: Error | undefined) => void,
): FunctionReply {
  const rawHeaders: string[] = [];
  for (let at = 0; at + 1 < response.rawHeaders.length; at += 2) {
    const name = response.rawHeaders[at] ?? '';
    if (!hopByHop.has(name.toLowerCase())) rawHeaders.push(name, response.rawHeaders[at + 1] ?? '');
  }
  return {
    status: response.statusCode ?? 502,
    rawHeaders,
    body: bodyOf(response, limits, onEnd),
  };
}

interface AnswerLimits {
  readonly maxResponseBytes: number;
  /** The error that readers see. */
  readonly because: (error: unknown) => AppError;
}

function bodyOf(
  response: IncomingMessage,
  { maxResponseBytes: maxBytes, because }: AnswerLimits,
  onEnd: (error: Error | undefined) => void,
): FunctionReply['body'] {
  const { readableLength: bytes } = response;
  if (response.complete && bytes > 0 && bytes <= maxBytes) {
    const whole: unknown = response.read();
    if (Buffer.isBuffer(whole)) {
      // Its end frees the connection for the next request.
      response.resume();
      onEnd(undefined);
      return whole;
    }
  }
  const body = countBytes(maxBytes, { because });
  pipeline(response, body, (error) => onEnd(error ?? undefined));
  return body;
}

interface Errors {
  readonly onTooLarge?: (error: AppError) => void;
  /** The error that readers see. */
  readonly because?: (error: unknown) => AppError;
}

function countBytes(maxBytes: number, { onTooLarge, because }: Errors): Transform {
  let bytes = 0;
  return new Transform({
    destroy: (error, done) => done(error && (because?.(error) ?? error)),
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes <= maxBytes) return done(null, chunk);
      const error = fail('FUNCTION_BODY_TOO_LARGE', { limit: maxBytes });
      onTooLarge?.(error);
      done(error);
    },
  });
}
