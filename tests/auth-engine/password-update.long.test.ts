import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openAuthProject, password, signUp, type AuthProject, type Reply } from './auth-project.js';
import { lastMail, mailedCode, wrongCode } from './mail-links.js';
import { at, bearer, textAt } from '../support/replies.js';

const chosen = 'another horse';
const events: unknown[][] = [];
let project: AuthProject;
beforeAll(async () => {
  const emit = async (...event: unknown[]): Promise<void> => void events.push(event);
  project = await openAuthProject({ hooks: { emit } });
});
afterAll(() => project.close());

type Headers = ReturnType<typeof bearer>;

async function signedUp(email: string): Promise<Headers> {
  return bearer(textAt((await signUp(project, email)).body, 'token'));
}

/** A user without a password, as a code by mail makes one. */
async function withoutPassword(email: string): Promise<Headers> {
  await project.post('/email-otp/send-verification-otp', { body: { email, type: 'sign-in' } });
  const body = { email, otp: mailedCode(project, email) };
  return bearer(textAt((await project.post('/sign-in/email-otp', { body })).body, 'token'));
}

function update(headers: Headers, body: object): Promise<Reply> {
  return project.post('/update-password', { headers, body: { newPassword: chosen, ...body } });
}

async function nonceFor(headers: Headers, email: string): Promise<string> {
  const reply = await project.post('/reauthenticate', { headers });
  expect([reply.status, reply.body]).toEqual([200, { status: true }]);
  return mailedCode(project, email);
}

function signIn(email: string, secret: string): Promise<Reply> {
  return project.post('/sign-in/email', { body: { email, password: secret } });
}

describe('a new password', () => {
  test('is taken with the old one; other sessions end and the owner is told', async () => {
    const email = 'ada@example.com';
    const headers = await signedUp(email);
    const other = bearer(textAt((await signIn(email, password)).body, 'token'));
    const reply = await update(headers, { currentPassword: password });
    expect([reply.status, at(reply.body, 'user', 'email')]).toEqual([200, email]);
    expect((await signIn(email, password)).status).toBe(401);
    expect((await signIn(email, chosen)).status).toBe(200);
    expect((await project.get('/get-session', { headers: other })).body).toBeNull();
    expect(at((await project.get('/get-session', { headers })).body, 'user', 'email')).toBe(email);
    expect(lastMail(project, email).kind).toBe('passwordChanged');
    const userId = at(reply.body, 'user', 'id');
    expect(events.filter(([type]) => type === 'password.changed')).toEqual([
      ['password.changed', { userId }],
    ]);
  });

  test('is taken with the code that was sent, once', async () => {
    const email = 'nonce@example.com';
    const headers = await signedUp(email);
    const nonce = await nonceFor(headers, email);
    expect(lastMail(project, email)).toMatchObject({
      kind: 'reauthenticate',
      values: { expiresInMinutes: 5 },
    });
    expect((await update(headers, { nonce })).status).toBe(200);
    expect((await signIn(email, chosen)).status).toBe(200);
    const again = await update(headers, { nonce });
    expect([again.status, at(again.body, 'code')]).toEqual([400, 'INVALID_CODE']);
  });

  test.each([
    { name: 'neither', body: {}, status: 400, code: 'REAUTHENTICATION_REQUIRED' },
    {
      name: 'a wrong password',
      body: { currentPassword: 'x' },
      status: 403,
      code: 'INVALID_PASSWORD',
    },
    {
      name: 'an empty password',
      body: { currentPassword: '' },
      status: 403,
      code: 'INVALID_PASSWORD',
    },
    {
      name: 'a wrong password and a code',
      body: { currentPassword: 'x', nonce: '000000' },
      status: 403,
      code: 'INVALID_PASSWORD',
    },
    {
      name: 'a code that was never sent',
      body: { nonce: '000000' },
      status: 400,
      code: 'INVALID_CODE',
    },
    { name: 'an empty code', body: { nonce: '' }, status: 400, code: 'INVALID_CODE' },
    { name: 'a number', body: { nonce: 0 }, status: 400, code: 'INVALID_INPUT' },
    {
      name: 'a field that is not there',
      body: { userId: 'x' },
      status: 400,
      code: 'FIELD_NOT_ALLOWED',
    },
  ])('is refused with $name', async ({ name, body, status, code }) => {
    const email = `no-${name.replaceAll(' ', '-')}@example.com`;
    const reply = await update(await signedUp(email), body);
    expect([reply.status, at(reply.body, 'code')]).toEqual([status, code]);
    expect((await signIn(email, password)).status).toBe(200);
  });

  test('that is too weak does not use the code up', async () => {
    const email = 'weak@example.com';
    const headers = await signedUp(email);
    const nonce = await nonceFor(headers, email);
    const weak = await update(headers, { nonce, newPassword: 'short' });
    expect([weak.status, at(weak.body, 'code')]).toEqual([400, 'PASSWORD_TOO_SHORT']);
    expect((await update(headers, { nonce })).status).toBe(200);
  });

  test('needs a session', async () => {
    const body = { newPassword: chosen, currentPassword: password };
    expect((await project.post('/update-password', { body })).status).toBe(401);
    expect((await project.post('/reauthenticate')).status).toBe(401);
  });
});

describe('the code for a new password', () => {
  test('is guessed three times at most, however many guesses come at once', async () => {
    const email = 'guess@example.com';
    const headers = await signedUp(email);
    const nonce = await nonceFor(headers, email);
    await Promise.all(
      Array.from({ length: 8 }, () => update(headers, { nonce: wrongCode(nonce) })),
    );
    const late = await update(headers, { nonce });
    expect([late.status, at(late.body, 'code')]).toEqual([400, 'INVALID_CODE']);
  });

  test('is guessed ten times in an hour from one network, over all codes', async () => {
    const email = 'guess-often@example.com';
    const headers = await signedUp(email);
    for (let i = 0; i < 5; i += 1) {
      const nonce = await nonceFor(headers, email);
      for (let guess = 0; guess < 2; guess += 1) {
        const reply = await update(headers, { nonce: wrongCode(nonce) });
        expect([reply.status, at(reply.body, 'code')]).toEqual([400, 'INVALID_CODE']);
      }
    }
    const late = await update(headers, { nonce: await nonceFor(headers, email) });
    expect([late.status, at(late.body, 'code')]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(3000);
  });

  test('changes the password once, however often it is entered at the same moment', async () => {
    const email = 'race@example.com';
    const headers = await signedUp(email);
    const nonce = await nonceFor(headers, email);
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        update(headers, { nonce, newPassword: `horse number ${index}` }),
      ),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.every(({ status }) => status < 500)).toBe(true);
  });

  test('is worth nothing after five minutes, to somebody else, or after another was sent', async () => {
    const headers = await signedUp('first@example.com');
    const nonce = await nonceFor(headers, 'first@example.com');
    expect((await update(await signedUp('second@example.com'), { nonce })).status).toBe(400);
    await project.sql(
      `update auth.verification set "expiresAt" = "expiresAt" - interval '5 minutes'
       where identifier like 'reauthenticate:%'`,
    );
    expect((await update(headers, { nonce })).status).toBe(400);
    const newer = await nonceFor(headers, 'first@example.com');
    await nonceFor(headers, 'first@example.com');
    const newest = mailedCode(project, 'first@example.com');
    if (newer !== newest) expect((await update(headers, { nonce: newer })).status).toBe(400);
    expect((await update(headers, { nonce: newest })).status).toBe(200);
  });

  test('is stored as a digest', async () => {
    const headers = await signedUp('digest@example.com');
    const nonce = await nonceFor(headers, 'digest@example.com');
    const rows = await project.sql(
      `select value from auth.verification where identifier like 'reauthenticate:%'`,
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(nonce);
  });

  test('is not sent to a guest, nor to an address that is none', async () => {
    const headers = await signedUp('guest@example.com');
    await project.sql(
      `update auth."user" set "isAnonymous" = true where email = 'guest@example.com'`,
    );
    for (const path of ['/reauthenticate', '/update-password']) {
      // Both refuse for the same reason.
      const reply = await project.post(path, { headers, body: newPasswordFor(path) });
      expect([reply.status, at(reply.body, 'code')]).toEqual([403, 'PERMANENT_ACCOUNT_REQUIRED']);
    }
    const phone = await signedUp('phone@example.com');
    await project.sql(
      `update auth."user" set email = '15550000@phone.local' where email = 'phone@example.com'`,
    );
    const reply = await project.post('/reauthenticate', { headers: phone });
    expect([reply.status, at(reply.body, 'code')]).toEqual([400, 'INVALID_INPUT']);
  });
});

function newPasswordFor(path: string): object {
  return path === '/update-password' ? { newPassword: chosen } : {};
}

describe('the first password of an account', () => {
  test('needs nothing but a fresh session', async () => {
    const email = 'first-password@example.com';
    const headers = await withoutPassword(email);
    expect((await update(headers, {})).status).toBe(200);
    expect((await signIn(email, chosen)).status).toBe(200);
    const second = await update(headers, { newPassword: 'second horse' });
    expect([second.status, at(second.body, 'code')]).toEqual([400, 'REAUTHENTICATION_REQUIRED']);
  });

  test('is refused to a session that is not fresh', async () => {
    const email = 'stale@example.com';
    const headers = await withoutPassword(email);
    await project.sql(
      `update auth.session set "createdAt" = now() - interval '2 days'
       where "userId" = (select id from auth."user" where email = $1)`,
      [email],
    );
    const reply = await update(headers, {});
    expect([reply.status, at(reply.body, 'code')]).toEqual([403, 'SESSION_NOT_FRESH']);
  });

  test('is one of several that are chosen at the same moment', async () => {
    const headers = await withoutPassword('first-race@example.com');
    const replies = await Promise.all(
      ['first horse', 'second horse', 'third horse'].map((newPassword) =>
        update(headers, { newPassword }),
      ),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.every(({ status }) => status < 500)).toBe(true);
  });
});

describe('the routes of the engine', () => {
  test('/verify-password tells whether a password is the own one', async () => {
    const headers = await signedUp('verify@example.com');
    const ask = (secret: string): Promise<Reply> =>
      project.post('/verify-password', { headers, body: { password: secret } });
    expect((await ask(password)).status).toBe(200);
    const wrong = await ask('wrong');
    expect([wrong.status, at(wrong.body, 'code')]).toEqual([400, 'INVALID_PASSWORD']);
  });

  test('/change-password tells the owner, and nobody when it refuses', async () => {
    const email = 'change@example.com';
    const headers = await signedUp(email);
    const before = events.length;
    const wrong = { currentPassword: 'wrong', newPassword: chosen };
    expect((await project.post('/change-password', { headers, body: wrong })).status).toBe(400);
    expect([project.mails.some(({ to }) => to === email), events.length]).toEqual([false, before]);
    const body = { currentPassword: password, newPassword: chosen, revokeOtherSessions: true };
    expect((await project.post('/change-password', { headers, body })).status).toBe(200);
    expect(lastMail(project, email).kind).toBe('passwordChanged');
    expect(events.filter(([type]) => type === 'password.changed').length).toBeGreaterThan(0);
  });
});
