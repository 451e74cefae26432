// Stands where the proxy finds the API: records what arrives and answers as a test says.
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Recorded {
  readonly method: string;
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

export type Answer = (
  request: http.IncomingMessage,
  reply: http.ServerResponse,
) => void | Promise<void>;

export interface RecordingApi extends AsyncDisposable {
  readonly url: string;
  /** Requests whose body has arrived, in order. */
  readonly requests: Recorded[];
  /** How the next requests are answered; the body is recorded unless the answer reads it itself. */
  answer: Answer | undefined;
}

export async function startRecordingApi(): Promise<RecordingApi> {
  const requests: Recorded[] = [];
  const server = http.createServer((request, reply) => {
    const { method = '', url = '', headers } = request;
    if (api.answer !== undefined) {
      requests.push({ method, url, headers, body: '' });
      void api.answer(request, reply);
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      requests.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      reply.setHeader('content-type', 'application/json');
      reply.end('{"ok":true}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on TCP has an address object.
  const { port } = server.address() as AddressInfo;
  const api: RecordingApi = {
    url: `http://127.0.0.1:${port}`,
    requests,
    answer: undefined,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return api;
}
