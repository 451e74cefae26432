import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';

import type { ProjectUnderTest } from '../../support/project.js';

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
}

/** The WebSockets that pass a gateway: a test can cut them, hold back what the server sends, and refuse new ones. */
export class GatewaySockets {
  readonly #pairs = new Set<Pair>();
  #opened = 0;
  #isHeld = false;
  #isRefused = false;

  constructor(private project: ProjectUnderTest) {}

  /** Connections since the start. */
  get opened(): number {
    return this.#opened;
  }

  get open(): number {
    return this.#pairs.size;
  }

  /** Passes a request for a WebSocket on. */
  pass(request: IncomingMessage, client: Socket, head: Buffer): void {
    if (this.#isRefused) {
      client.destroy();
      return;
    }
    const { hostname, port } = new URL(this.project.apiOrigin);
    const server = connect(Number(port), hostname);
    const pair = { client, server };
    this.#pairs.add(pair);
    this.#opened += 1;
    const end = (): void => {
      this.#pairs.delete(pair);
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) socket.on('error', end).on('close', end);
    server.write(headOf(request, this.project.host));
    server.write(head);
    client.pipe(server);
    server.on('data', (data) => client.write(data));
    if (this.#isHeld) server.pause();
  }

  /** New connections go to this process from now on. */
  leadTo(project: ProjectUnderTest): void {
    this.project = project;
  }

  /** Ends all connections, as a network does that goes away. */
  cut(): void {
    for (const { client, server } of this.#pairs) {
      client.destroy();
      server.destroy();
    }
  }

  /** Whether what the server sends waits here. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    for (const { server } of this.#pairs) {
      if (isHeld) server.pause();
      else server.resume();
    }
  }

  /** Whether new connections break. */
  refuse(isRefused: boolean): void {
    this.#isRefused = isRefused;
  }
}

/** The head of the request as it came, for the host of the project. */
function headOf({ method, url, httpVersion, rawHeaders }: IncomingMessage, host: string): string {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    lines.push(`${name}: ${name.toLowerCase() === 'host' ? host : rawHeaders[at + 1]}`);
  }
  return [...lines, '', ''].join('\r\n');
}
