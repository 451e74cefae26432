import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openAuthProject, signUp, type AuthProject, type Reply } from './auth-project.js';
import { mailedPath } from './mail-links.js';
import { at, bearer, textAt } from '../support/replies.js';

const site = 'https://app.example.com';
const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');

interface Flow {
  readonly email: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly target?: string;
}

/** The last redirect of a sign-in by link. */
async function finish(
  project: AuthProject,
  { email, headers = {}, target = `${site}/done` }: Flow,
): Promise<Reply> {
  const reply = await project.post('/sign-in/magic-link', {
    headers: { 'x-rowhouse-flow': 'rowhouse_code', ...headers },
    body: { email, callbackURL: target, newUserCallbackURL: `${target}?new=1` },
  });
  expect(reply.status).toBe(200);
  const [path = '', query] = mailedPath(project, email).split('?');
  return project.post(path, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: query,
  });
}

function codeOf(reply: Reply): string {
  const code = new URL(reply.headers.get('location') ?? '').searchParams.get('rowhouse_code');
  if (code === null) throw new Error('the redirect has no code');
  return code;
}

function exchange(project: AuthProject, body: object): Promise<Reply> {
  return project.post('/exchange-code', { body });
}

describe('a code at the end of redirects', () => {
  let project: AuthProject;
  beforeAll(async () => {
    project = await openAuthProject({
      settings: { 'auth.urls': { siteUrl: site, redirectUrls: ['myapp://callback'] } },
    });
  });
  afterAll(() => project.close());

  test('takes the place of every cookie, and gives the session once', async () => {
    const end = await finish(project, { email: 'ada@example.com' });
    const code = codeOf(end);
    expect([end.status, end.headers.get('location')]).toEqual([
      302,
      `${site}/done?new=1&rowhouse_code=${code}`,
    ]);
    expect([end.headers.getSetCookie(), end.headers.get('set-auth-token')]).toEqual([[], null]);
    const reply = await exchange(project, { code });
    expect(reply.status).toBe(200);
    expect(at(reply.body, 'user')).toMatchObject({ email: 'ada@example.com', role: 'USER' });
    const headers = bearer(String(at(reply.body, 'token')));
    const session = await project.get('/get-session', { headers });
    expect(at(session.body, 'user', 'email')).toBe('ada@example.com');
    const again = await exchange(project, { code });
    expect([again.status, at(again.body, 'code')]).toEqual([400, 'INVALID_CODE']);
  });

  test('is called as a client of an earlier release asks for it', async () => {
    const headers = { 'x-rowhouse-flow': 'code' };
    const end = await finish(project, { email: 'earlier@example.com', headers });
    const { searchParams } = new URL(end.headers.get('location') ?? '');
    expect([...searchParams.keys()]).toEqual(['new', 'code']);
    expect((await exchange(project, { code: searchParams.get('code') })).status).toBe(200);
  });

  test('is not for clients that did not ask for it', async () => {
    const email = 'cookie@example.com';
    await project.post('/sign-in/magic-link', { body: { email, callbackURL: `${site}/done` } });
    const [path = '', query] = mailedPath(project, email).split('?');
    const end = await project.post(path, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: query,
    });
    expect(end.headers.get('location')).toBe(`${site}/done`);
    expect(end.headers.getSetCookie().join()).toContain('session_token=');
  });

  test('gives one session, however many exchange it at the same moment', async () => {
    const code = codeOf(await finish(project, { email: 'race@example.com' }));
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => exchange(project, { code })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('lives for a minute', async () => {
    const code = codeOf(await finish(project, { email: 'late@example.com' }));
    const rows = await project.sql(
      `update auth.verification set "expiresAt" = "expiresAt" - interval '60 s'
       where identifier like 'one-time-code:%' returning "expiresAt" <= now() as "isOver"`,
    );
    expect(rows.every(({ isOver }) => isOver === true)).toBe(true);
    expect((await exchange(project, { code })).status).toBe(400);
  });

  test('is stored as a digest, without the token of the session', async () => {
    const code = codeOf(await finish(project, { email: 'digest@example.com' }));
    const rows = JSON.stringify(await project.sql('select * from auth.verification'));
    expect(rows).toContain('one-time-code:');
    expect(rows).not.toContain(code);
    const reply = await exchange(project, { code });
    expect(rows).not.toContain(textAt(reply.body, 'token'));
  });

  test('is worth nothing to whoever lacks the verifier of its challenge', async () => {
    const headers = { 'x-code-challenge': challenge };
    const attempts = [
      {},
      { codeVerifier: 'stolen' },
      { codeVerifier: challenge },
      { codeVerifier: '' },
    ];
    for (const attempt of attempts) {
      // Each flow ends before the next begins: the newest mail is read.
      const code = codeOf(await finish(project, { email: 'pkce@example.com', headers }));
      const stolen = await exchange(project, { code, ...attempt });
      expect([stolen.status, at(stolen.body, 'code')]).toEqual([400, 'INVALID_CODE']);
      expect((await exchange(project, { code, codeVerifier: verifier })).status).toBe(400);
    }
    const code = codeOf(await finish(project, { email: 'pkce@example.com', headers }));
    expect((await exchange(project, { code, codeVerifier: verifier })).status).toBe(200);
  });

  test('of a flow without a challenge is refused to a client that has a verifier', async () => {
    const code = codeOf(await finish(project, { email: 'downgrade@example.com' }));
    expect((await exchange(project, { code, codeVerifier: verifier })).status).toBe(400);
  });

  test('leaves the parameters of the application where they are, as does an error', async () => {
    const target = `${site}/shop?code=SPRING26&error=none&a=1&a=2&state=s`;
    const email = 'shop@example.com';
    await project.post('/sign-in/magic-link', {
      headers: { 'x-rowhouse-flow': 'rowhouse_code' },
      body: { email, callbackURL: target, errorCallbackURL: target },
    });
    const [path = '', query] = mailedPath(project, email).split('?');
    const open = () =>
      project.post(path, {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: query,
      });
    expect((await open()).headers.get('location')).toMatch(
      /^https:\/\/app\.example\.com\/shop\?code=SPRING26&error=none&a=1&a=2&state=s&rowhouse_code=[\w-]{43}$/,
    );
    expect((await open()).headers.get('location')).toBe(`${target}&rowhouse_error=INVALID_TOKEN`);
  });

  test('leads back to an address as long as a target may be', async () => {
    const target = `${site}/done?q=`.padEnd(2048, 'x');
    await project.post('/sign-in/magic-link', {
      headers: { 'x-rowhouse-flow': 'rowhouse_code' },
      body: { email: 'long@example.com', callbackURL: target },
    });
    const [path = '', query] = mailedPath(project, 'long@example.com').split('?');
    const reply = await project.post(path, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: query,
    });
    expect(reply.headers.get('location')).toContain(`${target}&rowhouse_code=`);
  });

  test('is put into the address of an app', async () => {
    const end = await finish(project, { email: 'native@example.com', target: 'myapp://callback' });
    expect(end.headers.get('location')).toMatch(
      /^myapp:\/\/callback\?new=1&rowhouse_code=[\w-]{43}$/,
    );
  });

  test('gives no session that has ended meanwhile', async () => {
    const code = codeOf(await finish(project, { email: 'ended@example.com' }));
    await project.sql('delete from auth.session');
    expect((await exchange(project, { code })).status).toBe(400);
  });

  test('gives no session to a user who is not active any more', async () => {
    const email = 'inactive@example.com';
    const code = codeOf(await finish(project, { email }));
    await project.sql(`update auth."user" set status = 'inactive' where email = $1`, [email]);
    const reply = await exchange(project, { code });
    expect([reply.status, at(reply.body, 'code')]).toEqual([403, 'USER_INACTIVE']);
  });

  test('is not shown with a refusal', async () => {
    const email = 'refused@example.com';
    await signUp(project, email);
    const asked = {
      headers: { 'x-rowhouse-flow': 'rowhouse_code' },
      body: { email, callbackURL: `${site}/done` },
    };
    await project.post('/sign-in/magic-link', asked);
    const [path = '', query = ''] = mailedPath(project, email).split('?');
    const wrong = new URLSearchParams(query);
    wrong.set('token', 'wrong');
    const end = await project.post(path, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: wrong.toString(),
    });
    expect(end.headers.get('location')).toBe(`${site}/done?rowhouse_error=INVALID_TOKEN`);
  });

  test.each([
    { name: 'another flow', headers: { 'x-rowhouse-flow': 'token' } },
    { name: 'a challenge that is none', headers: { 'x-code-challenge': 'plain' } },
  ])('is not given for $name', async ({ headers }) => {
    const reply = await project.post('/sign-in/magic-link', {
      headers: { 'x-rowhouse-flow': 'rowhouse_code', ...headers },
      body: { email: 'header@example.com', callbackURL: site },
    });
    expect([reply.status, at(reply.body, 'code')]).toEqual([400, 'INVALID_INPUT']);
  });

  test.each([
    { name: 'no code', body: {}, code: 'INVALID_INPUT' },
    { name: 'a code that is no text', body: { code: 1 }, code: 'INVALID_INPUT' },
    { name: 'a code that was never given', body: { code: 'x' }, code: 'INVALID_CODE' },
    {
      name: 'a field that is not there',
      body: { code: 'x', userId: 'y' },
      code: 'FIELD_NOT_ALLOWED',
    },
  ])('is not exchanged with $name', async ({ body, code }) => {
    const reply = await exchange(project, body);
    expect([reply.status, at(reply.body, 'code')]).toEqual([400, code]);
  });
});
