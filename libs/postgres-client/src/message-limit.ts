// pg assembles each server message and converts it to texts before any other code sees it. A text longer than Node.js
// allows throws in the socket's listener, which ends the process. Code of a project decides how long an error, a notice
// or a setting is.
import type { Duplex } from 'node:stream';

/** The longest row that is read; bytes. */
const maxRowBytes = 128 * 1024 * 1024;
/** The longest of the other messages, such as an error or a notice; bytes. */
const maxOtherBytes = 16 * 1024 * 1024;
const headerBytes = 5;
const dataRow = 0x44;

/** Why a connection was destroyed: the message is longer than the limit. */
export class MessageTooLong extends Error {
  constructor(bytes: number, limit: number) {
    super(`The server sent a message of ${bytes} bytes; the limit is ${limit}`);
  }
}

/** Destroys the connection if a message is longer than the limits. Called before pg reads anything. */
export function limitMessages(stream: Duplex): void {
  const header = Buffer.alloc(headerBytes);
  let filled = 0;
  /** The remaining bytes of the message whose header was read. */
  let left = 0;
  stream.prependListener('data', (chunk: Buffer) => {
    let at = 0;
    while (at < chunk.length && !stream.destroyed) {
      if (left > 0) {
        const passed = Math.min(left, chunk.length - at);
        left -= passed;
        at += passed;
        continue;
      }
      const copied = chunk.copy(header, filled, at);
      at += copied;
      filled += copied;
      if (filled < headerBytes) return;
      filled = 0;
      const length = header.readInt32BE(1);
      const limit = header[0] === dataRow ? maxRowBytes : maxOtherBytes;
      if (length > limit) {
        stream.destroy(new MessageTooLong(length, limit));
      }
      // The length includes itself.
      left = length - 4;
    }
  });
}
