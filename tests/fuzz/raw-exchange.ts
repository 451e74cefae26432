// Requests as bytes, which no client library would send, and the replies as they come over the socket.
import { connect } from 'node:net';

/** Requests that are not answered within this time count as hanging. */
const LIMIT_MS = 5_000;

export interface RawRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: Buffer;
  readonly headers: readonly (readonly [name: string, value: Buffer])[];
  readonly body: Buffer | undefined;
}

export interface RawReply {
  readonly status: number;
  /** In lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** The bytes of a request after which the server shall close the connection. */
export function requestBytes(host: string, { method, target, headers, body }: RawRequest): Buffer {
  const lines = [
    Buffer.from(`${method} `),
    target,
    Buffer.from(` HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n`),
    ...headers.flatMap(([name, value]) => [Buffer.from(`${name}: `), value, Buffer.from('\r\n')]),
    Buffer.from(body === undefined ? '\r\n' : `content-length: ${body.length}\r\n\r\n`),
  ];
  return Buffer.concat(body === undefined ? lines : [...lines, body]);
}

/**
 * Sends the bytes and reads the reply; undefined when the server closes without one. Throws when the server
 * takes too long or when what it sends is no reply of HTTP.
 */
export function exchange(origin: string, bytes: Buffer): Promise<RawReply | undefined> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    const timer = setTimeout(
      () => socket.destroy(new Error(`no answer in ${LIMIT_MS} ms`)),
      LIMIT_MS,
    );
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // The server may close while the rest of the bytes are on their way.
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
    socket.on('close', () => {
      clearTimeout(timer);
      try {
        resolve(parseReply(Buffer.concat(chunks)));
      } catch (error) {
        reject(error instanceof Error ? error : new Error('no reply', { cause: error }));
      }
    });
    socket.write(bytes);
  });
}

function parseReply(bytes: Buffer): RawReply | undefined {
  if (bytes.length === 0) return undefined;
  const end = bytes.indexOf('\r\n\r\n');
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]);
  if (end === -1 || Number.isNaN(status)) throw new Error(`no reply of HTTP: ${bytes.toString()}`);
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const length = Number(headers.get('content-length') ?? bytes.length);
  const body = bytes.subarray(end + 4, end + 4 + length).toString('utf8');
  return { status, headers, body };
}
