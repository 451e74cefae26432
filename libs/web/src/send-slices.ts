import { Readable } from 'node:stream';

import type { FastifyReply } from 'fastify';

import { requireSpeed } from './reader-watch.js';

/** A body of known length whose bytes are produced in slices. */
export interface SlicedBody {
  readonly length: number;
  slices(): AsyncIterable<Buffer>;
}

/** Sends a body as fast as its client reads it. The reader watch closes a client that reads too slowly. */
export function sendSlices(reply: FastifyReply, body: SlicedBody): void {
  // A response has no socket while the answer to an earlier request of the connection is being sent.
  reply.raw.once('close', requireSpeed(reply.request.raw.socket));
  reply.header('content-length', String(body.length));
  reply.send(Readable.from(body.slices(), { objectMode: false }));
}
