import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { startConsole, type TestConsole } from './console-under-test.js';
import { addMember, openOwnedProject, type OwnedProject } from './members-fixture.js';
import { startRecordingApi, type RecordingApi } from './recording-api.js';

const assertionKey = randomBytes(32);
let api: RecordingApi;
let console: TestConsole;
let owned: OwnedProject;
let owner: { token: string; operatorId: string; email: string };
let developer: string;
let support: string;
let viewer: string;
let base: string;

beforeAll(async () => {
  api = await startRecordingApi();
  console = await startConsole({ apiInternalUrl: api.url, assertionKey });
  owned = await openOwnedProject(console);
  owner = await addMember(console, owned, { role: 'owner' });
  developer = (await addMember(console, owned, { role: 'developer' })).token;
  support = (await addMember(console, owned, { role: 'support' })).token;
  viewer = (await addMember(console, owned, { role: 'viewer' })).token;
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

describe('capabilities', () => {
  const tokens = (): Record<string, string> => ({ owner: owner.token, developer, support, viewer });
  const rows: [string, string, string, number][] = [
    ['viewer', 'GET', '/admin/storage/buckets', 200],
    ['viewer', 'POST', '/admin/storage/buckets', 403],
    ['viewer', 'GET', '/admin/users', 403],
    ['viewer', 'GET', '/admin/settings/email.smtp', 403],
    ['viewer', 'POST', '/admin/sql', 403],
    ['support', 'POST', '/admin/storage/buckets', 200],
    ['support', 'POST', '/admin/sql', 200],
    ['support', 'GET', '/admin/users', 403],
    ['support', 'POST', '/admin/users/1/reset-password', 403],
    ['support', 'PUT', '/admin/settings/email.smtp', 403],
    ['support', 'POST', '/admin/import/run', 403],
    ['support', 'POST', '/admin/storage/buckets/a/tokens', 403],
    ['developer', 'GET', '/admin/users', 200],
    ['developer', 'PUT', '/admin/settings/email.smtp', 200],
    ['developer', 'POST', '/admin/import/run', 200],
    ['owner', 'DELETE', '/admin/users/1', 200],
    ['owner', 'GET', '/admin/of-a-newer-release', 200],
    ['support', 'GET', '/admin/of-a-newer-release', 403],
    ['support', 'POST', '/admin/storage/buckets/a/webhooks', 403],
    ['support', 'GET', '/rest//admin/users', 400],
    ['support', 'GET', '/rest%2f..%2fadmin/users', 400],
    ['support', 'GET', '/rest/..;/admin/users', 400],
    ['support', 'GET', '/%2561dmin/users', 400],
    ['support', 'GET', '/%61dmin/users', 403],
    ['support', 'GET', '/admin/users/', 403],
    ['support', 'GET', '/admin/users?x=1', 403],
    ['support', 'GET', '/ADMIN/USERS', 403],
  ];
  test.each(rows)('%s: %s %s -> %i', async (role, method, path, status) => {
    const reply = await raw(method, `${base}${path}`, tokens()[role] ?? '');
    expect(reply.status).toBe(status);
    if (status !== 200) expect(api.requests).toEqual([]);
  });

  test.each([
    { name: 'dots in the path', path: () => `${base}/rest/../admin/users` },
    { name: 'encoded dots', path: () => `${base}/rest/%2e%2e/admin/users` },
    { name: 'dots out of the project', path: () => `${base}/../../other/api/rest/v1/x` },
    { name: 'an absolute URL', path: () => `http://other.localhost${base}/admin/users` },
    {
      name: 'an absolute URL with two slashes',
      path: () => `//other.localhost${base}/admin/users`,
    },
    { name: 'a fragment', path: () => `${base}/rest/x#/../../admin` },
    { name: 'a backslash', path: () => `${base}/rest\\..\\admin\\users` },
    { name: 'a ref in other letters', path: () => base.toUpperCase() },
  ])('the raw request line with $name reaches no project', async ({ path }) => {
    const reply = await raw('GET', path(), owner.token);
    expect([400, 404]).toContain(reply.status);
    expect(api.requests).toEqual([]);
  });

  test('an operator without a membership is told that there is no such project', async () => {
    const stranger = await console.addOperator();
    const token = await console.signIn(stranger.email, stranger.password);
    const reply = await console.call('GET', `${base}/x`, { token });
    expect(reply).toMatchObject({ status: 404, body: { code: 'PROJECT_NOT_FOUND' } });
    expect(api.requests).toEqual([]);
  });

  test('a method that is not known is refused', async () => {
    const reply = await raw('PROPFIND', `${base}/x`, owner.token);
    expect(reply.status).toBeGreaterThanOrEqual(400);
    expect(api.requests).toEqual([]);
  });

  /** A request line as it stands: fetch would tidy it up. */
  async function raw(method: string, path: string, token: string): Promise<{ status: number }> {
    const { port, hostname } = new URL(console.url);
    const socket = connect(Number(port), hostname);
    const head = [
      `${method} ${path} HTTP/1.1`,
      'Host: console.test',
      `Authorization: Bearer ${token}`,
      'Connection: close',
      'Content-Length: 0',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    await once(socket, 'close');
    return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]) };
  }
});

describe('the audit log', () => {
  const newest = async (): Promise<Record<string, unknown>> => {
    const path = `/platform/projects/${owned.ref}/audit?limit=1`;
    const reply = await console.call('GET', path, { token: owner.token });
    return reply.body.entries[0];
  };

  test('has each change with its status, and no reads', async () => {
    api.answer = (_request, reply) => void reply.writeHead(403).end();
    await console.call('POST', `${base}/admin/storage/buckets?select=secret`, {
      token: support,
      body: {},
    });
    await console.call('GET', `${base}/admin/storage/buckets`, { token: support });
    expect(await newest()).toMatchObject({
      action: 'project.request',
      ref: owned.ref,
      organizationId: owned.organizationId,
      target: 'POST /api/admin/storage/buckets',
      ip: '127.0.0.1',
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      after: { status: 403 },
    });
  });

  test.each([
    { name: 'that are saved', method: 'PUT', rest: '' },
    { name: 'that are restored', method: 'POST', rest: '/history/7/restore' },
  ])('has settings $name before and after, without secrets', async ({ method, rest }) => {
    let stored = { host: 'old.test', password: '__SECRET_SET__', apiKey: 'leaked' };
    const group = '/api/admin/settings/email.smtp';
    api.answer = (request, reply) => {
      if (request.method === method) stored = { ...stored, host: 'new.test' };
      const isServed = request.method === method || request.url === group;
      reply.writeHead(isServed ? 200 : 404, { 'content-type': 'application/json' });
      reply.end(JSON.stringify(stored));
    };
    const path = `${base}/admin/settings/email.smtp${rest}?x=1`;
    const reply = await console.call(method, path, {
      token: owner.token,
      body: { host: 'new.test' },
    });
    expect(reply).toMatchObject({ status: 200, body: { host: 'new.test' } });
    const entry = await newest();
    expect(entry).toMatchObject({
      action: 'project.settings',
      before: { host: 'old.test', password: '__SECRET_SET__' },
      after: { status: 200, settings: { host: 'new.test', password: '__SECRET_SET__' } },
    });
    expect(JSON.stringify(entry)).not.toContain('leaked');
  });

  test('has marks for settings with long values', async () => {
    const domains = Array.from({ length: 2000 }, (_, n) => `mail-${n}.example.org`);
    api.answer = (_request, reply) => {
      reply.writeHead(200, { 'content-type': 'application/json' });
      reply.end(JSON.stringify({ enabled: true, blockedEmailDomains: domains }));
    };
    const path = `${base}/admin/settings/auth.signup`;
    await console.call('PUT', path, { token: owner.token, body: { enabled: true } });
    const mark = `[cut: ${JSON.stringify(domains).length} bytes]`;
    const settings = { enabled: true, blockedEmailDomains: mark };
    expect(await newest()).toMatchObject({ before: settings, after: { status: 200, settings } });
  });

  test('has a request that continues an earlier one once', async () => {
    const target = 'POST /api/admin/realtime/inspect';
    const send = (path = '/admin/realtime/inspect') =>
      console.call('POST', base + path, { token: owner.token, body: {} });
    api.answer = (_request, reply) => void reply.writeHead(200).end('begun');
    await send();
    const begun = await newest();
    expect(begun).toMatchObject({ action: 'project.request', target, after: { status: 200 } });
    api.answer = (_request, reply) =>
      void reply.writeHead(200, { 'x-rowhouse-continues': 'true' }).end('continued');
    const reply = await send();
    expect(reply).toMatchObject({ status: 200, text: 'continued' });
    expect(reply.headers['x-rowhouse-continues']).toBeUndefined();
    expect((await newest())['id']).toBe(begun['id']);
    // No other route may say so.
    await send('/admin/storage/buckets');
    expect(await newest()).toMatchObject({ target: 'POST /api/admin/storage/buckets' });
  });

  test('keeps a change whose end is not known', async () => {
    api.answer = (request) => void request.socket.destroy();
    await console.call('DELETE', `${base}/admin/storage/buckets?id=eq.7`, { token: owner.token });
    expect(await newest()).toMatchObject({
      target: 'DELETE /api/admin/storage/buckets',
      after: null,
    });
  });
});
