// The end of an application's connections: it stops listening, lets running exchanges finish within a limit, and
// waits for nobody who sends nothing. What came in half is closed when it stays still.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A connection on which the rest of a request stays away for so long is closed. */
const stillMs = 1_000;
/** Time for the last answers of what is ended when the limit is reached. */
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

/** Ends the connections of one application. Begins with `observe`, before the server listens. */
export class Drain {
  readonly #begun = new AbortController();
  readonly #over = new AbortController();
  readonly #connections = new Map<Socket, Connection>();
  #server: Server | undefined;
  #isAnnounced = false;

  /** Whether the process is going to end. The application still serves, and is not ready for more. */
  get isAnnounced(): boolean {
    return this.#isAnnounced;
  }

  /** Aborts when the server stops listening: work that goes on with another request ends. */
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

  /** Says that the process is going to end. */
  announce(): void {
    this.#isAnnounced = true;
  }

  /** Stops listening and resolves when no connection is left, `limitMs` and a second at most. */
  async finish(limitMs: number): Promise<void> {
    this.announce();
    if (!this.#server || this.#begun.signal.aborted) return;
    // Closes idle connections, too.
    if (this.#server.listening) this.#server.close();
    for (const { exchanges } of this.#connections.values()) {
      // The answer says `Connection: close`, unless its headers are out.
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

/** Whether a request of the connection is complete, or the server has yet to take in what came of it. */
function isServed({ exchanges }: Connection): boolean {
  return [...exchanges].some(
    ({ request, response }) =>
      request.complete || request.readableLength > 0 || response.headersSent,
  );
}
