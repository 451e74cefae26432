import { fail } from '#libs/errors';
import { checkUtf8, stepBytes, type Steps } from '#libs/steps';

/** Longer bodies wait for their turn before they are processed. */
const longBytes = 64 * 1024;

const isBinary = /^application\/octet-stream/i;

/** Text unchanged; bytes in PostgreSQL's text form, in steps. Throws PGRST102 for text that is not UTF-8. */
export function* rowBytes(bytes: Buffer, contentType: string): Steps<Buffer> {
  if (bytes.length > longBytes) yield;
  if (isBinary.test(contentType)) return yield* hexOf(bytes);
  if (!(yield* checkUtf8(bytes))) throw fail('PGRST102', { reason: 'it is not UTF-8' });
  return bytes;
}

function* hexOf(bytes: Buffer): Steps<Buffer> {
  const text = Buffer.allocUnsafe(2 + 2 * bytes.length);
  let end = text.write('\\x', 'latin1');
  for (let at = 0; at < bytes.length; at += stepBytes) {
    if (at > 0) yield;
    end += text.write(bytes.toString('hex', at, at + stepBytes), end, 'latin1');
  }
  return text;
}
