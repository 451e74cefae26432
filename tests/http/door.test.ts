// What both applications share of the way of a request, with limits short enough for a test.
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { Writable } from 'node:stream';

import { afterEach, expect, test } from 'vitest';
import { fastify, type FastifyInstance, LogController } from 'fastify';

import { fail } from '#libs/errors';
import {
  closeIfUnread,
  keepMatchedRoutes,
  limitConnections,
  logRequest,
  readBodies,
  recordMethods,
  sendError,
  shownError,
  smallJson,
  watchLoop,
} from '#libs/web';
import { waitFor } from '#libs/testing';

let server: FastifyInstance;
let lines: Record<string, unknown>[];
afterEach(() => server.close());

async function serve(extend: (server: FastifyInstance) => void): Promise<number> {
  lines = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  server = fastify({
    logger: { level: 'info', stream },
    logController: new LogController({ disableRequestLogging: true }),
  });
  recordMethods(server);
  keepMatchedRoutes(server);
  server.setErrorHandler((error, request, reply) =>
    sendError(shownError(error, request).rendered, reply, {}),
  );
  extend(server);
  const address = await server.listen({ port: 0, host: '127.0.0.1' });
  return Number(new URL(address).port);
}

test('a body that does not arrive in time is answered by 408, and the connection closes', async () => {
  const port = await serve((app) => {
    readBodies(app, { ruleOf: () => smallJson, arrivalMs: 100 });
    app.post('/slow', () => ({}));
  });
  const answer = await new Promise<{ status: number; connection: string }>((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': '1000' };
    const sent = httpRequest({ port, path: '/slow', method: 'POST', headers }, (response) => {
      response.resume();
      resolve({
        status: response.statusCode ?? 0,
        connection: response.headers.connection ?? '',
      });
    });
    sent.on('error', reject);
    sent.write('{');
  });
  expect(answer).toEqual({ status: 408, connection: 'close' });
});

test('the connection of an answered request closes when its body goes on without end', async () => {
  const port = await serve((app) => {
    app.get('/quick', () => ({}));
    app.addHook('onResponse', (request, _reply, done) => {
      closeIfUnread(request, 100);
      done();
    });
  });
  let text = '';
  let isClosed = false;
  const socket = connect(port, '127.0.0.1');
  socket.on('data', (chunk) => (text += String(chunk)));
  socket.on('error', () => undefined).on('close', () => (isClosed = true));
  socket.write('GET /quick HTTP/1.1\r\nhost: a\r\ncontent-length: 1000\r\n\r\nx');
  await waitFor(() => isClosed);
  expect(text).toMatch(/^HTTP\/1.1 200 /);
});

test.each([
  { name: 'an address may have no more connections than the limit', proxies: [], open: 2 },
  { name: 'a trusted proxy is not counted', proxies: ['127.0.0.0/8'], open: 4 },
])('$name', async ({ proxies, open }) => {
  const port = await serve((app) => limitConnections(app.server, proxies, 2));
  let closed = 0;
  const sockets = Array.from({ length: 4 }, () =>
    connect(port, '127.0.0.1')
      .on('error', () => undefined)
      .on('close', () => (closed += 1)),
  );
  await waitFor(() => sockets.every((socket) => !socket.connecting));
  await waitFor(() => closed === 4 - open);
  expect(server.server.listening).toBe(true);
  for (const socket of sockets) socket.destroy();
});

test('a line about a request has its route, and no value of it', async () => {
  const port = await serve((app) => {
    app.get('/users/:id', () => ({}));
    app.addHook('onResponse', (request, reply, done) => {
      const facts = { project: 'alpha', status: reply.statusCode, ms: 1.4 };
      logRequest(request, { ...facts, requestId: request.id });
      done();
    });
  });
  await fetch(`http://127.0.0.1:${port}/users/ada-secret?token=query-secret`);
  await waitFor(() => lines.some(({ msg }) => msg === 'request'));
  const line = lines.find(({ msg }) => msg === 'request');
  expect(line).toMatchObject({
    project: 'alpha',
    method: 'GET',
    route: '/users/:id',
    status: 200,
    ms: 1,
    requestId: expect.stringMatching(/./),
  });
  expect(JSON.stringify(lines)).not.toMatch(/secret/);
});

test('a line about a request that was refused has the code of the error', async () => {
  const port = await serve((app) => {
    app.get('/users/:id', () => {
      throw fail('FORBIDDEN');
    });
    app.addHook('onResponse', (request, reply, done) => {
      logRequest(request, { status: reply.statusCode, ms: 1 });
      done();
    });
  });
  await fetch(`http://127.0.0.1:${port}/users/1`);
  await waitFor(() => lines.some(({ msg }) => msg === 'request'));
  expect(lines.find(({ msg }) => msg === 'request')).toMatchObject({
    status: 403,
    code: 'FORBIDDEN',
  });
});

test('a route that blocks the event loop is logged', async () => {
  const port = await serve((app) => {
    const watch = watchLoop(app.log);
    watch.observe(app);
    watch.start();
    app.addHook('onClose', async () => watch.close());
    app.get('/busy/:n', () => {
      const end = performance.now() + 200;
      while (performance.now() < end);
      return {};
    });
  });
  await fetch(`http://127.0.0.1:${port}/busy/1`);
  const blocked = () => lines.find(({ suspects }) => String(suspects).includes('/busy/:n'));
  await waitFor(() => blocked() !== undefined);
  expect(Number(blocked()?.['blockedMs'])).toBeGreaterThan(100);
});

test.each([
  { method: 'POST', path: '/users/1', status: 405, allow: 'GET, HEAD' },
  { method: 'POST', path: '/users/1/more', status: 404, allow: null },
  { method: 'DELETE', path: '/users/1/', status: 405, allow: 'GET, HEAD' },
])('$method $path is $status', async ({ method, path, status, allow }) => {
  const port = await serve((app) => {
    readBodies(app, { ruleOf: () => ({ kind: 'none' }) });
    app.get('/users/:id', () => ({}));
    app.setNotFoundHandler(() => {
      throw Object.assign(new Error('not found'), { statusCode: 404 });
    });
  });
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { 'content-type': 'application/x-unknown' },
    body: 'x',
  });
  expect(reply.status).toBe(status);
  expect(reply.headers.get('allow')).toBe(allow);
});
