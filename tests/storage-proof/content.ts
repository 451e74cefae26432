// Content that says of itself what it is: its number and its length, and bytes that follow from both. Any part that
// is not of the same content shows.
import { createCipheriv } from 'node:crypto';

const headBytes = 8;

/** The content with this number, `size` bytes long. Shorter than its head it is the beginning of it. */
export function contentOf(seed: number, size: number): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeUInt32BE(seed, 0);
  head.writeUInt32BE(size, 4);
  if (size <= headBytes) return head.subarray(0, size);
  const key = Buffer.concat([head, head]);
  const cipher = createCipheriv('aes-128-ctr', key, Buffer.alloc(16));
  return Buffer.concat([head, cipher.update(Buffer.alloc(size - headBytes))]);
}

/** The number of whole content; undefined for anything else. Of content shorter than its head nothing is known: 0. */
export function seedOf(bytes: Buffer): number | undefined {
  if (bytes.length < headBytes) return 0;
  const seed = bytes.readUInt32BE(0);
  return contentOf(seed, bytes.length).equals(bytes) ? seed : undefined;
}
