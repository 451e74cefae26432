import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { asSuperuser, Deployment } from '../support/deployment.js';
import { send } from '../support/http.js';
import { type ProjectUnderTest, type SignedIn, userPassword } from '../support/project.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let ada: SignedIn;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  ada = await project.signUp('ada@example.org');
});
afterAll(() => deployment.close());

describe('users change their own account', () => {
  test('a user name is set as it is written and is taken in any case of letters', async () => {
    const put = (user: SignedIn, username: unknown) =>
      project.as(user, { method: 'PUT', path: '/api/users/username', body: { username } });
    const changed = await put(ada, 'Ada.Lovelace');
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({ id: ada.id, username: 'Ada.Lovelace', role: 'USER' });
    const bob = await project.signUp('bob@example.org');
    const taken = await put(bob, 'ada.lovelace');
    expect(taken.status).toBe(409);
    expect(taken.body).toMatchObject({ code: 'USERNAME_TAKEN' });
    for (const bad of ['', ' blank', 'x'.repeat(65), 'tab\tbed', 5, null]) {
      const refused = await put(bob, bad);
      expect(refused.status).toBe(400);
      expect(refused.body).toMatchObject({ code: 'INVALID_INPUT' });
      expect(refused.text).toContain('username');
    }
  });

  test('a picture is an http address or null', async () => {
    const put = (image: unknown) =>
      project.as(ada, { method: 'PUT', path: '/api/users/image', body: { image } });
    const image = 'https://images.example.org/ada.png';
    expect((await put(image)).body).toMatchObject({ image });
    expect((await put(null)).body).toMatchObject({ image: null });
    expect((await put('javascript:alert(1)')).status).toBe(400);
    expect((await put(undefined)).status).toBe(400);
  });

  test('fields that the route does not have are refused', async () => {
    const reply = await project.as(ada, {
      method: 'PUT',
      path: '/api/users/username',
      body: { username: 'fine', role: 'ADMIN' },
    });
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ code: 'UNKNOWN_FIELD' });
    expect(reply.text).toContain('role');
  });

  test('a fresh session deletes the account; an old one needs the password', async () => {
    const remove = (user: SignedIn, body?: unknown) =>
      project.as(user, {
        method: 'DELETE',
        path: '/api/users/',
        ...(body !== undefined && { body }),
      });
    const fresh = await project.signUp('fresh@example.org');
    expect((await remove(fresh)).status).toBe(204);
    expect((await project.as(fresh, { path: '/api/auth/get-session' })).text).toBe('null');

    const old = await project.signUp('old@example.org');
    await asSuperuser(
      `update auth.session set "createdAt" = now() - interval '2 days' where "userId" = $1`,
      { database: project.database, values: [old.id] },
    );
    expect((await remove(old)).body).toMatchObject({ code: 'SESSION_NOT_FRESH' });
    expect((await remove(old, { password: 'wrong password' })).body).toMatchObject({
      code: 'INVALID_PASSWORD',
    });
    expect((await remove(old, { password: userPassword })).status).toBe(204);
  });

  test('nobody else may', async () => {
    const paths = [
      { method: 'PUT', path: '/api/users/username', body: { username: 'abc' } },
      { method: 'PUT', path: '/api/users/image', body: { image: null } },
      { method: 'DELETE', path: '/api/users/' },
    ];
    for (const call of paths) {
      expect((await project.send(call)).status).toBe(401);
      expect(await project.asService(call)).toMatchObject({
        status: 403,
        body: { code: 'USER_REQUIRED' },
      });
    }
  });
});

describe('the SQL editor', () => {
  const run = (query: unknown, params?: unknown) =>
    project.asService({
      method: 'POST',
      path: '/api/admin/sql',
      body: params === undefined ? { query } : { query, params },
    });

  test('runs as the owner and answers rows, fields, count and time', async () => {
    const reply = await run('select 1 as one, now() as at');
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      rows: [{ one: 1 }],
      rowCount: 1,
      durationMs: expect.any(Number),
    });
  });

  test('several statements are one transaction', async () => {
    const failed = await run('create table half (id int); insert into half values (1); select 1/0');
    expect(failed.status).toBe(400);
    expect(failed.body).toMatchObject({ code: '22012' });
    expect((await run(`select to_regclass('public.half') as half`)).body).toMatchObject({
      rows: [{ half: null }],
    });
  });

  test('tables made there have row level security on', async () => {
    await run('create table made (id int); create table "Copied" as select 1 as id');
    const reply = await run(
      `select relname, relrowsecurity from pg_class where relname in ('made', 'Copied') order by 1`,
    );
    expect(reply.body).toMatchObject({
      rows: [
        { relname: 'Copied', relrowsecurity: true },
        { relname: 'made', relrowsecurity: true },
      ],
    });
  });

  test.each([
    { name: 'no query', body: {} },
    { name: 'an empty query', body: { query: '' } },
    { name: 'params that are no list', body: { query: 'select 1', params: 'x' } },
    { name: 'an unknown field', body: { query: 'select 1', other: 1 } },
  ])('$name is refused', async ({ body }) => {
    const reply = await project.asService({ method: 'POST', path: '/api/admin/sql', body });
    expect(reply.status).toBe(400);
  });

  test('users without the role ADMIN may not use it', async () => {
    const call = { method: 'POST', path: '/api/admin/sql', body: { query: 'select 1' } };
    expect((await project.as(ada, call)).status).toBe(403);
    expect((await project.send(call)).status).toBe(401);
  });
});

describe('the server itself', () => {
  test('figures are for this machine only, and never on a project host', async () => {
    const figures = await send(project.apiOrigin, { path: '/metrics' });
    expect(figures.status).toBe(200);
    expect(figures.text).toContain(`rowhouse_requests_total{project="${project.ref}"`);
    expect(figures.text).toContain('rowhouse_connections{state="idle"}');
    expect(figures.text).toMatch(/^rowhouse_nodejs_eventloop_lag_max_seconds \d/m);
    expect((await project.send({ path: '/metrics' })).status).toBe(404);
    const proxied = await send(project.apiOrigin, {
      path: '/metrics',
      headers: { 'x-forwarded-for': '10.0.0.1' },
    });
    expect(proxied.status).toBe(404);
  });

  test('it tells that it lives and is ready', async () => {
    expect((await send(project.apiOrigin, { path: '/livez' })).body).toEqual({ status: 'live' });
    expect((await send(project.apiOrigin, { path: '/readyz' })).body).toEqual({ status: 'ready' });
  });

  test('the documentation lists the core routes', async () => {
    const document = await project.send({ path: '/api/docs/json' });
    expect(document.status).toBe(200);
    expect(document.text).toContain('/api/admin/sql');
    expect((await project.send({ path: '/api/docs' })).text).toContain('swagger');
  });
});

describe('errors have one shape', () => {
  test.each([
    { name: 'unknown path', call: { path: '/nothing' }, status: 404, code: 'NOT_FOUND' },
    { name: 'unknown table', call: { path: '/rest/v1/nothing' }, status: 404, code: 'PGRST205' },
    {
      name: 'wrong method on a table',
      call: { method: 'PUT', path: '/rest/v1/t', body: {} },
      status: 405,
      code: 'METHOD_NOT_ALLOWED',
    },
    {
      name: 'body that is not JSON',
      call: { method: 'PUT', path: '/api/users/image', body: '{', headers: {} },
      status: 400,
      code: 'INVALID_JSON',
    },
    {
      name: 'another media type',
      call: {
        method: 'PUT',
        path: '/api/users/image',
        body: 'a=b',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
      status: 415,
      code: 'UNSUPPORTED_MEDIA_TYPE',
    },
    {
      name: 'malformed escape in the path',
      call: { path: '/rest/v1/%zz' },
      status: 400,
      code: 'INVALID_REQUEST',
    },
    {
      name: 'unknown auth route',
      call: { path: '/api/auth/nothing' },
      status: 404,
      code: 'NOT_FOUND',
    },
  ])('$name', async ({ call, status, code }) => {
    const reply = await project.send(call);
    expect(reply.status).toBe(status);
    expect(reply.body).toEqual(
      expect.objectContaining({
        message: expect.any(String),
        code,
        status,
        requestId: expect.any(String),
      }),
    );
  });
});

describe('pages of other origins', () => {
  const preflight = (origin: string) =>
    project.send({
      method: 'OPTIONS',
      path: '/rest/v1/t',
      headers: { origin, 'access-control-request-method': 'POST' },
    });

  test('may read without cookies', async () => {
    const reply = await preflight('https://anywhere.example');
    expect(reply.status).toBe(204);
    expect(reply.headers['access-control-allow-origin']).toBe('https://anywhere.example');
    expect(reply.headers['access-control-allow-credentials']).toBeUndefined();
  });

  test('may send cookies where the project lists them; others still may not', async () => {
    await project.asService({
      method: 'PUT',
      path: '/api/admin/settings/auth.urls',
      body: { siteUrl: 'https://app.example.org', redirectUrls: ['https://*.preview.example.org'] },
    });
    const own = await preflight('https://app.example.org');
    expect(own.headers['access-control-allow-origin']).toBe('https://app.example.org');
    expect(own.headers['access-control-allow-credentials']).toBe('true');
    const preview = await preflight('https://one.preview.example.org');
    expect(preview.headers['access-control-allow-origin']).toBe('https://one.preview.example.org');
    for (const foreign of [
      'https://anywhere.example',
      'https://app.example.org.evil.test',
      'null',
    ]) {
      const { headers } = await preflight(foreign);
      expect(headers['access-control-allow-origin']).toBe(foreign);
      expect(headers['access-control-allow-credentials']).toBeUndefined();
    }
  });

  const asking = (asked: string) =>
    project.send({
      method: 'OPTIONS',
      path: '/rest/v1/t',
      headers: {
        origin: 'https://anywhere.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': asked,
      },
    });

  test('may send headers of their own', async () => {
    const { headers } = await asking('content-type, x-trace-id,X-Tenant');
    expect(headers['access-control-allow-headers']).toBe('content-type, x-trace-id,X-Tenant');
    expect(headers['vary']).toBe('Origin, Access-Control-Request-Headers');
  });

  test.each(['x trace', 'x-trace;y', 'a,,b', `x-${'y'.repeat(5_000)}`])(
    'may not have the answer written by %j',
    async (asked) => {
      const { headers } = await asking(asked);
      expect(headers['access-control-allow-headers']).toMatch(/^authorization, apikey, /);
    },
  );

  test('are told apart by caches also where a request names no origin', async () => {
    const reply = await project.send({ path: '/rest/v1/none' });
    expect(reply.headers['vary']).toContain('Origin');
  });
});
