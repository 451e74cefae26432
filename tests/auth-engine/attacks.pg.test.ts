import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  cookieOf,
  openAuthProject,
  password,
  signUp,
  type AuthProject,
  type Reply,
} from './auth-project.js';
import { at, bearer, textAt } from '../support/replies.js';

const email = 'ada@example.com';
const site = 'https://app.example.com';

describe('origins and redirects', () => {
  let project: AuthProject;
  let cookie: string;
  beforeAll(async () => {
    project = await openAuthProject({
      settings: {
        'auth.urls': {
          siteUrl: `${site}/start`,
          redirectUrls: ['https://*.preview.example', 'myapp://callback'],
        },
      },
    });
    cookie = cookieOf(await signUp(project, email));
  });
  afterAll(() => project.close());

  test.each([
    { name: 'the site', origin: site, status: 200 },
    { name: 'a preview', origin: 'https://a.preview.example', status: 200 },
    { name: 'the project itself', origin: 'http://abc.localhost:8000', status: 200 },
    { name: 'a stranger', origin: 'https://evil.example', status: 403 },
    {
      name: 'a look-alike of a preview',
      origin: 'https://a.preview.example.evil.example',
      status: 403,
    },
    { name: 'null', origin: 'null', status: 403 },
  ])('a request with a cookie from $name: $status', async ({ origin, status }) => {
    const signIn = await project.post('/sign-in/email', { body: { email, password } });
    const reply = await project.post('/sign-out', {
      headers: { cookie: cookieOf(signIn), origin },
    });
    expect(reply.status).toBe(status);
    const ended = await project.get('/get-session', { headers: { cookie: cookieOf(signIn) } });
    expect(ended.body === null).toBe(status === 200);
  });

  test('a page of a stranger cannot sign its visitor in', async () => {
    const headers = {
      origin: 'https://evil.example',
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'cors',
    };
    const reply = await project.post('/sign-in/email', { headers, body: { email, password } });
    expect([reply.status, reply.headers.getSetCookie()]).toEqual([403, []]);
  });

  test.each([
    { name: 'a page without an origin', headers: { 'sec-fetch-site': 'cross-site' }, status: 403 },
    { name: 'the fetch of Node.js', headers: {}, status: 200 },
  ])('$name, which tells the mode of its fetch, signs in: $status', async ({ headers, status }) => {
    const reply = await project.post('/sign-in/email', {
      headers: { 'sec-fetch-mode': 'cors', ...headers },
      body: { email, password },
    });
    expect(reply.status).toBe(status);
  });

  test('a form is no request: it needs no permission to be sent', async () => {
    const reply = await project.post('/sign-in/email', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `email=${email}&password=${password}`,
    });
    expect([reply.status, at(reply.body, 'code')]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  test.each([
    { url: '/dashboard', status: 200 },
    { url: `${site}/dashboard`, status: 200 },
    { url: 'https://a.preview.example/x', status: 200 },
    { url: 'myapp://callback', status: 200 },
    { url: 'https://evil.example', status: 403 },
    { url: '//evil.example', status: 403 },
    { url: '/\\evil.example', status: 403 },
    { url: '/%5cevil.example', status: 403 },
    { url: '/\t/evil.example', status: 403 },
    { url: 'https:evil.example', status: 403 },
    { url: 'https://app.example.com@evil.example', status: 403 },
    { url: 'https://app.example.com.evil.example', status: 403 },
    { url: 'http://app.example.com', status: 403 },
    { url: 'javascript:alert(1)', status: 403 },
    { url: 'data:text/html,x', status: 403 },
    { url: 'otherapp://callback', status: 403 },
  ])('callbackURL $url: $status', async ({ url, status }) => {
    const reply = await project.post('/sign-in/email', {
      body: { email, password, callbackURL: url },
    });
    expect(reply.status).toBe(status);
    // The address is resolved before the engine sees it.
    const resolved = (): string => new URL(url, 'http://abc.localhost:8000').href;
    if (status === 200) expect(at(reply.body, 'url')).toBe(resolved());
    else expect(at(reply.body, 'code')).toBe('INVALID_CALLBACK_URL');
  });

  test('headers about the host change nothing', async () => {
    const token = textAt(
      (await project.post('/sign-in/email', { body: { email, password } })).body,
      'token',
    );
    const reply = await project.get('/token', {
      url: 'http://evil.example',
      headers: {
        ...bearer(token),
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'https',
        forwarded: 'host=evil.example',
      },
    });
    const payload = Buffer.from(
      textAt(reply.body, 'token').split('.')[1] ?? '',
      'base64url',
    ).toString();
    expect(at(JSON.parse(payload), 'iss')).toBe('http://abc.localhost:8000');
    const foreign = await project.post('/sign-out', {
      headers: { cookie, origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' },
    });
    expect(foreign.status).toBe(403);
  });

  test.each([
    { method: 'get' as const, path: '/ok', status: 404 },
    { method: 'get' as const, path: '/error', status: 404 },
    { method: 'get' as const, path: '/reference', status: 404 },
    { method: 'get' as const, path: '/account-info', status: 404 },
    { method: 'get' as const, path: '/get-session/', status: 404 },
    { method: 'get' as const, path: '//get-session', status: 404 },
    { method: 'get' as const, path: '/get%2Dsession', status: 404 },
    { method: 'get' as const, path: '/toString', status: 404 },
    { method: 'get' as const, path: '/delete-user/callback?token=x', status: 404 },
    { method: 'post' as const, path: '/update-session', status: 404 },
    { method: 'post' as const, path: '/sign-in/social', status: 404 },
    { method: 'get' as const, path: '/sign-out', status: 405 },
    { method: 'post' as const, path: '/get-session', status: 405 },
  ])('$method $path is not served: $status', async ({ method, path, status }) => {
    const reply = await project[method](path, { headers: { cookie } });
    expect(reply.status).toBe(status);
    expect(at(reply.body, 'requestId')).toBe('request-1');
  });

  test.each([
    { name: 'malformed JSON', body: '{"email":', status: 400 },
    { name: 'a JSON array', body: '[]', status: 400 },
    { name: 'a JSON null', body: 'null', status: 400 },
    { name: 'no body', body: '', status: 400 },
    { name: 'a NUL in the address', body: '{"email":"a\\u0000@b.de","password":"x"}', status: 400 },
    {
      name: 'a NUL in the password',
      body: `{"email":"${email}","password":"\\u0000"}`,
      status: 401,
    },
  ])('sign-in with $name: $status in the error body', async ({ body, status }) => {
    const reply = await project.post('/sign-in/email', { body });
    expect(reply.body).toEqual({
      status,
      code: expect.any(String),
      message: expect.any(String),
      requestId: 'request-1',
    });
    expect(reply.status).toBe(status);
  });

  test('an unknown address and a wrong password are told apart by nobody', async () => {
    const wrong = await project.post('/sign-in/email', {
      body: { email, password: 'wrong password' },
    });
    const unknown = await project.post('/sign-in/email', {
      body: { email: 'no@example.com', password },
    });
    expect(unknown.body).toEqual(wrong.body);
    expect(at(wrong.body, 'code')).toBe('INVALID_EMAIL_OR_PASSWORD');
  });
});

describe('rate limits', () => {
  let project: AuthProject;
  let neighbor: AuthProject;
  const settings = { 'security.rateLimit': { windowSeconds: 3600, max: 10, credentialMax: 3 } };
  beforeAll(async () => {
    [project, neighbor] = await Promise.all([
      openAuthProject({ settings }),
      openAuthProject({ settings }),
    ]);
  });
  afterAll(() => Promise.all([project.close(), neighbor.close()]));

  const attempt = (of: AuthProject, ip: string, headers = {}): Promise<Reply> =>
    of.post('/sign-in/email', { ip, headers, body: { email, password } });

  test('attempts end with 429, for one address in one project only', async () => {
    for (let index = 0; index < 3; index += 1) {
      // The order of the attempts is what is counted.
      expect((await attempt(project, '198.51.100.1')).status).toBe(401);
    }
    const refused = await attempt(project, '198.51.100.1');
    expect([refused.status, at(refused.body, 'code')]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3500);
    expect((await attempt(project, '198.51.100.2')).status).toBe(401);
    expect((await attempt(neighbor, '198.51.100.1')).status).toBe(401);
    expect((await project.get('/get-session', { ip: '198.51.100.1' })).status).toBe(200);
  });

  test('headers about the address do not give a new allowance', async () => {
    const statuses = [];
    for (let index = 0; index < 5; index += 1) {
      const spoofed = `203.0.113.${index}`;
      const headers = {
        'x-forwarded-for': spoofed,
        'x-internal-ip': spoofed,
        'x-real-ip': spoofed,
      };
      statuses.push((await attempt(project, '198.51.100.3', headers)).status);
    }
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
  });

  test('all routes together end with 429', async () => {
    const statuses = [];
    for (let index = 0; index < 11; index += 1) {
      statuses.push((await project.get('/get-session', { ip: '198.51.100.4' })).status);
    }
    expect(statuses.lastIndexOf(200)).toBe(9);
    expect(statuses[10]).toBe(429);
  });

  test('a saved setting counts on from where it was', async () => {
    const via = await project.rebuild({
      'security.rateLimit': { windowSeconds: 3600, max: 10, credentialMax: 2 },
    });
    const reply = await project.post('/sign-in/email', {
      via,
      ip: '198.51.100.1',
      body: { email, password },
    });
    expect(reply.status).toBe(429);
  });

  test('the address in a session is the one that the server saw', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.9', 'x-internal-ip': '203.0.113.9' };
    await signUp(project, 'address@example.com', { ip: '198.51.100.7', headers });
    expect(await project.sql('select "ipAddress" from auth.session')).toEqual([
      { ipAddress: '198.51.100.7' },
    ]);
  });
});
