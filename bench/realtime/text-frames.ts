// WebSocket frames of text (RFC 6455 section 5.2), as little of them as a load client and a bare server need.

const FINAL_TEXT = 0x81;
const MASKED = 0x80;
const MASK_BYTES = 4;
const LENGTH_IN_16_BITS = 126;
const LENGTH_IN_64_BITS = 127;

function lengthBytes(length: number, flag: number): Buffer {
  if (length < LENGTH_IN_16_BITS) return Buffer.from([flag | length]);
  if (length < 65_536) {
    const bytes = Buffer.from([flag | LENGTH_IN_16_BITS, 0, 0]);
    bytes.writeUInt16BE(length, 1);
    return bytes;
  }
  const bytes = Buffer.alloc(9, flag | LENGTH_IN_64_BITS);
  bytes.writeBigUInt64BE(BigInt(length), 1);
  return bytes;
}

/** A frame as a server sends it. */
export function serverFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  return Buffer.concat([Buffer.from([FINAL_TEXT]), lengthBytes(payload.length, 0), payload]);
}

/** A frame as a client sends it. The mask is nought, so that the payload stays as it is. */
export function clientFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const mask = Buffer.alloc(MASK_BYTES);
  return Buffer.concat([
    Buffer.from([FINAL_TEXT]),
    lengthBytes(payload.length, MASKED),
    mask,
    payload,
  ]);
}

interface Head {
  readonly bytes: number;
  readonly payload: number;
  readonly mask: Buffer | undefined;
}

/** Undefined while the head has not arrived as a whole. */
function headOf(buffer: Buffer): Head | undefined {
  if (buffer.length < 2) return undefined;
  const second = buffer[1] ?? 0;
  const short = second & 0x7f;
  const wide = short === LENGTH_IN_16_BITS ? 2 : short === LENGTH_IN_64_BITS ? 8 : 0;
  const isMasked = (second & MASKED) !== 0;
  const bytes = 2 + wide + (isMasked ? MASK_BYTES : 0);
  if (buffer.length < bytes) return undefined;
  const payload =
    wide === 0 ? short : wide === 2 ? buffer.readUInt16BE(2) : Number(buffer.readBigUInt64BE(2));
  return {
    bytes,
    payload,
    mask: isMasked ? buffer.subarray(bytes - MASK_BYTES, bytes) : undefined,
  };
}

function unmask(payload: Buffer, mask: Buffer | undefined): Buffer {
  if (mask === undefined || mask.every((byte) => byte === 0)) return payload;
  return Buffer.from(payload.map((byte, index) => byte ^ (mask[index % MASK_BYTES] ?? 0)));
}

const CLOSE = 0x8;

/** Cuts what arrives into the payloads of frames. A payload is only valid until `take` returns. */
export class FrameReader {
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  /** Bytes without which the next frame is not whole. */
  #needed = 2;

  constructor(private readonly take: (payload: Buffer) => void) {}

  /** Throws when the other side closes or sends what is not a whole text. */
  push(chunk: Buffer): void {
    this.#pending.push(chunk);
    this.#pendingBytes += chunk.length;
    if (this.#pendingBytes < this.#needed) return;
    let rest = this.#pending.length === 1 ? chunk : Buffer.concat(this.#pending);
    for (;;) {
      const head = headOf(rest);
      const end = head === undefined ? undefined : head.bytes + head.payload;
      if (head === undefined || end === undefined || rest.length < end) {
        this.#needed = end ?? rest.length + 1;
        break;
      }
      const first = rest[0] ?? 0;
      if ((first & 0x0f) === CLOSE) throw new Error('The other side has closed the connection');
      if (first !== FINAL_TEXT) throw new Error(`A frame begins with ${String(first)}`);
      this.take(unmask(rest.subarray(head.bytes, end), head.mask));
      rest = rest.subarray(end);
    }
    this.#pending = rest.length === 0 ? [] : [rest];
    this.#pendingBytes = rest.length;
  }
}
