// Calls of functions by the platform itself: for hooks, triggers and schedules.
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';

import { fail } from '#libs/errors';
import { edgePath } from '#libs/wire';

import { callerToken } from './caller-token.js';
import type { ProjectEdgeFunctions } from './project-edge-functions.js';

/** What a caller reads of an answer; the rest is not kept. */
const maxAnswerBytes = 64 * 1024;

export interface FunctionCall {
  /** How the function learns of its caller. */
  readonly via: 'hook' | 'trigger' | 'schedule';
  /** JSON. */
  readonly body: string;
  /** The same in every attempt; in the header `x-rowhouse-delivery`. */
  readonly deliveryId: string;
  readonly signal: AbortSignal;
}

export interface FunctionAnswer {
  readonly status: number;
  /** The first 64 KiB. */
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
  return async (slug, { via, body, deliveryId, signal }) => {
    const found = await functions.findBySlug(slug);
    if (!found) throw fail('EDGE_FUNCTION_NOT_FOUND', { slug });
    const requestId = randomUUID();
    functions.journal.noteCaller(requestId, via);
    const reply = await functions.invoke(found, {
      requestId,
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
    return { status: reply.status, text: await readStart(reply.body) };
  };
}

async function readStart(body: Readable): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    if (bytes < maxAnswerBytes) parts.push(part);
    bytes += part.length;
  }
  return Buffer.concat(parts).subarray(0, maxAnswerBytes).toString('utf8');
}
