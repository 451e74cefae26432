import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body read as JSON; undefined when it is not JSON. */
  readonly body: unknown;
}

export interface Call {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON unless it is text or bytes already. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** Sends a request over a socket, with exactly the headers given: `Host` too, which fetch would not allow. */
export function send(origin: string, call: Call): Promise<Reply> {
  const { method = 'GET', path, headers = {}, body, signal } = call;
  const isReady = body === undefined || typeof body === 'string' || Buffer.isBuffer(body);
  const text = isReady ? body : JSON.stringify(body);
  const length = String(Buffer.byteLength(text ?? ''));
  const typed =
    text === undefined
      ? headers
      : { 'content-type': 'application/json', 'content-length': length, ...headers };
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { hostname, port, path, method, headers: typed, signal, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const received = Buffer.concat(chunks).toString('utf8');
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: received,
            body: parsed(received),
          });
        });
      },
    );
    request.on('error', reject);
    request.end(text);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
