// Real servers on this machine, which the operator's list lets be called under names of our own.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import {
  createServer as createSocketServer,
  type AddressInfo,
  type Server as NetServer,
} from 'node:net';
import { createSecureContext } from 'node:tls';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { HttpRequest } from '#libs/wire';
import { createOutbound } from './outbound.js';
import type { HostAddress } from './resolve-host.js';

interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

let server: Server;
let origin: string;
const seen: Seen[] = [];
const loopback: HostAddress = { address: '127.0.0.1', family: 4 };
const onLoopback = createOutbound({
  allowedHosts: ['hook.test'],
  lookup: () => Promise.resolve([loopback]),
});

function portOf(listening: NetServer): number {
  // A server on TCP answers an AddressInfo.
  return (listening.address() as AddressInfo).port;
}

async function listen<T extends NetServer>(opened: T): Promise<T> {
  await new Promise<void>((resolve) => opened.listen(0, '127.0.0.1', resolve));
  return opened;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

const bomb = Buffer.alloc(8 * 1024 * 1024);
const ROUTES: Readonly<Record<string, (response: ServerResponse) => void>> = {
  '/hello': (response) => response.setHeader('x-two', ['a', 'b']).end('grüezi'),
  '/gzip': (response) => response.setHeader('content-encoding', 'gzip').end(gzipSync('small')),
  '/br': (response) =>
    response.setHeader('content-encoding', 'BR').end(brotliCompressSync('smaller')),
  '/gzip-bomb': (response) => response.setHeader('content-encoding', 'gzip').end(gzipSync(bomb)),
  '/br-bomb': (response) =>
    response.setHeader('content-encoding', 'br').end(brotliCompressSync(bomb)),
  '/broken-gzip': (response) =>
    response.setHeader('content-encoding', 'gzip').end('this is not gzip'),
  '/deflate': (response) => response.setHeader('content-encoding', 'deflate').end('x'),
  '/kilobyte': (response) => response.end('x'.repeat(1024)),
  '/big': (response) => response.end('x'.repeat(1025)),
  '/redirect': (response) => response.writeHead(302, { location: '/hello' }).end('moved'),
  '/empty': (response) => response.writeHead(204).end(),
  '/failing': (response) => response.writeHead(500).end('no'),
  '/silent': () => undefined,
  '/stops': (response) => response.write('x'),
  '/dies': (response) => response.write('x', () => response.destroy()),
};

beforeAll(async () => {
  server = await listen(
    createServer((request, response) => {
      void readBody(request).then((body) => {
        const { method = '', url = '', headers } = request;
        seen.push({ method, path: url, headers, body });
        ROUTES[url]?.(response);
      });
    }),
  );
  origin = `http://hook.test:${portOf(server)}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function codeOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => 'answered',
    (error: unknown) => Reflect.get(Object(error), 'code'),
  );
}

describe('an answer', () => {
  test('is that of the host of the URL, with all its headers', async () => {
    const answer = await onLoopback({ url: `${origin}/hello#part` });
    expect(answer).toMatchObject({ status: 200, text: 'grüezi' });
    expect(answer.headers.get('x-two')).toBe('a, b');
    expect(seen.at(-1)).toMatchObject({ method: 'GET', path: '/hello', body: '' });
    expect(seen.at(-1)?.headers['host']).toBe(new URL(origin).host);
  });

  test('follows a body that was posted whole, with the headers of the caller', async () => {
    await onLoopback({
      url: `${origin}/hello`,
      method: 'POST',
      headers: { 'Content-Type': 'text/plain', Host: 'evil.test', 'Content-Length': '1' },
      body: 'ünïcode',
    });
    expect(seen.at(-1)).toMatchObject({ method: 'POST', body: 'ünïcode' });
    expect(seen.at(-1)?.headers).toMatchObject({
      'content-type': 'text/plain',
      host: new URL(origin).host,
    });
  });

  test.each([
    { path: '/redirect', status: 302, text: 'moved' },
    { path: '/empty', status: 204, text: '' },
    { path: '/failing', status: 500, text: 'no' },
    { path: '/gzip', status: 200, text: 'small' },
    { path: '/br', status: 200, text: 'smaller' },
  ])('of $path is taken as it is: $status', async ({ path, ...expected }) => {
    expect(await onLoopback({ url: origin + path })).toMatchObject(expected);
    expect(seen.at(-1)?.path).toBe(path);
  });

  test.each([
    { rule: 'as large as allowed is taken', path: '/kilobyte', code: 'answered' },
    { rule: 'larger than allowed is given up', path: '/big', code: 'OUTBOUND_FAILED' },
    { rule: 'that gzip makes larger is given up', path: '/gzip-bomb', code: 'OUTBOUND_FAILED' },
    { rule: 'that brotli makes larger is given up', path: '/br-bomb', code: 'OUTBOUND_FAILED' },
    { rule: 'that cannot be inflated is given up', path: '/broken-gzip', code: 'OUTBOUND_FAILED' },
    { rule: 'in another encoding is given up', path: '/deflate', code: 'OUTBOUND_FAILED' },
    { rule: 'that breaks off is given up', path: '/dies', code: 'OUTBOUND_FAILED' },
  ])('$rule', async ({ path, code }) => {
    expect(await codeOf(onLoopback({ url: origin + path, maxBytes: 1024 }))).toBe(code);
  });
});

describe('time', () => {
  test.each([
    { rule: 'a server that does not answer', path: '/silent' },
    { rule: 'a server that stops within its answer', path: '/stops' },
  ])('$rule is given up', async ({ path }) => {
    expect(await codeOf(onLoopback({ url: origin + path, timeoutMs: 200 }))).toBe(
      'OUTBOUND_TIMEOUT',
    );
  });

  test('a server that sends a byte now and then is given up', async () => {
    const timers: NodeJS.Timeout[] = [];
    const drip = await listen(
      createServer((_request, response) => {
        timers.push(setInterval(() => response.write('x'), 20));
      }),
    );
    const url = `http://hook.test:${portOf(drip)}/`;
    expect(await codeOf(onLoopback({ url, timeoutMs: 300 }))).toBe('OUTBOUND_TIMEOUT');
    timers.forEach((timer) => clearInterval(timer));
    drip.closeAllConnections();
    drip.close();
  });

  test('a name whose lookup hangs is given up', async () => {
    const outbound = createOutbound({
      allowedHosts: [],
      lookup: () => new Promise(() => undefined),
    });
    expect(await codeOf(outbound({ url: 'https://hook.test/', timeoutMs: 50 }))).toBe(
      'OUTBOUND_TIMEOUT',
    );
  });

  test('a caller may give the call up', async () => {
    const before = new AbortController();
    before.abort();
    const during = new AbortController();
    const call = onLoopback({ url: `${origin}/silent`, signal: during.signal });
    setImmediate(() => during.abort());
    expect(await codeOf(call)).toBe('REQUEST_ABORTED');
    expect(await codeOf(onLoopback({ url: `${origin}/hello`, signal: before.signal }))).toBe(
      'REQUEST_ABORTED',
    );
  });
});

describe('a name', () => {
  const public1: HostAddress = { address: '93.184.215.14', family: 4 };
  const private6: HostAddress = { address: '::1', family: 6 };

  test.each([
    { rule: 'leads to this machine', addresses: [loopback] },
    { rule: 'leads to this machine by IPv6', addresses: [private6] },
    { rule: 'leads here and to the public', addresses: [public1, loopback] },
    {
      rule: 'leads to the metadata of a cloud',
      addresses: [{ address: '169.254.169.254', family: 4 }],
    },
    {
      rule: 'leads here in a mapped address',
      addresses: [{ address: '::ffff:127.0.0.1', family: 6 }],
    },
    {
      rule: 'leads to something that is no address',
      addresses: [{ address: 'localhost', family: 4 }],
    },
  ])('that $rule is refused before a connection', async ({ addresses }) => {
    const count = seen.length;
    const outbound = createOutbound({ allowedHosts: [], lookup: () => Promise.resolve(addresses) });
    expect(await codeOf(outbound({ url: `${origin}/hello` }))).toBe('OUTBOUND_REFUSED');
    expect(seen).toHaveLength(count);
  });

  test('is looked up once, and the connection goes to the address that was checked', async () => {
    const answers = [loopback, { address: '127.0.0.2', family: 4 }];
    let lookups = 0;
    const outbound = createOutbound({
      allowedHosts: ['hook.test'],
      lookup: () => Promise.resolve(answers.slice(lookups++)),
    });
    expect(await outbound({ url: `${origin}/hello` })).toMatchObject({ text: 'grüezi' });
    expect(lookups).toBe(1);
  });

  test('with an address that nobody answers at is reached at the next', async () => {
    const dead: HostAddress = { address: '127.0.0.3', family: 4 };
    const outbound = createOutbound({
      allowedHosts: ['hook.test'],
      lookup: () => Promise.resolve([dead, loopback]),
    });
    expect(await outbound({ url: `${origin}/hello` })).toMatchObject({ status: 200 });
  });

  test.each([
    { rule: 'without an address', lookup: () => Promise.resolve([]) },
    { rule: 'that does not exist', lookup: () => Promise.reject(new Error('ENOTFOUND')) },
  ])('$rule is a failure', async ({ lookup }) => {
    const outbound = createOutbound({ allowedHosts: [], lookup });
    expect(await codeOf(outbound({ url: 'https://hook.test/' }))).toBe('OUTBOUND_FAILED');
  });

  test('of the operator is looked up as the system does', async () => {
    const outbound = createOutbound({ allowedHosts: ['localhost'] });
    const url = `http://localhost:${portOf(server)}/hello`;
    expect(await outbound({ url })).toMatchObject({ status: 200 });
  });
});

describe('a server that speaks no proper HTTP', () => {
  test.each([
    { rule: 'hangs up', bytes: '' },
    { rule: 'greets like a mail server', bytes: '220 mail.test ESMTP\r\n' },
    {
      rule: 'switches protocols',
      bytes: 'HTTP/1.1 101 Hi\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
    },
    { rule: 'has a status that is none', bytes: 'HTTP/1.1 799 Hi\r\nContent-Length: 0\r\n\r\n' },
    { rule: 'sends endless headers', bytes: `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(40_000)}\r\n\r\n` },
  ])('and $rule is a failure', async ({ bytes }) => {
    const raw = await listen(
      createSocketServer((socket) => {
        socket.on('error', () => undefined);
        socket.once('data', () => socket.end(bytes));
      }),
    );
    const call = onLoopback({ url: `http://hook.test:${portOf(raw)}/`, timeoutMs: 2000 });
    expect(await codeOf(call)).toBe('OUTBOUND_FAILED');
    raw.close();
  });

  test('the details of a failure say why, the message does not', async () => {
    const closed = await listen(createServer());
    const url = `http://hook.test:${portOf(closed)}/`;
    await new Promise((resolve) => closed.close(resolve));
    await expect(onLoopback({ url })).rejects.toMatchObject({
      status: 502,
      message: `The server at ${new URL(url).host} could not be reached`,
      details: { reason: 'ECONNREFUSED' },
    });
  });
});

// Signed by itself for hook.test; nothing but these tests has ever used the key.
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQge30dOM00MxkbCfR6
zBgQjPFJqm3HWec04x1QGFcvdK+hRANCAATT9cOACc7LRIExqxcAOW0WbmIWPGHV
+WZkWLRmB2Ckknit8sxyxAQ8TXHd2+/jazc4bF/TxKwk78Oi9FRIfvpq
-----END PRIVATE KEY-----`;
const cert = `-----BEGIN CERTIFICATE-----
MIIBlTCCATugAwIBAgIUFXwL0X+gQ4dvoArX2fT/j8NALs8wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJaG9vay50ZXN0MCAXDTI2MTEyMTE4MDE1MloYDzIxMjYxMDI4
MTgwMTUyWjAUMRIwEAYDVQQDDAlob29rLnRlc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATT9cOACc7LRIExqxcAOW0WbmIWPGHV+WZkWLRmB2Ckknit8sxyxAQ8
TXHd2+/jazc4bF/TxKwk78Oi9FRIfvpqo2kwZzAdBgNVHQ4EFgQUN5OaTDG2O2eV
O7yh0OIpyX8FMXQwHwYDVR0jBBgwFoAUN5OaTDG2O2eVO7yh0OIpyX8FMXQwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglob29rLnRlc3QwCgYIKoZIzj0EAwID
SAAwRQIgcihYcHOxHZ5YDushSJ9AKHPEe5DCUz3CtpJ/LmQvx9ICIQDIiR1cw/Dd
Yr+dVssJofTO6whRkXqBMb/UdlAPDGcbQQ==
-----END CERTIFICATE-----`;

test('over https the name of the URL is asked for, and a certificate that nobody vouches for is refused', async () => {
  const names: string[] = [];
  let requests = 0;
  const secure = await listen(
    createSecureServer(
      {
        SNICallback(name, done) {
          names.push(name);
          done(null, createSecureContext({ key, cert }));
        },
      },
      (_request, response) => {
        requests += 1;
        response.end();
      },
    ),
  );
  const call: HttpRequest = { url: `https://hook.test:${portOf(secure)}/` };
  expect(await codeOf(onLoopback(call))).toBe('OUTBOUND_FAILED');
  expect({ names, requests }).toEqual({ names: ['hook.test'], requests: 0 });
  secure.close();
});
