// A client that follows changes through every loss of its connection, as docs/realtime.md describes: it keeps the last
// cursor, joins with it again, and ignores entries whose id it knows.
import { setTimeout as delay } from 'node:timers/promises';

import { io, type Socket } from 'socket.io-client';

import type { ProjectUnderTest } from '../support/project.js';

/** One entry of `rt:pg` that was new to the client. */
export interface Received {
  /** Transaction and number of the line, as the server sends them. */
  readonly id: string;
  readonly table: string;
  /** The row after the change. */
  readonly row: Readonly<Record<string, unknown>>;
}

export interface Closing {
  readonly code: string;
  readonly retryAfterMs: number;
}

interface SystemFrame {
  readonly status: string;
  readonly code: string;
  readonly retryAfterMs?: number;
}

interface ChangesFrame {
  readonly e: readonly {
    readonly id: string;
    readonly d: { readonly table: string; readonly new: Record<string, unknown> };
  }[];
  readonly cur?: string;
}

export interface FollowerOptions {
  readonly project: ProjectUnderTest;
  readonly name: string;
  readonly auth: Readonly<Record<string, string>>;
  readonly tables: readonly string[];
  /** What it tracks in the topic after each join; absent: nothing. */
  readonly presence?: object;
  /** Receives each entry once. */
  readonly take: (received: Received) => void;
  /** Called when the client has a newer cursor. */
  readonly advance: () => void;
}

const topic = 'torture';
const connectMs = 10_000;
const ackMs = 20_000;
const retryMs = 150;
/** Ids that are kept: more than a resume can bring again. */
const keptIds = 20_000;

export class Follower {
  /** Entries that came again with an id that was known. */
  repeated = 0;
  joins = 0;
  /** Messages of other clients. */
  messages = 0;
  /** Joins that were answered with `recovered: false`. */
  gaps = 0;
  /** What the server has sent before it ended a connection, and errors of channels. */
  readonly closings: Closing[] = [];
  /** Codes of joins and connections that were refused, and how often. */
  readonly refusals = new Map<string, number>();
  #known = new Set<string>();
  #older = new Set<string>();
  #cursor: string | undefined;
  #socket: Socket | undefined;
  #isJoined = false;
  #isStopped = false;
  #awayMs = 0;
  #running: Promise<void> = Promise.resolve();
  /** Ends the turn of the current connection. */
  #end: () => void = () => undefined;

  constructor(private readonly options: FollowerOptions) {}

  get name(): string {
    return this.options.name;
  }

  get isJoined(): boolean {
    return this.#isJoined;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Ends the connection as a client does whose network is gone, and stays away for a while. */
  drop(awayMs: number): void {
    this.#awayMs = awayMs;
    if (this.#socket) cut(this.#socket);
  }

  /** Sends a message to the other clients of its project, if it is connected. */
  say(payload: object): void {
    if (this.#isJoined) this.#socket?.emit('rt:send', { topic, event: 'said', payload });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#end();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      const socket = this.#open();
      this.#socket = socket;
      const ended = new Promise<void>((resolve) => (this.#end = resolve));
      const limit = setTimeout(() => {
        this.#refused('no answer');
        this.#end();
      }, connectMs);
      socket.once('disconnect', () => this.#end());
      socket.once('connect_error', (error: Error & { data?: { code?: string } }) => {
        this.#refused(error.data?.code ?? error.message);
        this.#end();
      });
      socket.once('connect', () => {
        clearTimeout(limit);
        void this.#join(socket);
      });
      socket.connect();
      await ended;
      clearTimeout(limit);
      this.#isJoined = false;
      socket.off();
      socket.disconnect();
      const waitMs = Math.max(this.#awayMs, retryMs);
      this.#awayMs = 0;
      if (!this.#isStopped) await delay(waitMs);
    }
  }

  #open(): Socket {
    const { project, auth } = this.options;
    const socket = io(project.apiOrigin, {
      path: '/ws',
      transports: ['websocket'],
      forceNew: true,
      reconnection: false,
      autoConnect: false,
      timeout: connectMs,
      auth,
      extraHeaders: { host: project.host },
    });
    socket.on('rt:pg', (frame: ChangesFrame) => this.#take(frame));
    socket.on('rt:msg', () => (this.messages += 1));
    socket.on('rt:system', ({ status, code, retryAfterMs = 0 }: SystemFrame) => {
      if (status === 'ok') return;
      this.closings.push({ code, retryAfterMs });
      this.#awayMs = retryAfterMs;
    });
    return socket;
  }

  async #join(socket: Socket): Promise<void> {
    const config = { postgres_changes: this.options.tables.map((table) => ({ table })) };
    try {
      const joined: Record<string, unknown> = await socket
        .timeout(ackMs)
        .emitWithAck('rt:join', { topic, config, resume: this.#cursor });
      if (joined['status'] !== 'ok') throw new Error(String(joined['code']));
      if (joined['recovered'] === false) this.gaps += 1;
      this.#cursor = String(joined['cursor']);
      this.joins += 1;
      this.#isJoined = socket.connected;
      const { presence } = this.options;
      if (presence !== undefined) socket.emit('rt:track', { topic, payload: presence });
    } catch (error) {
      this.#refused(error instanceof Error ? error.message : String(error));
      socket.disconnect();
    }
  }

  #take({ e, cur }: ChangesFrame): void {
    for (const { id, d } of e) {
      if (this.#isKnown(id)) this.repeated += 1;
      else this.options.take({ id, table: d.table, row: d.new });
    }
    if (cur === undefined) return;
    this.#cursor = cur;
    this.options.advance();
  }

  #isKnown(id: string): boolean {
    if (this.#known.has(id) || this.#older.has(id)) return true;
    this.#known.add(id);
    if (this.#known.size < keptIds) return false;
    this.#older = this.#known;
    this.#known = new Set();
    return false;
  }

  #refused(code: string): void {
    this.refusals.set(code, (this.refusals.get(code) ?? 0) + 1);
  }
}

/** Ends the TCP connection without a closing frame; what has arrived and was not read is gone. */
function cut(socket: Socket): void {
  // Engine.IO does not declare the WebSocket of its transport, which is that of the package `ws` in Node.js.
  const { transport } = socket.io.engine as unknown as {
    readonly transport?: { readonly ws?: { terminate(): void } };
  };
  socket.off('rt:pg');
  transport?.ws?.terminate();
}
