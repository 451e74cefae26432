import type { IncomingMessage } from 'node:http';

import { fail } from '#libs/errors';

import { Arrivals } from './arrivals.js';

/** The time in which a body must arrive completely, in milliseconds. */
const defaultArrivalMs = 60_000;
/** A body of at least this length is read in turns. */
const longBytes = 64 * 1024;

const arrivals = new Arrivals();

export interface ReadLimits {
  readonly maxBytes: number;
  readonly arrivalMs?: number;
}

/**
 * Reads the whole body of a request. Throws BODY_TOO_LARGE if it has more than `maxBytes`, and leaves the rest unread;
 * REQUEST_TIMEOUT if the body has not arrived in time; REQUEST_ABORTED if the client disconnects.
 */
export function readBytes(
  payload: IncomingMessage,
  { maxBytes, arrivalMs = defaultArrivalMs }: ReadLimits,
): Promise<Buffer> {
  if (Number(payload.headers['content-length'] ?? 0) > maxBytes) {
    return Promise.reject(fail('BODY_TOO_LARGE', { maxBytes }));
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let isOver = false;
    const goOn = (): void => {
      if (!isOver) payload.resume();
    };
    const stop = (): void => {
      isOver = true;
      clearTimeout(timer);
      payload.off('data', onData).off('end', onEnd).off('error', onError);
    };
    const refuse = (error: Error): void => {
      stop();
      payload.pause();
      reject(error);
    };
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      chunks.push(chunk);
      if (length > maxBytes) refuse(fail('BODY_TOO_LARGE', { maxBytes }));
      else if (length > longBytes && !arrivals.count(chunk.length, goOn)) payload.pause();
    };
    const onEnd = (): void => {
      stop();
      resolve(Buffer.concat(chunks, length));
    };
    const onError = (cause: Error): void => refuse(fail('REQUEST_ABORTED', {}, { cause }));
    const onLate = (): void =>
      refuse(fail('REQUEST_TIMEOUT', {}, { headers: { connection: 'close' } }));
    const timer = setTimeout(onLate, arrivalMs);
    payload.on('data', onData).on('end', onEnd).on('error', onError);
  });
}
