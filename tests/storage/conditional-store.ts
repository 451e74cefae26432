// A store that keeps the condition of presigned uploads, made of one that refuses all conditions (Swift answers 501).
// It checks no signature of such a write: it passes the bytes on as the owner of the store.
import { createServer, type IncomingMessage, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

import { PutObjectCommand } from '@aws-sdk/client-s3';

import type { S3Server } from '../support/s3-server.js';

export interface ConditionalStore {
  readonly endpoint: string;
  /** Copies inside the store, by the name of what was copied. */
  readonly copies: readonly string[];
  close(): Promise<void>;
}

/** Opens the store before a server. Signatures hold: the host that they cover is passed on. */
export async function openConditionalStore(behind: S3Server): Promise<ConditionalStore> {
  const { hostname, port } = new URL(behind.endpoint);
  const written = new Set<string>();
  const copies: string[] = [];
  const server = createServer((request, response) => {
    const { method, url = '/', headers } = request;
    const [path = ''] = url.split('?');
    if (method === 'PUT' && headers['if-none-match'] === '*') {
      const isThere = written.has(path);
      written.add(path);
      const status = isThere ? Promise.resolve(412) : writeAsOwner(behind, path, request);
      status.then(
        (code) => response.writeHead(code).end(),
        () => response.destroy(),
      );
      return;
    }
    if (method === 'DELETE') written.delete(path);
    const source = headers['x-amz-copy-source'];
    if (typeof source === 'string') copies.push(source);
    const passed = httpRequest({ hostname, port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    request.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port of TCP has an address with a port.
  const address = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    copies,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function writeAsOwner(
  { client }: S3Server,
  path: string,
  request: IncomingMessage,
): Promise<number> {
  const [, Bucket, ...names] = decodeURIComponent(path).split('/');
  const Body = await buffer(request);
  const ContentType = request.headers['content-type'];
  await client.send(new PutObjectCommand({ Bucket, Key: names.join('/'), Body, ContentType }));
  return 200;
}
