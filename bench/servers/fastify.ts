// The second floor: node:http with Fastify's routing and reply.

import fastify from 'fastify';
import { announce } from './announce.js';

const server = fastify();
server.get('/', () => ({ hello: 'world' }));
await server.listen({ port: 0, host: '127.0.0.1' });
announce(server.server);
