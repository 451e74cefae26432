import { IncomingMessage } from 'node:http';
import { GetObjectCommand, type GetObjectCommandOutput, type S3Client } from '@aws-sdk/client-s3';
import { aborted } from '../intake.js';
import type { OpenObject, ReadOptions } from '../storage-driver.js';
import { stallMs } from './s3-client.js';
import { isMissing } from './s3-errors.js';
import { watchStall } from './stall-watch.js';
import type { ObjectTarget } from './object-target.js';

/** Opens an object, or a range of it; undefined if it does not exist. Throws errors of the SDK. */
export async function readObject(
  client: S3Client,
  target: ObjectTarget,
  options: ReadOptions,
): Promise<OpenObject | undefined> {
  const { signal } = options;
  const range = rangeHeader(options);
  try {
    const answer = await client.send(
      new GetObjectCommand({ ...target, ...(range !== undefined && { Range: range }) }),
      { ...(signal && { abortSignal: signal }) },
    );
    return opened(answer, range !== undefined, signal);
  } catch (error) {
    if (signal?.aborted) throw aborted(signal);
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function opened(
  answer: GetObjectCommandOutput,
  isRange: boolean,
  signal: AbortSignal | undefined,
): OpenObject {
  const body: unknown = answer.Body;
  if (!(body instanceof IncomingMessage)) throw new Error('The store answered without a body');
  const size = isRange ? wholeSize(answer.ContentRange) : answer.ContentLength;
  if (size === undefined) {
    body.destroy();
    throw new Error('The store did not answer with the requested range');
  }
  tend(body, signal);
  return { body, size };
}

/** The size in e.g. `bytes 0-9/200` (RFC 9110 section 14.4). */
function wholeSize(contentRange: string | undefined): number | undefined {
  const [, size] = /\/(\d+)$/.exec(contentRange ?? '') ?? [];
  return size === undefined ? undefined : Number(size);
}

function rangeHeader({ start = 0, end }: ReadOptions): string | undefined {
  if (start === 0 && end === undefined) return undefined;
  return `bytes=${start}-${end ?? ''}`;
}

/** Ends the transfer when the signal aborts or the store stalls. */
function tend(body: IncomingMessage, signal: AbortSignal | undefined): void {
  const end = (): void => {
    if (signal) body.destroy(aborted(signal));
  };
  const progress = () => body.socket.bytesRead;
  const waitsForStore = () => body.readableLength === 0;
  const unwatch = watchStall(stallMs, progress, waitsForStore, (error) => body.destroy(error));
  signal?.addEventListener('abort', end, { once: true });
  if (signal?.aborted) end();
  body.once('close', () => {
    unwatch();
    signal?.removeEventListener('abort', end);
  });
}
