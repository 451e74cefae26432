import type { IncomingMessage } from 'node:http';

import { fail } from '#libs/errors';

import { Arrivals } from './arrivals.js';
import type { HeldBody } from './body-budget.js';

/** The time in which a body must arrive completely, in milliseconds. */
const defaultArrivalMs = 60_000;
/** A longer body is read in turns and counted. */
const longBytes = 64 * 1024;
const retryAfterSeconds = 5;

const arrivals = new Arrivals();

export interface ReadLimits {
  readonly maxBytes: number;
  readonly arrivalMs?: number;
  /** Begins to count a long body. The caller releases a body that was read; absent: it is not counted. */
  readonly hold?: () => HeldBody;
}

/**
 * Reads the whole body of a request. Throws BODY_TOO_LARGE if it has more than `maxBytes`; if others hold too much
 * memory, SERVER_BUSY or what the lookup of the caller throws; all of these leave the rest unread. Throws
 * REQUEST_TIMEOUT if the body has not arrived in time; REQUEST_ABORTED if the client disconnects.
 */
export function readBytes(
  payload: IncomingMessage,
  { maxBytes, arrivalMs = defaultArrivalMs, hold }: ReadLimits,
): Promise<Buffer> {
  if (Number(payload.headers['content-length'] ?? 0) > maxBytes) {
    return Promise.reject(fail('BODY_TOO_LARGE', { maxBytes }));
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let isOver = false;
    let held: HeldBody | undefined;
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
      held?.release();
      payload.pause();
      reject(error);
    };
    /** The first bytes of a body are counted when it turns out to be long. */
    const isRoom = (): boolean => {
      held ??= hold?.();
      return held?.take(length - held.bytes) !== false;
    };
    /** A caller who turns out to be signed in may find room where a stranger has none. */
    const findRoom = async (): Promise<void> => {
      payload.pause();
      const isProven = await held?.prove();
      if (isOver) return;
      if (isProven && isRoom()) goOn();
      else refuse(fail('SERVER_BUSY', {}, { retryAfterSeconds }));
    };
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      chunks.push(chunk);
      if (length > maxBytes) refuse(fail('BODY_TOO_LARGE', { maxBytes }));
      else if (length <= longBytes) return;
      else if (!isRoom()) findRoom().catch(refuse);
      else if (!arrivals.count(chunk.length, goOn)) payload.pause();
    };
    const onEnd = (): void => {
      stop();
      resolve(joined(chunks, length));
    };
    const onError = (cause: Error): void => refuse(fail('REQUEST_ABORTED', {}, { cause }));
    const onLate = (): void =>
      refuse(fail('REQUEST_TIMEOUT', {}, { headers: { connection: 'close' } }));
    const timer = setTimeout(onLate, arrivalMs);
    payload.on('data', onData).on('end', onEnd).on('error', onError);
  });
}

/** Most bodies are one chunk, which is not copied. */
function joined(chunks: readonly Buffer[], length: number): Buffer {
  const [first] = chunks;
  return first && chunks.length === 1 ? first : Buffer.concat(chunks, length);
}
