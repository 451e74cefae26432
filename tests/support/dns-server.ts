// A name server over UDP that answers from tables (RFC 1035 §4), for tests on one machine.
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

const types = { A: 1, CNAME: 5, TXT: 16, AAAA: 28 } as const;
const headerLength = 12;

export class DnsServer {
  /** The texts of each name, in lower case. A name that is in no table does not exist. */
  readonly records = new Map<string, readonly string[]>();
  /** The IPv4 addresses of each name. */
  readonly addresses = new Map<string, readonly string[]>();
  /** The name that the CNAME record of a name has. Its addresses are those of that name. */
  readonly aliases = new Map<string, string>();
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
    const { name, type, end } = questionIn(question);
    this.asked.push(name);
    if (this.isSilent) return undefined;
    const found = this.recordsFor(name, type);
    const isKnown = [this.records, this.addresses, this.aliases].some((table) => table.has(name));
    const header = Buffer.from(question.subarray(0, headerLength));
    // A response, recursion available; "no such name" where no table has it.
    header.writeUInt16BE(isKnown ? 0x8180 : 0x8183, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(found.length, 6);
    header.writeUInt32BE(0, 8);
    return Buffer.concat([header, question.subarray(headerLength, end), ...found]);
  }

  private recordsFor(name: string, type: number): readonly Buffer[] {
    if (type === types.TXT) return (this.records.get(name) ?? []).map(txtRecord);
    const alias = this.aliases.get(name);
    if (alias !== undefined) {
      const cname = record(types.CNAME, wireName(alias));
      if (type === types.CNAME) return [cname];
      const behind = type === types.A ? (this.addresses.get(alias) ?? []) : [];
      return [
        cname,
        ...behind.map((address) => record(types.A, bytesOf(address), wireName(alias))),
      ];
    }
    if (type !== types.A) return [];
    return (this.addresses.get(name) ?? []).map((address) => record(types.A, bytesOf(address)));
  }
}

function questionIn(question: Buffer): {
  readonly name: string;
  readonly type: number;
  readonly end: number;
} {
  const labels: string[] = [];
  let at = headerLength;
  for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  // The zero at the end of the name, then type and class.
  return { name: labels.join('.').toLowerCase(), type: question.readUInt16BE(at + 1), end: at + 5 };
}

const bytesOf = (address: string): Buffer => Buffer.from(address.split('.').map(Number));

function wireName(name: string): Buffer {
  const labels = name.split('.').map((text) => {
    const bytes = Buffer.from(text);
    return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  });
  return Buffer.concat([...labels, Buffer.from([0])]);
}

/** Texts are cut into pieces of 255 bytes. */
function txtRecord(text: string): Buffer {
  const bytes = Buffer.from(text);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 255) {
    const piece = bytes.subarray(at, at + 255);
    pieces.push(Buffer.from([piece.length]), piece);
  }
  return record(types.TXT, Buffer.concat(pieces));
}

/** A record of a name; by default that of the question, to which a pointer leads. */
function record(type: number, data: Buffer, name: Buffer = questionName): Buffer {
  const head = Buffer.alloc(10);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(1, 2);
  head.writeUInt32BE(0, 4);
  head.writeUInt16BE(data.length, 8);
  return Buffer.concat([name, head, data]);
}

const questionName = Buffer.from([0xc0, headerLength]);
