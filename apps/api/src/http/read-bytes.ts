import type { Readable } from 'node:stream';

import { fail } from '#libs/errors';

/**
 * The whole body of a request. Throws BODY_TOO_LARGE as soon as more than `maxBytes` have come, with the
 * rest left unread, and REQUEST_ABORTED when the client goes before the end.
 */
export function readBytes(payload: Readable, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const stop = (): void => {
      payload.off('data', onData).off('end', onEnd).off('error', onError);
    };
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      chunks.push(chunk);
      if (length <= maxBytes) return;
      stop();
      reject(fail('BODY_TOO_LARGE', { maxBytes }));
    };
    const onEnd = (): void => {
      stop();
      resolve(Buffer.concat(chunks, length));
    };
    const onError = (cause: Error): void => {
      stop();
      reject(fail('REQUEST_ABORTED', {}, { cause }));
    };
    payload.on('data', onData).on('end', onEnd).on('error', onError);
  });
}
