// What keeps one client from taking the doors of both applications: connections of one address, heads and bodies that
// do not arrive, and a line in the log about what blocks the event loop. tests/http/door.test.ts has each of them with
// limits short enough for a test; here they are those of the product.
import { connect, type Socket } from 'node:net';
import { Writable } from 'node:stream';

import { listRoutes } from '#apps/console/server';
import { waitFor } from '#libs/testing';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startConsole } from '../console/console-under-test.js';
import { projectRoutes } from '../isolation/api-routes.js';
import { Deployment } from '../support/deployment.js';
import { send } from '../support/http.js';
import type { ProjectUnderTest } from '../support/project.js';
import { openSmsGateway, type SmsGateway } from '../support/sms-gateway.js';
import { completeSettings, createWith } from './complete-project.js';

const applications = ['apiOrigin', 'consoleOrigin'] as const;
const maxConnections = 1_000;
/** A body has 60 s, and the rest of a refused one ten more; the rest is tolerance. */
const arrivalMs = 85_000;

let deployment: Deployment;
let sms: SmsGateway;
/** Has every route: those that its settings turn off answer at once. */
let project: ProjectUnderTest;
let lines: Record<string, unknown>[];
beforeAll(async () => {
  lines = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  sms = await openSmsGateway();
  deployment = await Deployment.open({
    env: { OUTBOUND_ALLOWED_HOSTS: '127.0.0.1' },
    log: pino({ level: 'warn' }, stream),
  });
  project = await createWith(deployment, completeSettings(sms));
}, 60_000);
afterAll(async () => {
  await deployment.close();
  await sms.close();
});

/** A connection that says what came, and whether the server has closed it. */
interface Watched {
  readonly socket: Socket;
  text: string;
  isClosed: boolean;
}

function open(origin: string): Watched {
  const { hostname, port } = new URL(origin);
  const watched: Watched = { socket: connect(Number(port), hostname), text: '', isClosed: false };
  watched.socket
    .on('error', () => undefined)
    .on('data', (chunk) => (watched.text += String(chunk)))
    .on('close', () => (watched.isClosed = true));
  return watched;
}

interface SlowBody {
  readonly name: string;
  readonly connection: Watched;
}

/** Sends the head of a request and goes on with a byte of its body from time to time. */
function sendSlowly(
  origin: string,
  { method, path }: { readonly method: string; readonly path: string },
  headers: Readonly<Record<string, string>>,
): SlowBody {
  const connection = open(origin);
  const target = path.replace(':group', 'email.templates').replace(/:\w+|\*/g, 'abc');
  const head = {
    'content-type': 'application/json',
    'content-length': '1000',
    ...headers,
  };
  const fields = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  connection.socket.write(`${method} ${target} HTTP/1.1\r\n${fields.join('')}\r\n[`);
  const timer = setInterval(() => connection.socket.write(' '), 5_000);
  connection.socket.on('close', () => clearInterval(timer));
  return { name: `${method} ${path}`, connection };
}

const withBody = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const readsAtOnce = (kind: string) => kind !== 'none' && kind !== 'stream';

describe.each(applications)('%s', (application) => {
  test('an address has 1,000 connections, and may use them again', async () => {
    const origin = deployment[application];
    const all = Array.from({ length: maxConnections + 20 }, () => open(origin));
    await waitFor(() => all.every(({ socket, isClosed }) => isClosed || !socket.connecting));
    const left = () => all.filter(({ isClosed }) => !isClosed).length;
    await waitFor(() => left() <= maxConnections);
    // Connections that the test itself has open are counted, too.
    expect(left()).toBeGreaterThan(maxConnections - 20);
    for (const { socket } of all) socket.destroy();
    await waitFor(() => all.every(({ isClosed }) => isClosed));
    await waitFor(async () => {
      const reply = await send(origin, { path: '/livez' }).catch(() => undefined);
      return reply?.status === 200;
    });
  });

  test('a head that does not arrive is answered by 408, and the connection closes', async () => {
    const slow = open(deployment[application]);
    slow.socket.write('GET /livez HTTP/1.1\r\nx-slow: ');
    const timer = setInterval(() => slow.socket.write('a'), 2_000);
    await waitFor(() => slow.isClosed, { ms: 40_000 });
    clearInterval(timer);
    expect(slow.text).toMatch(/^HTTP\/1.1 408 /);
  }, 60_000);

  test('the log names the routes that were answered shortly before a block', async () => {
    const from = lines.length;
    const blocks = () =>
      lines.slice(from).filter(({ msg }) => /event loop was blocked/.test(String(msg)));
    await waitFor(async () => {
      const seen = blocks().length;
      await send(deployment[application], { path: '/livez' });
      const end = performance.now() + 120;
      while (performance.now() < end);
      await waitFor(() => blocks().length > seen);
      return blocks().some(({ suspects }) => String(suspects) === '/livez');
    });
  });
});

test('a body that is read as a whole has 60 seconds, on every route', async () => {
  const console_ = await startConsole();
  const ofConsole = listRoutes(console_.app);
  await console_[Symbol.asyncDispose]();
  const ofApi = (await projectRoutes()).filter(({ path }) => !path.startsWith('/admin/'));
  const { host, publishableKey, secretKey } = project;
  const { token } = await project.signUp('ada@example.org');
  const asService = { host, apikey: secretKey };
  // These routes refuse the secret key at once.
  const asUser = { host, apikey: publishableKey, authorization: `Bearer ${token}` };
  const asOperator = { host: 'localhost', authorization: `Bearer ${deployment.operatorToken}` };
  const forwarded = { method: 'POST', path: `/platform/projects/${project.ref}/api/rest/v1/none` };
  const slow = [
    ...ofApi
      .filter(({ method, body }) => withBody.has(method) && readsAtOnce(body.kind))
      .map((route) => {
        const headers = route.access.kind === 'signed-in' ? asUser : asService;
        return sendSlowly(deployment.apiOrigin, route, headers);
      }),
    ...[
      ...ofConsole.filter(({ method, body }) => withBody.has(method) && readsAtOnce(body.kind)),
      // The project reads it.
      forwarded,
    ].map((route) => sendSlowly(deployment.consoleOrigin, route, asOperator)),
  ];
  expect(slow.length).toBeGreaterThan(200);
  try {
    const waiting = () => slow.filter(({ connection }) => !connection.isClosed);
    await waitFor(() => waiting().length === 0, { ms: arrivalMs }).catch(() => undefined);
    expect(waiting().map(({ name }) => name)).toEqual([]);
    const statusOf = ({ connection }: SlowBody) => connection.text.slice(9, 12);
    // A route that answers at once has not waited for its body, and proves nothing.
    const others = slow
      .filter((each) => statusOf(each) !== '408')
      .map((each) => `${statusOf(each)} ${each.name}`);
    expect(others).toEqual([]);
  } finally {
    for (const { connection } of slow) connection.socket.destroy();
  }
}, 120_000);
