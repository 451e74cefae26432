// The floor under everything: what node:http itself costs.

import { createServer } from 'node:http';
import { announce } from './announce.js';

const BODY = JSON.stringify({ hello: 'world' });
const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'content-length': Buffer.byteLength(BODY),
};

const server = createServer((_, reply) => {
  reply.writeHead(200, HEADERS).end(BODY);
});
server.listen(0, '127.0.0.1', () => announce(server));
