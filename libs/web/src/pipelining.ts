// Limits the requests of one connection that are answered at the same time. A client may send the next requests before
// the first is answered, and Node.js begins each one that it finds in a read, some hundred at once.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that are answered at the same time. Clients that do not wait for answers send few. */
const maxAnswered = 8;
/** Requests that wait behind them, most of them from one read of the connection. Each takes some KB. */
const maxWaiting = 100;

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Begins further requests of a connection when earlier ones are answered. Nothing is read from it meanwhile, so its end
 * is noticed when an answer is sent. A connection on which more than 100 wait is closed. The listeners for requests
 * that the server has by now receive those that begin.
 */
export function limitPipelining(server: Server, max = maxAnswered): void {
  const listeners = server.listeners('request');
  const begin = ({ request, response }: Exchange): void => {
    for (const listener of listeners) Reflect.apply(listener, server, [request, response]);
  };
  const queues = new WeakMap<Socket, PipelinedRequests>();
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    // A response has no socket while the answer to an earlier request of the connection is being sent.
    if (response.socket) {
      begin({ request, response });
      return;
    }
    const { socket } = request;
    const queue = queues.get(socket) ?? new PipelinedRequests(socket, begin, max);
    queues.set(socket, queue);
    queue.add({ request, response });
  });
}

/** The requests of one connection that came before the answer to an earlier one, in their order. */
class PipelinedRequests {
  readonly #socket: Socket;
  readonly #begin: (exchange: Exchange) => void;
  readonly #max: number;
  /** Without the request before the first of them, which came when nothing was being answered. */
  readonly #begun = new Set<ServerResponse>();
  readonly #waiting: Exchange[] = [];
  #isHeld = false;

  constructor(socket: Socket, begin: (exchange: Exchange) => void, max: number) {
    this.#socket = socket;
    this.#begin = begin;
    this.#max = max;
    socket.once('close', () => this.#end());
  }

  add(exchange: Exchange): void {
    if (this.#waiting.length === 0 && this.#hasRoom()) {
      this.#start(exchange);
      return;
    }
    this.#waiting.push(exchange);
    if (this.#waiting.length > maxWaiting) this.#socket.destroy();
    else this.#hold();
  }

  #hasRoom(): boolean {
    const [first] = this.#begun;
    // The answer that is being sent is one of them, or that of the request before them.
    return this.#begun.size < (first?.socket ? this.#max : this.#max - 1);
  }

  #start(exchange: Exchange): void {
    const { response } = exchange;
    this.#begun.add(response);
    response.once('close', () => {
      this.#begun.delete(response);
      this.#goOn();
    });
    this.#begin(exchange);
  }

  #goOn(): void {
    if (this.#socket.destroyed) return;
    while (this.#hasRoom()) {
      const next = this.#waiting.shift();
      if (!next) break;
      this.#start(next);
    }
    if (this.#waiting.length === 0) this.#release();
  }

  #hold(): void {
    if (this.#isHeld) return;
    this.#isHeld = true;
    this.#socket.on('resume', this.#pauseAgain);
    this.#socket.pause();
  }

  /** Node.js resumes the connection, too: when it has sent an answer, or a body is read. */
  readonly #pauseAgain = (): void => {
    this.#socket.pause();
  };

  #release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#socket.off('resume', this.#pauseAgain);
    this.#socket.resume();
  }

  /**
   * Node.js reports the end of a connection to the answer that is being sent, not to those behind it: they would hold
   * what they have for ever.
   */
  #end(): void {
    this.#waiting.length = 0;
    for (const response of this.#begun) if (!response.socket) response.emit('close');
  }
}
