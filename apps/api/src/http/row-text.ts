import { isUtf8 } from 'node:buffer';
import { StringDecoder } from 'node:string_decoder';

import { fail } from '#libs/errors';
import type { Steps } from '#libs/steps';

/** Bytes of one step. A megabyte of letters beyond ASCII takes 4 ms. */
export const stepBytes = 1024 * 1024;
/** Longer bodies wait for their turn before they are processed. */
const longBytes = 64 * 1024;

const isBinary = /^application\/octet-stream/i;

/** Text unchanged, in steps; bytes in PostgreSQL's text form. Throws PGRST102 for text that is not UTF-8. */
export function* rowText(bytes: Buffer, contentType: string): Steps<string> {
  if (bytes.length > longBytes) yield;
  const isHex = isBinary.test(contentType);
  if (!isHex && !isUtf8(bytes)) throw fail('PGRST102', { reason: 'it is not UTF-8' });
  const decoder = new StringDecoder(isHex ? 'hex' : 'utf8');
  const parts = isHex ? ['\\x'] : [];
  for (let at = 0; at < bytes.length; at += stepBytes) {
    if (at > 0) yield;
    parts.push(decoder.write(bytes.subarray(at, at + stepBytes)));
  }
  return parts.join('');
}
