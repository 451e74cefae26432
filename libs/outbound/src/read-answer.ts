import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';

/** The encodings that {@link readText} decodes, as the header of a request. */
export const acceptedEncodings = 'gzip, br';

/** An answer that cannot be used. Its message is for the log and for administrators. */
export class UnusableAnswer extends Error {}

/**
 * Returns the body as text, read as UTF-8. Counts the inflated bytes and stops at the first byte over `maxBytes`, so
 * that a larger answer is never held in memory. Throws {@link UnusableAnswer} for that, and for an encoding that was
 * not requested.
 */
export async function readText(answer: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of inflated(answer)) {
    // Neither the socket nor zlib has an encoding, so they emit bytes.
    if (!Buffer.isBuffer(chunk)) throw new UnusableAnswer('the answer is not made of bytes');
    bytes += chunk.length;
    if (bytes > maxBytes) {
      throw new UnusableAnswer(`the answer is larger than ${maxBytes} bytes`);
    }
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

function inflated(answer: IncomingMessage): Readable {
  const inflater = inflaterOf(answer.headers['content-encoding'] ?? 'identity');
  if (inflater === undefined) return answer;
  // A failure of either ends both; the reader of the inflater receives it.
  return pipeline(answer, inflater, () => undefined);
}

function inflaterOf(encoding: string): Transform | undefined {
  switch (encoding.trim().toLowerCase()) {
    case 'identity':
    case '':
      return undefined;
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'br':
      return createBrotliDecompress();
    default:
      throw new UnusableAnswer('the answer has an encoding that was not requested');
  }
}
