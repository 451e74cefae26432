// The few requests that set a run up: one at a time, JSON both ways, over a kept connection, timed.

import { Agent, request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

const LIMIT_MS = 60_000;

export interface ControlCall {
  readonly port: number;
  /** The Host header: project hosts have no address of their own in DNS. */
  readonly host: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Absent: the one connection that all such requests share. */
  readonly agent?: Agent;
}

export interface ControlReply {
  readonly status: number;
  /** The header `Content-Range`; empty when there is none. */
  readonly range: string;
  readonly body: unknown;
  /** From the first byte sent to the last received. */
  readonly ms: number;
}

const oneConnection = new Agent({ keepAlive: true, maxSockets: 1 });

function send(call: ControlCall, body: string | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        agent: call.agent ?? oneConnection,
        host: '127.0.0.1',
        port: call.port,
        method: call.method,
        path: call.path,
        timeout: LIMIT_MS,
        headers: {
          host: call.host,
          ...(body === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
          ...call.headers,
        },
      },
      resolve,
    );
    outgoing.on('timeout', () => outgoing.destroy(new Error(`${call.path} did not answer`)));
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function parseBody(received: string): unknown {
  try {
    return received === '' ? undefined : JSON.parse(received);
  } catch (error) {
    if (error instanceof SyntaxError) return received;
    throw error;
  }
}

export async function callAny(call: ControlCall): Promise<ControlReply> {
  const startedAt = performance.now();
  const reply = await send(call, call.body === undefined ? undefined : JSON.stringify(call.body));
  const received = await text(reply);
  const ms = performance.now() - startedAt;
  const range = reply.headers['content-range'] ?? '';
  return { status: reply.statusCode ?? 0, range, body: parseBody(received), ms };
}

/** Like `callAny`, but any other status than 2xx is an error that shows what was answered. */
export async function call(outgoing: ControlCall): Promise<ControlReply> {
  const reply = await callAny(outgoing);
  if (reply.status >= 200 && reply.status < 300) return reply;
  throw new Error(
    `${outgoing.method} ${outgoing.path} answered ${String(reply.status)}: ` +
      JSON.stringify(reply.body)?.slice(0, 500),
  );
}

/** A text field of an answer; throws when it is not there. */
export function textField(body: unknown, name: string): string {
  const fields: Record<string, unknown> =
    typeof body === 'object' && body !== null ? { ...body } : {};
  const value = fields[name];
  if (typeof value !== 'string') throw new Error(`The answer has no text field ${name}`);
  return value;
}

/** Closes the kept connections. */
export function closeControl(): void {
  oneConnection.destroy();
}
