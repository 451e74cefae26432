import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  openAuthProject,
  password,
  signUp,
  type AuthProject,
  engineRequest,
} from './auth-project.js';
import { EVIL_TARGETS, lastMail, mailedCode, mailedPath, press } from './mail-links.js';
import { at, bearer } from '../support/replies.js';

const site = 'https://app.example.com';
const settings = {
  'auth.urls': { siteUrl: `${site}/start`, redirectUrls: ['myapp://callback'] },
};

async function ask(project: AuthProject, email: string, body: object = {}): Promise<string> {
  const reply = await project.post('/sign-in/magic-link', {
    body: { email, callbackURL: `${site}/done`, ...body },
  });
  expect([reply.status, reply.body]).toEqual([200, { status: true }]);
  return mailedPath(project, email);
}

const sessionsOf = (project: AuthProject) => project.sql('select id from auth.session');

describe('a link to sign in', () => {
  let project: AuthProject;
  beforeAll(async () => {
    project = await openAuthProject({ settings });
  });
  afterAll(() => project.close());

  test('opens a page that does nothing, keeps to itself and runs nothing', async () => {
    const path = await ask(project, 'page@example.com');
    const page = await project.get(path);
    expect(page.status).toBe(200);
    expect(page.body).toContain('<form method="post" action="verify">');
    expect(page.body).not.toMatch(/<script|<link|<img|src=|onload/i);
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
      'cache-control': 'no-store',
    });
    const policy = page.headers.get('content-security-policy');
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect([page.headers.getSetCookie(), await sessionsOf(project)]).toEqual([[], []]);
  });

  test('survives every program that reads the mail, and signs in once', async () => {
    const path = await ask(project, 'ada@example.com');
    await project.get(path);
    await project.get(path, { headers: { 'sec-purpose': 'prefetch' } });
    const reply = await press(project, path);
    expect([reply.status, reply.headers.get('location')]).toEqual([302, `${site}/done`]);
    expect(reply.headers.getSetCookie().join()).toContain('session_token=');
    const again = await press(project, path);
    expect(again.headers.get('location')).toBe(`${site}/done?error=INVALID_TOKEN`);
    expect(again.headers.getSetCookie()).toEqual([]);
  });

  test('is stored as a digest', async () => {
    const path = await ask(project, 'digest@example.com');
    const token = new URLSearchParams(path.split('?')[1]).get('token') ?? '';
    const rows = JSON.stringify(await project.sql('select * from auth.verification'));
    expect(token).not.toBe('');
    expect(rows).toContain('digest@example.com');
    expect(rows).not.toContain(token);
  });

  test('signs in once however many press at the same moment', async () => {
    const path = await ask(project, 'parallel@example.com');
    const replies = await Promise.all(Array.from({ length: 5 }, () => press(project, path)));
    const ends = replies.map(({ headers }) => headers.get('location'));
    expect(ends.filter((end) => end === `${site}/done`)).toHaveLength(1);
  });

  test('answers an app that gives the token itself with the session', async () => {
    const path = await ask(project, 'app@example.com');
    const token = new URLSearchParams(path.split('?')[1]).get('token');
    const reply = await project.post('/magic-link/verify', { body: { token } });
    expect([reply.status, at(reply.body, 'user', 'email')]).toEqual([200, 'app@example.com']);
    expect(typeof at(reply.body, 'token')).toBe('string');
  });

  test.each([
    { name: 'a page of a stranger', headers: { origin: 'https://evil.example' } },
    { name: 'a stranger that hides its origin', headers: { 'sec-fetch-site': 'cross-site' } },
    { name: 'a sibling project', headers: { 'sec-fetch-site': 'same-site' } },
  ])('cannot be pressed by $name', async ({ headers }) => {
    const path = await ask(project, 'csrf@example.com');
    const reply = await press(project, path, headers);
    expect([reply.status, at(reply.body, 'code')]).toEqual([403, 'INVALID_ORIGIN']);
    expect((await press(project, path, { 'sec-fetch-site': 'same-origin' })).status).toBe(302);
  });

  test('escapes what it was given', async () => {
    const page = await project.get(
      `/magic-link/verify?token=${encodeURIComponent('"><script>alert(1)</script>')}`,
    );
    expect(page.body).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
  });

  test('answers HEAD without being used', async () => {
    const path = await ask(project, 'head@example.com');
    const url = new URL(`/api/auth${path}`, 'http://abc.localhost:8000');
    const request = new Request(url, { method: 'HEAD' });
    const head = await project.auth.handle(engineRequest(request), {
      ip: '203.0.113.1',
      requestId: 'request-1',
    });
    expect(head.status).toBe(405);
    expect((await press(project, path)).headers.get('location')).toBe(`${site}/done`);
  });

  const fields = ['callbackURL', 'newUserCallbackURL', 'errorCallbackURL'] as const;
  const rows = fields.flatMap((field) => EVIL_TARGETS.map((target) => ({ field, target })));
  test.each(rows)('does not lead to $field $target', async ({ field, target }) => {
    const asked = await project.post('/sign-in/magic-link', {
      body: { email: 'evil@example.com', [field]: target },
    });
    expect(asked.status).toBe(403);
    const query = new URLSearchParams({ token: 'x', callbackURL: site, [field]: target });
    const path = `/magic-link/verify?${query.toString()}`;
    expect((await project.get(path)).status).toBe(403);
    const pressed = await press(project, path);
    expect([pressed.status, pressed.headers.get('location')]).toEqual([403, null]);
  });

  test('takes the password of whoever signed up with the address before its owner did', async () => {
    const email = 'victim@example.com';
    const token = at((await signUp(project, email)).body, 'token');
    const path = await ask(project, email);
    expect((await press(project, path)).status).toBe(302);
    const attack = await project.post('/sign-in/email', { body: { email, password } });
    expect(attack.status).toBe(401);
    const session = await project.get('/get-session', { headers: bearer(String(token)) });
    expect(session.body).toBeNull();
  });

  test('carries a code that signs in on another device', async () => {
    const email = 'device@example.com';
    await ask(project, email);
    const reply = await project.post('/sign-in/email-otp', {
      body: { email, otp: mailedCode(project, email) },
    });
    expect([reply.status, at(reply.body, 'user', 'email')]).toEqual([200, email]);
  });

  test('leads to the site when the request names no target', async () => {
    const email = 'site@example.com';
    await project.post('/sign-in/magic-link', { body: { email } });
    const reply = await press(project, mailedPath(project, email));
    expect(reply.headers.get('location')).toBe(`${site}/start`);
  });

  test('tells the application when the account is not active', async () => {
    const email = 'inactive@example.com';
    await signUp(project, email);
    await project.sql(`update auth."user" set status = 'inactive' where email = $1`, [email]);
    const reply = await press(project, await ask(project, email));
    const end = `${site}/done?error=USER_INACTIVE`;
    expect([reply.status, reply.headers.get('location')]).toEqual([302, end]);
    expect(reply.headers.getSetCookie()).toEqual([]);
  });

  test.each([
    { name: 'a reserved phone address', email: '15550000@phone.local', code: 'INVALID_INPUT' },
    { name: 'a reserved guest address', email: 'x@anonymous.local', code: 'INVALID_INPUT' },
    {
      name: 'a field that decides something',
      email: 'a@b.de',
      more: { role: 'ADMIN' },
      code: 'FIELD_NOT_ALLOWED',
    },
  ])('is not sent for $name', async ({ email, more, code }) => {
    const reply = await project.post('/sign-in/magic-link', { body: { email, ...more } });
    expect([reply.status, at(reply.body, 'code')]).toEqual([400, code]);
    expect(project.mails.some(({ to }) => to === email)).toBe(false);
  });
});

describe('the settings of links', () => {
  let project: AuthProject;
  beforeAll(async () => {
    project = await openAuthProject({ settings });
  });
  afterAll(() => project.close());

  test('without the page, opening the link signs in and preparing for it does not', async () => {
    const email = 'direct@example.com';
    const via = await project.rebuild({
      ...settings,
      'auth.methods.magicLink': { confirm: false },
    });
    const path = await ask(project, email);
    const prepared = await project.get(path, { via, headers: { 'sec-purpose': 'prefetch' } });
    expect([prepared.status, prepared.headers.getSetCookie()]).toEqual([200, []]);
    const opened = await project.get(path, { via });
    expect([opened.status, opened.headers.get('location')]).toEqual([302, `${site}/done`]);
    expect(opened.headers.getSetCookie().join()).toContain('session_token=');
  });

  test.each([
    { name: 'links make no account', more: { 'auth.methods.magicLink': { createUsers: false } } },
    { name: 'sign-up is closed', more: { 'auth.signup': { enabled: false } } },
    {
      name: 'the domain is refused',
      more: { 'auth.signup': { blockedEmailDomains: ['example.com'] } },
    },
  ])('when $name, an unknown address gets the same answer and no mail', async ({ more }) => {
    const via = await project.rebuild({ ...settings, ...more });
    const known = 'known@example.com';
    await project.sql(
      `insert into auth."user" (id, email, claims) values ('known', $1, '{}')
      on conflict do nothing`,
      [known],
    );
    const before = project.mails.length;
    const replies = [];
    for (const email of [known, 'unknown@mail.example.com', 'unknown@example.com']) {
      // One after the other, so that the mails can be told apart.
      replies.push(await project.post('/sign-in/magic-link', { via, body: { email } }));
    }
    expect(new Set(replies.map(({ status, body }) => JSON.stringify([status, body])))).toEqual(
      new Set(['[200,{"status":true}]']),
    );
    expect(project.mails.slice(before).map(({ to }) => to)).toEqual([known]);
  });

  test('without codes by mail the link comes alone', async () => {
    const email = 'alone@example.com';
    const via = await project.rebuild({ ...settings, 'auth.methods.emailOTP': { enabled: false } });
    await project.post('/sign-in/magic-link', { via, body: { email } });
    expect(Object.keys(lastMail(project, email).values).sort()).toEqual([
      'expiresInMinutes',
      'url',
    ]);
  });

  test('when links are off their routes are gone', async () => {
    const via = await project.rebuild({ 'auth.methods.magicLink': { enabled: false } });
    const body = { email: 'off@example.com' };
    expect((await project.post('/sign-in/magic-link', { via, body })).status).toBe(404);
    expect((await project.get('/magic-link/verify?token=x', { via })).status).toBe(404);
  });
});
