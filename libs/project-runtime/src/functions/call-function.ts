// Calls of functions by the platform itself: for hooks, triggers and schedules.
import { Readable } from 'node:stream';

import { fail } from '#libs/errors';
import type { FunctionReply } from '#libs/functions';
import { edgePath } from '#libs/wire';

import { callerToken } from './caller-token.js';
import type { ProjectEdgeFunctions } from './project-edge-functions.js';

export interface FunctionCall {
  /** How the function learns of its caller. */
  readonly via: 'hook' | 'trigger' | 'schedule';
  /** JSON. */
  readonly body: string;
  /** The same in every attempt: the id of the request, and the header `x-rowhouse-delivery`. */
  readonly deliveryId: string;
  /** A longer answer is an error; absent: the answer is not read. */
  readonly maxBytes?: number;
  readonly signal: AbortSignal;
}

export interface FunctionAnswer {
  readonly status: number;
  readonly text: string;
}

/**
 * Posts a body to a function by its slug, as the platform. Throws EDGE_FUNCTION_NOT_FOUND, FUNCTIONS_UNAVAILABLE,
 * FUNCTION_BUSY, FUNCTION_CRASHED and FUNCTION_TIMEOUT.
 */
export type CallFunction = (slug: string, call: FunctionCall) => Promise<FunctionAnswer>;

/** The caller that a function sees. */
const platform = {
  role: 'service_role',
  caller: { role: 'service_role', via: 'secret-key' },
  claims: JSON.stringify({ role: 'service_role' }),
} as const;

/** Returns the calls of a project whose address is `url`; `now` is in milliseconds since 1970. */
export function platformCalls(
  functions: ProjectEdgeFunctions,
  { url, now }: { readonly url: () => URL; readonly now: () => number },
): CallFunction {
  return async (slug, { via, body, deliveryId, maxBytes, signal }) => {
    const found = await functions.findBySlug(slug);
    if (!found) throw fail('EDGE_FUNCTION_NOT_FOUND', { slug });
    functions.journal.noteCaller(deliveryId, via);
    const reply = await functions.invoke(found, {
      requestId: deliveryId,
      method: 'POST',
      url: new URL(`${edgePath}/${found.route}`, url()),
      path: '/',
      headers: {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        'x-rowhouse-caller': callerToken(functions.callerKey, platform, { via, now: now() }),
        'x-rowhouse-delivery': deliveryId,
      },
      body: Readable.from([body], { objectMode: false }),
      signal,
    });
    return { status: reply.status, text: await readText(reply.body, maxBytes) };
  };
}

/** Leaving the loop destroys the body, which ends the call. */
async function readText(
  body: FunctionReply['body'],
  maxBytes: number | undefined,
): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of Buffer.isBuffer(body) ? [body] : body) {
    // The body is a stream of bytes.
    if (!Buffer.isBuffer(chunk)) throw new Error('the answer is not made of bytes');
    if (maxBytes === undefined) continue;
    length += chunk.length;
    if (length > maxBytes) throw new Error(`the answer is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
