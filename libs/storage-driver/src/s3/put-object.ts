// Sends content of known length to the store in one request while it arrives, without buffering it.
import { Readable } from 'node:stream';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import type { Intake } from '../intake.js';
import type { ObjectWrite } from './object-target.js';
import { partMs, stallMs } from './s3-client.js';
import { watchStall } from './stall-watch.js';

/** The longest object that one request may carry (S3 API Reference, PutObject). */
export const maxPutBytes = 5 * 1024 ** 3;

/** Sends the content; the store ends it after exactly `size` bytes. Throws errors of the SDK. */
export async function putStream(write: ObjectWrite, intake: Intake, size: number): Promise<void> {
  const { client, target, mediaType, signal } = write;
  const ended = new AbortController();
  const end = (): void => ended.abort();
  const body = Readable.from(intake.chunks(), { objectMode: false });
  // The request does not notice this by itself, and would wait for the missing bytes.
  body.once('error', end);
  signal.addEventListener('abort', end, { once: true });
  let stall: Error | undefined;
  const progress = () => intake.size;
  const waitsForStore = () => intake.size === size || body.readableLength > 0;
  const unwatch = watchStall(stallMs, progress, waitsForStore, (error) => {
    stall = error;
    end();
  });
  try {
    await client.send(
      new PutObjectCommand({ ...target, Body: body, ContentLength: size, ContentType: mediaType }),
      { abortSignal: ended.signal, requestTimeout: 0 },
    );
  } catch (error) {
    throw stall ?? error;
  } finally {
    unwatch();
    signal.removeEventListener('abort', end);
    body.destroy();
  }
}

/** Sends bytes from memory. Throws errors of the SDK. */
export async function putBytes(write: ObjectWrite, bytes: Buffer): Promise<void> {
  const { client, target, mediaType, signal } = write;
  await client.send(new PutObjectCommand({ ...target, Body: bytes, ContentType: mediaType }), {
    abortSignal: signal,
    requestTimeout: partMs,
  });
}
