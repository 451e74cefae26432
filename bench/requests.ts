// Builds the requests of a round as text, once, so that sending one costs the load process nothing.

import type { HttpCall } from './case.js';

// Enough for every statement, page and session to be met again and again in a round, few enough to be
// handed to the load process quickly.
const REQUESTS_PER_ROUND = 2_000;
// Requests with a large body are fewer, or handing them over would take longer than the round.
const BYTES_PER_ROUND = 4_000_000;

// Steps through keys and sessions without repeating neighbors: both are coprime to the sizes used.
const KEY_STEP = 7_919;
const SESSION_STEP = 104_729;

export interface RequestMix {
  readonly host: string;
  readonly keys: number;
  readonly sessions: number;
  call(key: number): HttpCall;
  /** The bearer token of a session; absent: no user signs in. */
  bearer?(session: number): string;
}

/** One HTTP/1.1 request; `content-length` only where there is a body. */
export function requestText(host: string, call: HttpCall, bearer?: string): string {
  const lines = [`${call.method} ${call.path} HTTP/1.1`, `Host: ${host}`];
  if (bearer !== undefined) lines.push(`Authorization: Bearer ${bearer}`);
  for (const [name, value] of Object.entries(call.headers ?? {})) lines.push(`${name}: ${value}`);
  if (call.body !== undefined) {
    lines.push('Content-Type: application/json');
    lines.push(`Content-Length: ${String(Buffer.byteLength(call.body))}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n${call.body ?? ''}`;
}

/** The requests of a round: keys and sessions rotate independently. */
export function buildRequests(mix: RequestMix): string[] {
  const bytes = requestText(mix.host, mix.call(1)).length;
  const length = Math.min(REQUESTS_PER_ROUND, Math.ceil(BYTES_PER_ROUND / bytes));
  return Array.from({ length }, (_, index) => {
    const key = 1 + ((index * KEY_STEP) % mix.keys);
    const session = 1 + ((index * SESSION_STEP) % mix.sessions);
    return requestText(mix.host, mix.call(key), mix.bearer?.(session));
  });
}
