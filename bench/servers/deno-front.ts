// The floor under a call of a function: bare node:http that hands each request to Deno over a socket.

import { Agent, createServer, request as httpRequest } from 'node:http';
import { announce } from './announce.js';

const [, , socketPath = ''] = process.argv;
const agent = new Agent({ keepAlive: true });

const server = createServer(({ method = 'GET', url = '/', headers }, reply) => {
  const forwarded = httpRequest({ socketPath, agent, method, path: url, headers }, (answer) => {
    reply.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(reply);
  });
  forwarded.once('error', () => reply.destroy());
  forwarded.end();
});
server.listen(0, '127.0.0.1', () => announce(server));
