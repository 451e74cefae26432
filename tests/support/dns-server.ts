// A name server over UDP that answers TXT questions from a table (RFC 1035 §4), for tests on one machine.
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

const txtType = 16;
const headerLength = 12;

export class DnsServer {
  /** The texts of each name, in lower case. A name that is not here does not exist. */
  readonly records = new Map<string, readonly string[]>();
  /** The names that were asked for, in order. */
  readonly asked: string[] = [];
  /** While this is set, questions get no answer. */
  isSilent = false;

  private constructor(private readonly socket: Socket) {
    socket.on('message', (question, { port, address }) => {
      const answer = this.answer(question);
      if (answer) socket.send(answer, port, address);
    });
  }

  static async open(): Promise<DnsServer> {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new DnsServer(socket);
  }

  /** As resolvers want it: `127.0.0.1:port`. */
  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  async close(): Promise<void> {
    this.socket.close();
    await once(this.socket, 'close');
  }

  private answer(question: Buffer): Buffer | undefined {
    const { name, end } = nameIn(question);
    this.asked.push(name);
    if (this.isSilent) return undefined;
    const texts = this.records.get(name) ?? [];
    const header = Buffer.from(question.subarray(0, headerLength));
    // A response, recursion available; "no such name" where the table has none.
    header.writeUInt16BE(texts.length > 0 ? 0x8180 : 0x8183, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(texts.length, 6);
    header.writeUInt32BE(0, 8);
    return Buffer.concat([header, question.subarray(headerLength, end), ...texts.map(txtRecord)]);
  }
}

function nameIn(question: Buffer): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let at = headerLength;
  for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  // The zero at the end of the name, then type and class.
  return { name: labels.join('.').toLowerCase(), end: at + 5 };
}

/** The name is a pointer to the question. Texts are cut into pieces of 255 bytes. */
function txtRecord(text: string): Buffer {
  const bytes = Buffer.from(text);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 255) {
    const piece = bytes.subarray(at, at + 255);
    pieces.push(Buffer.from([piece.length]), piece);
  }
  const data = Buffer.concat(pieces);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc000 + headerLength, 0);
  head.writeUInt16BE(txtType, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(0, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
