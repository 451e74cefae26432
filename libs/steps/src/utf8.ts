import { isUtf8 } from 'node:buffer';

import type { Steps } from './steps.js';

/** Bytes per step: less than a millisecond, whatever they are. */
export const stepBytes = 128 * 1024;

/** Whether `bytes` are UTF-8, in steps. */
export function* checkUtf8(bytes: Buffer): Steps<boolean> {
  for (const part of partsOf(bytes)) {
    if (part.byteOffset > bytes.byteOffset) yield;
    if (!isUtf8(part)) return false;
  }
  return true;
}

/** The text of bytes that are UTF-8, in steps. */
export function* decodeUtf8(bytes: Buffer): Steps<string> {
  const texts: string[] = [];
  for (const part of partsOf(bytes)) {
    if (texts.length > 0) yield;
    texts.push(part.toString('utf8'));
  }
  return texts.join('');
}

function* partsOf(bytes: Buffer): Generator<Buffer, void, void> {
  for (let start = 0; start < bytes.length;) {
    const end = characterStart(bytes, start + stepBytes);
    yield bytes.subarray(start, end);
    start = end;
  }
}

/** The position in front of the character that is cut at `at`. Bytes that are not UTF-8 are cut anywhere. */
function characterStart(bytes: Buffer, at: number): number {
  if (at >= bytes.length) return bytes.length;
  let start = at;
  while (start > at - 3 && isContinuation(bytes[start])) start--;
  return start;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
