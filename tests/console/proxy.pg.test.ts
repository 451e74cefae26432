import { setProjectStatus } from '#libs/control-plane';
import { verifyAssertion } from '#libs/secrets';
import { waitFor } from '#libs/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import { connect } from 'node:net';
import { startConsole, type TestConsole } from './console-under-test.js';
import { addMember, openOwnedProject, type OwnedProject } from './members-fixture.js';
import { startRecordingApi, type Recorded, type RecordingApi } from './recording-api.js';

const assertionKey = randomBytes(32);
let api: RecordingApi;
let console: TestConsole;
let owned: OwnedProject;
let owner: { token: string; operatorId: string; email: string };
let base: string;

beforeAll(async () => {
  api = await startRecordingApi();
  console = await startConsole({ apiInternalUrl: api.url, assertionKey });
  owned = await openOwnedProject(console);
  owner = await addMember(console, owned, { role: 'owner' });
  base = `/platform/projects/${owned.ref}/api`;
}, 60_000);
afterEach(() => {
  api.requests.length = 0;
  api.answer = undefined;
});
afterAll(async () => {
  await console[Symbol.asyncDispose]();
  await api[Symbol.asyncDispose]();
}, 60_000);

function lastRequest(): Recorded {
  const last = api.requests.at(-1);
  if (last === undefined) throw new Error('the project was not asked');
  return last;
}

describe('forwarding', () => {
  test('method, path, query and body arrive, and the answer comes back', async () => {
    const reply = await console.call('POST', `${base}/rest/v1/notes?select=id%2Ctext`, {
      token: owner.token,
      body: { text: 'hé' },
    });
    expect(reply).toMatchObject({ status: 200, body: { ok: true } });
    expect(lastRequest()).toMatchObject({
      method: 'POST',
      url: '/api/rest/v1/notes?select=id%2Ctext',
      body: '{"text":"hé"}',
    });
  });

  test('the host names the project and the assertion names the operator', async () => {
    await console.call('GET', `${base}/rest/v1/notes`, { token: owner.token });
    const { headers } = lastRequest();
    expect(headers.host).toBe(`${owned.ref}.localhost`);
    const expected = { ref: owned.ref, nowSeconds: Math.floor(Date.now() / 1000) };
    const token = String(headers['x-rowhouse-operator']);
    const assertion = verifyAssertion(assertionKey, token, expected);
    expect(assertion).toMatchObject({ operatorId: owner.operatorId, email: owner.email });
    expect(assertion?.capabilities).toContain('secrets.manage');
    expect(verifyAssertion(assertionKey, token, { ...expected, ref: 'other' })).toBeUndefined();
  });

  test('credentials and claims of the client do not arrive', async () => {
    const forged = {
      cookie: 'session=1',
      apikey: 'svc_secret_x',
      'x-api-key': 'k',
      'x-rowhouse-operator': 'forged',
      'x-bucket-token': 't',
      'x-service-edge-token': 't',
      'x-forwarded-host': 'other.localhost',
      'x-forwarded-proto': 'https',
      'x-internal-ip': '9.9.9.9',
      forwarded: 'for=9.9.9.9',
      'x-http-method-override': 'DELETE',
      te: 'trailers',
      origin: console.url,
    };
    await console.call('GET', `${base}/rest/v1/notes`, {
      token: owner.token,
      headers: { ...forged, prefer: 'count=exact', 'x-client': 'studio' },
    });
    const { headers } = lastRequest();
    expect(headers).toMatchObject({ prefer: 'count=exact', 'x-client': 'studio' });
    expect(headers['x-rowhouse-operator']).not.toBe('forged');
    expect(headers.authorization).toBeUndefined();
    for (const name of Object.keys(forged).filter((name) => name !== 'x-rowhouse-operator')) {
      expect([name, headers[name]]).toEqual([name, undefined]);
    }
  });

  test('the address of the operator arrives alone', async () => {
    await console.call('GET', `${base}/x`, {
      token: owner.token,
      headers: { 'x-forwarded-for': '6.6.6.6, 7.7.7.7' },
    });
    expect(lastRequest().headers['x-forwarded-for']).toBe('7.7.7.7');
  });

  test('headers named by Connection do not arrive', async () => {
    const { port, hostname } = new URL(console.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `GET ${base}/x HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${owner.token}\r\n` +
        'Connection: close, X-Mine\r\nX-Mine: 1\r\n\r\n',
    );
    socket.resume();
    await once(socket, 'close');
    expect(lastRequest().headers['x-mine']).toBeUndefined();
  });

  test.each([
    ...['GET', 'HEAD', 'DELETE'].map((method) => ({
      method,
      framing: 'Transfer-Encoding: chunked',
    })),
    ...['GET', 'DELETE'].map((method) => ({ method, framing: 'Connection: content-length' })),
  ])('the body of $method with $framing stays a body', async ({ method, framing }) => {
    const hidden = 'PUT /api/hidden HTTP/1.1\r\nHost: a\r\nContent-Length: 2000\r\n\r\n';
    const isChunked = framing.startsWith('Transfer');
    const sent = isChunked
      ? `\r\n\r\n${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`
      : `\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`;
    const { port, hostname } = new URL(console.url);
    const socket = connect(Number(port), hostname);
    const head = `${method} ${base}/x HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${owner.token}`;
    socket.write(`${head}\r\n${framing}${sent}`);
    await once(socket, 'data');
    socket.destroy();
    await console.call('GET', `${base}/next`, { token: owner.token });
    expect(api.requests.map((each) => [each.method, each.url, each.body])).toEqual([
      [method, '/api/x', hidden],
      ['GET', '/api/next', ''],
    ]);
  });

  test('an answer sets no cookies, no CORS and runs no scripts on the console', async () => {
    api.answer = (_request, reply) => {
      reply.setHeader('set-cookie', 'a=b');
      reply.setHeader('access-control-allow-origin', '*');
      reply.setHeader('content-security-policy', 'script-src *');
      reply.setHeader('content-type', 'text/html');
      reply.setHeader('content-range', '0-0/1');
      reply.end('<script>1</script>');
    };
    const { headers, text } = await console.call('GET', `${base}/x`, { token: owner.token });
    expect(text).toBe('<script>1</script>');
    expect(headers['set-cookie']).toBeUndefined();
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect(headers['content-security-policy']).toContain('sandbox');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-range']).toBe('0-0/1');
  });

  test.each([
    ['nel', '{"report_to":"a","max_age":9}'],
    ['report-to', '{"group":"a","max_age":9,"endpoints":[{"url":"https://evil.example"}]}'],
    ['reporting-endpoints', 'a="https://evil.example"'],
    ['refresh', '0; url=https://evil.example'],
    ['link', '<https://evil.example>; rel=preload; as=script'],
    ['www-authenticate', 'Basic realm="console"'],
    ['origin-agent-cluster', '?0'],
    ['x-accel-redirect', '/etc/passwd'],
    ['x-unknown', '1'],
  ])('an answer does not bring %s to the console', async (name, value) => {
    api.answer = (_request, reply) => {
      reply.writeHead(200, { [name]: value, etag: '"1"', 'upload-offset': '7' }).end();
    };
    const { headers } = await console.call('GET', `${base}/x`, { token: owner.token });
    expect(headers[name]).not.toBe(value);
    expect(headers).toMatchObject({ etag: '"1"', 'upload-offset': '7' });
  });

  test.each([
    { name: 'an error', status: 409, body: '{"code":"23505"}' },
    { name: 'no content', status: 204, body: '' },
    { name: 'a redirect', status: 302, body: '' },
  ])('$name of the project stays what it is', async ({ status, body }) => {
    api.answer = (_request, reply) => void reply.writeHead(status).end(body);
    const reply = await console.call('DELETE', `${base}/rest/v1/notes?id=eq.1`, {
      token: owner.token,
    });
    expect(reply).toMatchObject({ status, text: body });
  });

  test('HEAD gives the headers alone', async () => {
    api.answer = (_request, reply) => void reply.writeHead(200, { 'content-length': '7' }).end();
    const reply = await console.call('HEAD', `${base}/rest/v1/notes`, { token: owner.token });
    expect(reply).toMatchObject({ status: 200, text: '' });
    expect(reply.headers['content-length']).toBe('7');
    expect(lastRequest().method).toBe('HEAD');
  });

  test('a project that cannot be reached answers 503', async () => {
    api.answer = (request) => void request.socket.destroy();
    const reply = await console.call('GET', `${base}/x`, { token: owner.token });
    expect(reply).toMatchObject({ status: 503, body: { code: 'PROJECT_UNAVAILABLE' } });
  });

  test('a paused project is forwarded to as well: it answers for itself', async () => {
    const { context } = console.fixture;
    await setProjectStatus(context, 'system', { ref: owned.ref, status: 'paused' });
    const reply = await console.call('GET', `${base}/x`, { token: owner.token });
    expect(reply.status).toBe(200);
    await setProjectStatus(context, 'system', { ref: owned.ref, status: 'active' });
  });
});

describe('streaming', () => {
  const open = (path: string, method = 'GET', headers = {}): http.ClientRequest =>
    http.request(`${console.url}${base}${path}`, {
      method,
      headers: { authorization: `Bearer ${owner.token}`, ...headers },
    });

  test('the first bytes of an answer arrive before the last are sent', async () => {
    let finish: (() => void) | undefined;
    api.answer = (_request, reply) => {
      reply.write('first');
      finish = () => void reply.end('last');
    };
    const request = open('/x').end();
    const [answer]: [http.IncomingMessage] = await eventOf(request, 'response');
    const [first] = await eventOf(answer, 'data');
    expect(String(first)).toBe('first');
    finish?.();
    const [last] = await eventOf(answer, 'data');
    expect(String(last)).toBe('last');
  });

  test('the first bytes of a request arrive before the last are sent, larger than any limit', async () => {
    const arrived = new Promise<number>((resolve) => {
      api.answer = async (request, reply) => {
        await once(request, 'data');
        resolve(api.requests.length);
        let bytes = 0;
        request.on('data', (chunk: Buffer) => (bytes += chunk.length));
        await once(request, 'end');
        reply.end(String(bytes));
      };
    });
    const request = open('/files/upload', 'POST', { 'content-type': 'application/octet-stream' });
    request.write(Buffer.alloc(1000));
    await arrived;
    const chunk = Buffer.alloc(1024 * 1024);
    for (let index = 0; index < 8; index += 1) {
      if (!request.write(chunk)) await once(request, 'drain');
    }
    request.end();
    const [answer]: [http.IncomingMessage] = await eventOf(request, 'response');
    expect(answer.statusCode).toBe(200);
    const [text] = await eventOf(answer, 'data');
    expect(Number(String(text))).toBeGreaterThanOrEqual(8 * 1024 * 1024);
  });

  test.each(['before', 'during'] as const)(
    'a client that leaves %s the answer ends the request to the project',
    async (when) => {
      const ended = new Promise<void>((resolve) => {
        api.answer = (request, reply) => {
          reply.once('close', () => resolve());
          if (when === 'during') reply.write('first');
          else void request;
        };
      });
      const request = open('/x').end();
      request.on('error', () => undefined);
      if (when === 'during') {
        const [answer]: [http.IncomingMessage] = await eventOf(request, 'response');
        answer.on('error', () => undefined);
        await eventOf(answer, 'data');
      } else await waitFor(() => api.requests.length > 0);
      request.destroy();
      await ended;
    },
  );
});

/** `once` with the types that the caller names. */
async function eventOf<T extends unknown[]>(
  emitter: NodeJS.EventEmitter,
  name: string,
): Promise<T> {
  return (await once(emitter, name)) as T; // The event's own documentation says what it carries.
}
