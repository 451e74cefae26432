import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sweepExpired } from '#libs/auth-engine';
import { cookieOf, openAuthProject, password, signUp, type AuthProject } from './auth-project.js';
import { at, bearer, textAt } from '../support/replies.js';

const email = 'ada@example.com';
const signed = (token: string, secret: string): string =>
  `${token}.${createHmac('sha256', secret).update(token).digest('base64')}`;

describe('sessions', () => {
  let project: AuthProject;
  let neighbor: AuthProject;
  let token: string;
  let cookie: string;
  beforeAll(async () => {
    [project, neighbor] = await Promise.all([openAuthProject(), openAuthProject()]);
    const reply = await signUp(project, email);
    token = textAt(reply.body, 'token');
    cookie = cookieOf(reply);
  });
  afterAll(() => Promise.all([project.close(), neighbor.close()]));

  const emailOf = async (
    of: AuthProject,
    headers: Readonly<Record<string, string>>,
  ): Promise<unknown> => at((await of.get('/get-session', { headers })).body, 'user', 'email');

  test.each([
    { name: 'a raw bearer token', headers: () => bearer(token), found: true },
    {
      name: 'a signed bearer token',
      headers: () => bearer(signed(token, project.secret)),
      found: true,
    },
    {
      name: 'a signed bearer token in percent-encoding',
      headers: () => bearer(encodeURIComponent(signed(token, project.secret))),
      found: true,
    },
    {
      name: 'the scheme in small letters',
      headers: () => ({ authorization: `bearer ${token}` }),
      found: true,
    },
    { name: 'the cookie', headers: () => ({ cookie }), found: true },
    {
      name: 'the cookie among others',
      headers: () => ({ cookie: `a=b; ${cookie}; c=d` }),
      found: true,
    },
    {
      name: 'a bearer token signed with another secret',
      headers: () => bearer(signed(token, neighbor.secret)),
      found: false,
    },
    {
      name: 'an unsigned cookie',
      headers: () => ({ cookie: `better-auth.session_token=${token}` }),
      found: false,
    },
    {
      name: 'a cookie signed with another secret',
      headers: () => ({
        cookie: `better-auth.session_token=${encodeURIComponent(signed(token, neighbor.secret))}`,
      }),
      found: false,
    },
    {
      name: 'a bad bearer token beside a good cookie',
      headers: () => ({ cookie, ...bearer(`${token}.x`) }),
      found: false,
    },
    {
      name: 'another scheme beside a good cookie',
      headers: () => ({ cookie, authorization: 'Basic YTpi' }),
      found: true,
    },
    { name: 'an unknown token', headers: () => bearer('x'.repeat(32)), found: false },
  ])('$name: found is $found', async ({ headers, found }) => {
    expect(await emailOf(project, headers())).toBe(found ? email : undefined);
  });

  test('the caller of the HTTP layer decides by the same function', () => {
    const { auth, secret } = project;
    expect(auth.sessionTokenOf({ authorization: `Bearer ${token}`, cookie: undefined })).toBe(
      token,
    );
    expect(auth.sessionTokenOf({ authorization: undefined, cookie })).toBe(token);
    expect(auth.verifySignedToken(signed(token, secret))).toBe(token);
    expect(auth.verifySignedToken(signed(token, neighbor.secret))).toBeUndefined();
    expect(auth.sessionCookieName).toBe('better-auth.session_token');
  });

  test.each([
    { name: 'token', headers: () => bearer(token) },
    { name: 'cookie', headers: () => ({ cookie }) },
  ])('a $name of one project is nothing in another', async ({ headers }) => {
    await signUp(neighbor, email).catch(() => undefined);
    expect((await neighbor.get('/get-session', { headers: headers() })).body).toBeNull();
    expect((await neighbor.get('/token', { headers: headers() })).status).toBe(401);
  });

  test('requests that overlap get their own session each, and none where none is shown', async () => {
    const people = await Promise.all(
      Array.from({ length: 6 }, async (_, index) => {
        const email = `overlap${index}@a.de`;
        return { email, token: textAt((await signUp(project, email)).body, 'token') };
      }),
    );
    const asked = Array.from({ length: 20 }, () => [
      ...people.map(async ({ email, token }) => {
        const { body } = await project.get('/get-session', { headers: bearer(token) });
        expect(at(body, 'user', 'email')).toBe(email);
      }),
      project.get('/get-session').then(({ body }) => expect(body).toBeNull()),
    ]);
    await Promise.all(asked.flat());
  });

  test('signing in with the cookie of somebody else gives a new token', async () => {
    const reply = await project.post('/sign-in/email', {
      headers: { cookie, origin: 'http://abc.localhost:8000' },
      body: { email, password },
    });
    expect(reply.status).toBe(200);
    expect(textAt(reply.body, 'token')).not.toBe(token);
    expect(cookieOf(reply)).not.toBe(cookie);
  });

  test.each([
    { scheme: 'http', name: 'better-auth.session_token', secure: false },
    { scheme: 'https', name: '__Host-better-auth.session_token', secure: true },
  ])(
    'cookies under $scheme are host-only, HttpOnly and SameSite=Lax',
    async ({ scheme, name, secure }) => {
      const own = await openAuthProject({ baseUrl: `${scheme}://abc.localhost` });
      try {
        const reply = await signUp(own, email);
        const line =
          reply.headers.getSetCookie().find((entry) => entry.startsWith(`${name}=`)) ?? '';
        expect(line).toMatch(/; Path=\/(;|$)/);
        expect(line).toMatch(/; HttpOnly/);
        expect(line).toMatch(/; SameSite=Lax/);
        expect(line).not.toMatch(/domain/i);
        expect(/; Secure/.test(line)).toBe(secure);
        expect(own.auth.sessionCookieName).toBe(name);
        const found = await own.get('/get-session', {
          headers: { cookie: line.split(';')[0] ?? '' },
        });
        expect(at(found.body, 'user', 'email')).toBe(email);
      } finally {
        await own.close();
      }
    },
  );
});

describe('an inactive user', () => {
  let project: AuthProject;
  let token: string;
  beforeAll(async () => {
    project = await openAuthProject();
    token = textAt((await signUp(project, email)).body, 'token');
    await project.sql(`update auth."user" set status = 'disabled' where email = $1`, [email]);
  });
  afterAll(() => project.close());

  test.each([
    { method: 'get' as const, path: '/get-session' },
    { method: 'get' as const, path: '/token' },
    { method: 'get' as const, path: '/list-sessions' },
    { method: 'post' as const, path: '/update-user' },
    { method: 'post' as const, path: '/change-password' },
  ])('$method $path is refused, and the cookie ends', async ({ method, path }) => {
    const reply = await project[method](path, {
      headers: bearer(token),
      ...(method === 'post' && {
        body: { name: 'New', password, newPassword: 'new password', currentPassword: password },
      }),
    });
    expect([reply.status, at(reply.body, 'code')]).toEqual([403, 'USER_INACTIVE']);
    expect(reply.headers.getSetCookie().join()).toMatch(/^better-auth\.session_token=; Max-Age=0/);
  });

  test.each([
    { name: 'the right password tells it', given: password, status: 403, code: 'USER_INACTIVE' },
    {
      name: 'a wrong password tells nothing',
      given: 'wrong password',
      status: 401,
      code: 'INVALID_EMAIL_OR_PASSWORD',
    },
  ])('sign-in: $name', async ({ given, status, code }) => {
    const reply = await project.post('/sign-in/email', { body: { email, password: given } });
    expect([reply.status, at(reply.body, 'code')]).toEqual([status, code]);
    expect(await project.sql('select from auth.session')).toHaveLength(1);
  });
});

describe('lifetime', () => {
  let project: AuthProject;
  beforeAll(async () => {
    project = await openAuthProject({
      settings: { 'auth.sessions': { expiresIn: 3600, updateAge: 600, freshAge: 60 } },
    });
  });
  afterAll(() => project.close());

  const expiry = async (token: string): Promise<number> => {
    const rows = await project.sql(
      `select extract(epoch from "expiresAt" - now())::int as left from auth.session where "tokenHash" = sha256($1)`,
      [token],
    );
    return Number(at(rows[0], 'left'));
  };

  test('comes from the settings, and a session in use is renewed after updateAge', async () => {
    const token = textAt((await signUp(project, 'life@example.com')).body, 'token');
    expect(await expiry(token)).toBeGreaterThan(3500);
    await project.sql(
      `update auth.session set "expiresAt" = now() + interval '3100 s' where "tokenHash" = sha256($1)`,
      [token],
    );
    await project.get('/get-session', { headers: bearer(token) });
    expect(await expiry(token)).toBeLessThanOrEqual(3100);
    await project.sql(
      `update auth.session set "expiresAt" = now() + interval '2900 s' where "tokenHash" = sha256($1)`,
      [token],
    );
    await project.get('/get-session', { headers: bearer(token) });
    expect(await expiry(token)).toBeGreaterThan(3500);
  });

  test('an expired session is none, and the sweep removes it and nothing else', async () => {
    const kept = textAt((await signUp(project, 'kept@example.com')).body, 'token');
    const gone = textAt((await signUp(project, 'gone@example.com')).body, 'token');
    await project.sql(
      `update auth.session set "expiresAt" = now() - interval '1 s' where "tokenHash" = sha256($1)`,
      [gone],
    );
    await project.sql(
      `insert into auth.session (id, "tokenHash", "userId", "expiresAt")
       select 'old' || n, sha256(convert_to('old' || n, 'UTF8')), u.id, now() - interval '1 day'
       from generate_series(1, 2500) n, auth."user" u where u.email = 'kept@example.com'`,
    );
    await project.sql(
      `insert into auth.verification (id, identifier, value, "expiresAt")
       values ('a', 'x', 'y', now() - interval '1 s'), ('b', 'x', 'y', now() + interval '1 day')`,
    );
    await project.sql(
      `insert into auth.rate_limit (key, uses, ends_at)
       values ('a', 1, now() - interval '1 s'), ('b', 1, now() + interval '1 day')`,
    );
    expect((await project.get('/token', { headers: bearer(gone) })).status).toBe(401);
    // The engine itself deleted the one that was presented.
    expect(await sweepExpired(project.pool, { runDeletion: project.runDeletion })).toEqual({
      sessions: 2500,
      verifications: 1,
      rateLimits: 1,
      bans: 0,
    });
    expect(await sweepExpired(project.pool, { runDeletion: project.runDeletion })).toEqual({
      sessions: 0,
      verifications: 0,
      rateLimits: 0,
      bans: 0,
    });
    expect((await project.get('/token', { headers: bearer(kept) })).status).toBe(200);
  });

  test('a new password ends the other sessions when asked to', async () => {
    const first = textAt((await signUp(project, 'change@example.com')).body, 'token');
    const reply = await project.post('/change-password', {
      headers: bearer(first),
      body: { currentPassword: password, newPassword: 'another horse', revokeOtherSessions: true },
    });
    expect(reply.status).toBe(200);
    expect((await project.get('/get-session', { headers: bearer(first) })).body).toBeNull();
    const next = await project.get('/get-session', {
      headers: bearer(textAt(reply.body, 'token')),
    });
    expect(at(next.body, 'user', 'email')).toBe('change@example.com');
    const old = await project.post('/sign-in/email', {
      body: { email: 'change@example.com', password },
    });
    expect(old.status).toBe(401);
  });
});
