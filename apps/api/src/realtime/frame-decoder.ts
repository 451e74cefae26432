// Packets of clients, checked before any value is made of them: all projects share one event loop, and JSON of a megabyte
// or bytes that are written as JSON can hold it for seconds.
import { Decoder } from 'socket.io-parser';

import { jsonProblem } from '#libs/wire';

/** Takes the place of a frame that is not read. */
export class RefusedFrame {
  constructor(readonly reason: string) {}
}

/** A packet without an answer, which ends the connection. */
export class MalformedPacket extends Error {
  /** A sentence without its subject. */
  constructor(
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`The packet ${reason}`, options);
  }
}

/** Of the value of each frame, the bytes of its whole packet. */
const packetBytes = new WeakMap<object, number>();

/**
 * The bytes in UTF-8 of the packet that brought the value of a frame; 0 for a value that is no object, and so no frame.
 */
export function frameBytes(value: unknown): number {
  return typeof value === 'object' && value !== null ? (packetBytes.get(value) ?? 0) : 0;
}

/** An event: how many attachments follow it, its number of acknowledgement, and its name. */
const eventHead = /^(?:2|5\d{1,9}-)(\d{0,15})\["(rt:[a-z]{1,20})",/;
/** The type of an event in Socket.IO. */
const eventType = 2;

/** The decoder of Socket.IO, for frames of JSON. Throws {@link MalformedPacket}, which ends the connection. */
export class FrameDecoder extends Decoder {
  #bytes = 0;

  constructor() {
    super();
    this.on('decoded', ({ data }) => {
      const [, value]: readonly unknown[] = Array.isArray(data) ? data : [];
      if (typeof value === 'object' && value !== null) packetBytes.set(value, this.#bytes);
    });
  }

  override add(packet: unknown): void {
    // Attachments: the frame that they belong to was refused.
    if (typeof packet !== 'string') return;
    this.#bytes = Buffer.byteLength(packet);
    const reason = problemOf(packet);
    if (reason !== undefined) {
      this.#refuse(packet, reason);
      return;
    }
    try {
      super.add(packet);
    } catch (error) {
      this.#refuse(packet, 'is no packet of Socket.IO with JSON', error);
    }
  }

  #refuse(packet: string, reason: string, cause?: unknown): void {
    const [head, id, event] = eventHead.exec(packet) ?? [];
    if (head === undefined) throw new MalformedPacket(reason, { cause });
    const data = [event, new RefusedFrame(reason)];
    const answered = id === '' ? {} : { id: Number(id) };
    this.emitReserved('decoded', { type: eventType, nsp: '/', data, ...answered });
  }
}

/** Why a packet is not read, as a sentence without its subject. */
function problemOf(packet: string): string | undefined {
  if (/^[56]/.test(packet)) return 'has bytes; a frame is JSON';
  if (/^[1-4]\//.test(packet)) return 'is of another namespace; there is only /';
  return jsonProblem(packet);
}
