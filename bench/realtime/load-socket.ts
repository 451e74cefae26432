// One connection of Socket.IO without its client, which takes too much memory and time for thousands of them.

import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { clientFrame, FrameReader } from './text-frames.js';

export interface SocketTarget {
  readonly port: number;
  /** The Host header. */
  readonly host: string;
}

export interface SocketOptions {
  /** `auth` of Socket.IO. */
  readonly auth: object;
  /** The address of this machine from which it connects; absent: the system's choice. */
  readonly from?: string;
  /** Receives each event packet: `42["name",payload]`. The bytes are only valid until it returns. */
  readonly take: (packet: Buffer) => void;
}

const LIMIT_MS = 60_000;
// Packets of Engine.IO and Socket.IO, as the first characters of a text.
const OPEN = '0';
const PING = '2';
const PONG = '3';
const CONNECT = '40';
const EVENT = '42';
const ACK = '43';
const REFUSED = '44';
const ASCII_FOUR = 0x34;
const ASCII_TWO = 0x32;

/** Milliseconds of a clock that all processes of this machine share. */
export function machineMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

export class LoadSocket {
  readonly #acks = new Map<number, (answer: unknown) => void>();
  #nextAck = 0;
  #failure: Error | undefined;
  #connected: ((error?: Error) => void) | undefined;

  private constructor(
    private readonly socket: Socket,
    private readonly options: SocketOptions,
  ) {}

  /** Connects; rejects with what the server says when it refuses. */
  static async open(target: SocketTarget, options: SocketOptions): Promise<LoadSocket> {
    const { from } = options;
    const socket = connect({
      host: '127.0.0.1',
      port: target.port,
      noDelay: true,
      ...(from === undefined ? {} : { localAddress: from }),
    });
    const opened = new LoadSocket(socket, options);
    await opened.#begin(target.host);
    return opened;
  }

  /** Why the connection ended; undefined while it is open. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** Sends an event and gives its acknowledgement. */
  ask(event: string, payload: object): Promise<unknown> {
    const id = this.#nextAck;
    this.#nextAck += 1;
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) {
        reject(this.#failure);
        return;
      }
      const limit = setTimeout(() => reject(new Error(`${event} was not acknowledged`)), LIMIT_MS);
      this.#acks.set(id, (answer) => {
        clearTimeout(limit);
        if (answer instanceof Error) reject(answer);
        else resolve(answer);
      });
      this.socket.write(clientFrame(`${EVENT}${String(id)}${JSON.stringify([event, payload])}`));
    });
  }

  close(): void {
    this.#failure ??= new Error('The connection was closed here');
    this.socket.destroy();
  }

  #begin(host: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const limit = setTimeout(() => this.#end(new Error('No connection in time')), LIMIT_MS);
      this.#connected = (error) => {
        clearTimeout(limit);
        this.#connected = undefined;
        if (error === undefined) resolve();
        else reject(error);
      };
      this.socket.on('error', (error) => this.#end(error));
      this.socket.on('close', () => this.#end(new Error('The connection has ended')));
      this.#shakeHands(host);
    });
  }

  #shakeHands(host: string): void {
    const lines = [
      'GET /ws/?EIO=4&transport=websocket HTTP/1.1',
      `Host: ${host}`,
      'Upgrade: websocket',
      'Connection: Upgrade',
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
      'Sec-WebSocket-Version: 13',
    ];
    this.socket.write([...lines, '', ''].join('\r\n'));
    const reader = new FrameReader((payload) => this.#receive(payload));
    let head = Buffer.alloc(0);
    const readHead = (chunk: Buffer): void => {
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      const status = head.subarray(0, head.indexOf('\r\n')).toString('latin1');
      if (!status.startsWith('HTTP/1.1 101')) {
        this.#end(new Error(`The upgrade was answered ${status}`));
        return;
      }
      this.socket.off('data', readHead);
      this.socket.on('data', (later: Buffer) => this.#push(reader, later));
      this.#push(reader, head.subarray(end + 4));
    };
    this.socket.on('data', readHead);
  }

  #push(reader: FrameReader, chunk: Buffer): void {
    try {
      reader.push(chunk);
    } catch (error) {
      this.#end(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #receive(payload: Buffer): void {
    // The most frequent kind first, without making a text of it.
    if (payload[0] === ASCII_FOUR && payload[1] === ASCII_TWO) this.options.take(payload);
    else this.#receiveText(payload.toString());
  }

  #receiveText(text: string): void {
    if (text === PING) this.socket.write(clientFrame(PONG));
    else if (text.startsWith(OPEN)) {
      this.socket.write(clientFrame(`${CONNECT}${JSON.stringify(this.options.auth)}`));
    } else if (text.startsWith(CONNECT)) this.#connected?.();
    else if (text.startsWith(REFUSED)) this.#end(new Error(`The server refuses: ${text}`));
    else if (text.startsWith(ACK)) this.#acknowledge(text.slice(ACK.length));
  }

  #acknowledge(text: string): void {
    const from = text.indexOf('[');
    const id = Number(text.slice(0, from));
    const values: unknown = JSON.parse(text.slice(from));
    this.#acks.get(id)?.(Array.isArray(values) ? values[0] : undefined);
    this.#acks.delete(id);
  }

  #end(error: Error): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    this.socket.destroy();
    this.#connected?.(error);
    for (const settle of this.#acks.values()) settle(error);
    this.#acks.clear();
  }
}

/** An answer to a frame; throws unless it says `ok`. */
export function okAnswer(answer: unknown): Readonly<Record<string, unknown>> {
  const fields: Record<string, unknown> =
    typeof answer === 'object' && answer !== null ? { ...answer } : {};
  if (fields['status'] === 'ok') return fields;
  throw new Error(`A frame was answered ${JSON.stringify(answer)}`);
}

/** Joins a topic, with the changes of tables unless there are none. */
export async function joinTopic(
  socket: LoadSocket,
  { topic, tables = [], resume }: TopicJoin,
): Promise<Readonly<Record<string, unknown>>> {
  const config = { postgres_changes: tables.map((table) => ({ table })) };
  return okAnswer(await socket.ask('rt:join', { topic, config, resume }));
}

export interface TopicJoin {
  readonly topic: string;
  readonly tables?: readonly string[];
  readonly resume?: string;
}
