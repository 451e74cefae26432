// The end of an application's connections: it stops listening, lets running exchanges finish within a limit, and does
// not wait for silent clients. A half-received request is closed if no more of it arrives.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A connection is closed if the rest of its request does not arrive within this time. */
const stillMs = 1_000;
/** Time for the last answers of requests that are aborted when the limit is reached. */
const lastAnswersMs = 1_000;
const lookMs = 50;

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

interface Connection {
  readonly exchanges: Set<Exchange>;
  seenBytes: number;
  movedAt: number;
}

/** Closes the connections of one application. Call `observe` before the server listens. */
export class Drain {
  readonly #begun = new AbortController();
  readonly #over = new AbortController();
  readonly #connections = new Map<Socket, Connection>();
  #server: Server | undefined;
  #isAnnounced = false;

  /** Whether the process is about to stop. The application still serves requests, but reports that it is not ready. */
  get isAnnounced(): boolean {
    return this.#isAnnounced;
  }

  /** Aborts when the server stops listening: work that another request can continue ends. */
  get begun(): AbortSignal {
    return this.#begun.signal;
  }

  /** Aborts when the time of running requests is over. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** Watches the connections of a server from now on. */
  observe(server: Server): void {
    this.#server = server;
    server.on('connection', (socket: Socket) => {
      const now = performance.now();
      this.#connections.set(socket, { exchanges: new Set(), seenBytes: 0, movedAt: now });
      socket.once('close', () => this.#connections.delete(socket));
    });
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const exchanges = this.#connections.get(request.socket)?.exchanges;
      const exchange = { request, response };
      exchanges?.add(exchange);
      response.once('close', () => exchanges?.delete(exchange));
      if (this.#begun.signal.aborted) response.shouldKeepAlive = false;
    });
  }

  /** Announces that the process is about to stop. */
  announce(): void {
    this.#isAnnounced = true;
  }

  /** Stops listening and resolves when no connection is left, after at most `limitMs` and a second. */
  async finish(limitMs: number): Promise<void> {
    this.announce();
    if (!this.#server || this.#begun.signal.aborted) return;
    // Closes idle connections, too.
    if (this.#server.listening) this.#server.close();
    for (const { exchanges } of this.#connections.values()) {
      // The answer carries `Connection: close`, unless its headers are already sent.
      for (const { response } of exchanges) response.shouldKeepAlive = false;
    }
    this.#begun.abort();
    await this.#untilEmpty(limitMs);
    this.#over.abort();
    await this.#untilEmpty(lastAnswersMs);
    for (const socket of this.#connections.keys()) socket.destroy();
  }

  async #untilEmpty(limitMs: number): Promise<void> {
    const deadline = performance.now() + limitMs;
    while (this.#connections.size > 0 && performance.now() < deadline) {
      this.#closeUnused();
      await delay(lookMs);
    }
  }

  #closeUnused(): void {
    this.#server?.closeIdleConnections();
    const now = performance.now();
    for (const [socket, connection] of this.#connections) {
      if (socket.bytesRead !== connection.seenBytes || isServed(connection)) {
        connection.seenBytes = socket.bytesRead;
        connection.movedAt = now;
      } else if (now - connection.movedAt >= stillMs) socket.destroy();
    }
  }
}

/** Whether a request of the connection is complete, or the server has not yet read all received bytes. */
function isServed({ exchanges }: Connection): boolean {
  return [...exchanges].some(
    ({ request, response }) =>
      request.complete || request.readableLength > 0 || response.headersSent,
  );
}
