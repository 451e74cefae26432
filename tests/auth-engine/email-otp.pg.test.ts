import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  openAuthProject,
  password,
  signUp,
  storedIdentifier,
  type AuthProject,
  type Reply,
} from './auth-project.js';
import { lastMail, mailedCode, wrongCode } from './mail-links.js';
import { at, textAt } from '../support/replies.js';

function send(project: AuthProject, email: string, type = 'sign-in'): Promise<Reply> {
  return project.post('/email-otp/send-verification-otp', { body: { email, type } });
}

async function codeFor(project: AuthProject, email: string, type?: string): Promise<string> {
  const reply = await send(project, email, type);
  expect([reply.status, reply.body]).toEqual([200, { success: true }]);
  return mailedCode(project, email);
}

function enter(project: AuthProject, email: string, otp: string): Promise<Reply> {
  return project.post('/sign-in/email-otp', { body: { email, otp } });
}

describe('a code by mail', () => {
  let project: AuthProject;
  beforeAll(async () => {
    project = await openAuthProject();
  });
  afterAll(() => project.close());

  test('signs in whoever reads the mail, as a new user too, and works once', async () => {
    const email = 'ada@example.com';
    const otp = await codeFor(project, 'Ada@Example.com'.toLowerCase());
    expect(otp).toMatch(/^\d{6}$/);
    expect(lastMail(project, email)).toMatchObject({
      kind: 'emailOtp',
      values: { expiresInMinutes: 5 },
    });
    const reply = await enter(project, email, otp);
    expect(reply.status).toBe(200);
    expect(at(reply.body, 'user')).toMatchObject({ email, emailVerified: true, role: 'USER' });
    const again = await enter(project, email, otp);
    expect([again.status, at(again.body, 'code')]).toEqual([400, 'INVALID_OTP']);
  });

  test('is stored so that nobody can find it out from the table', async () => {
    const email = 'digest@example.com';
    const otp = await codeFor(project, email);
    const rows = await project.sql('select value from auth.verification where identifier = $1', [
      storedIdentifier(`sign-in-otp-${email}`),
    ]);
    const stored = textAt(rows[0], 'value').replace(/:0$/, '');
    const plain = new Uint8Array(
      await crypto.subtle.digest('SHA-256', new TextEncoder().encode(otp)),
    );
    expect(stored).toMatch(/^[\w-]{43}$/);
    expect(stored).not.toBe(Buffer.from(plain).toString('base64url'));
  });

  test('gives up after three wrong guesses', async () => {
    const email = 'guess@example.com';
    const otp = await codeFor(project, email);
    const replies = [];
    for (const guess of [wrongCode(otp), wrongCode(otp), wrongCode(otp), otp, otp]) {
      // The order of the guesses is what is counted.
      replies.push(at((await enter(project, email, guess)).body, 'code'));
    }
    expect(replies).toEqual([
      'INVALID_OTP',
      'INVALID_OTP',
      'INVALID_OTP',
      'TOO_MANY_ATTEMPTS',
      'INVALID_OTP',
    ]);
  });

  test('compares no more guesses when they come at once', async () => {
    const email = 'storm@example.com';
    const otp = await codeFor(project, email);
    await Promise.all(Array.from({ length: 20 }, () => enter(project, email, wrongCode(otp))));
    const rows = await project.sql(
      `select split_part(value, ':', 2)::int as used from auth.verification where identifier = $1`,
      [storedIdentifier(`sign-in-otp-${email}`)],
    );
    expect(rows.length).toBeLessThanOrEqual(1);
    expect(rows.every(({ used }) => Number(used) <= 3)).toBe(true);
  });

  test('signs in once however often it is entered at the same moment', async () => {
    const email = 'parallel@example.com';
    const otp = await codeFor(project, email);
    const replies = await Promise.all(Array.from({ length: 5 }, () => enter(project, email, otp)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('is dead once another was sent', async () => {
    const email = 'resend@example.com';
    const first = await codeFor(project, email);
    const second = await codeFor(project, email);
    if (first !== second) expect((await enter(project, email, first)).status).toBe(400);
    expect((await enter(project, email, second)).status).toBe(200);
  });

  test('takes the password of whoever signed up with the address before its owner did', async () => {
    const email = 'victim@example.com';
    await signUp(project, email);
    expect((await enter(project, email, await codeFor(project, email))).status).toBe(200);
    const attack = await project.post('/sign-in/email', { body: { email, password } });
    expect(attack.status).toBe(401);
  });

  test('proves the address of an account', async () => {
    const email = 'proof@example.com';
    await signUp(project, email);
    const otp = await codeFor(project, email, 'email-verification');
    expect(lastMail(project, email).kind).toBe('verifyEmailOtp');
    const reply = await project.post('/email-otp/verify-email', { body: { email, otp } });
    expect([reply.status, at(reply.body, 'user', 'emailVerified')]).toEqual([200, true]);
  });

  test.each([
    { name: 'a reserved phone address', email: '15550000@phone.local', code: 'INVALID_INPUT' },
    { name: 'a reserved guest address', email: 'x@Anonymous.Local', code: 'INVALID_INPUT' },
    {
      name: 'a change of the address',
      email: 'a@b.de',
      type: 'change-email',
      code: 'CHANGE_EMAIL_DISABLED',
    },
    { name: 'a type that is none', email: 'a@b.de', type: 'other', code: 'VALIDATION_ERROR' },
  ])('is not sent for $name', async ({ email, type, code }) => {
    const reply = await send(project, email, type);
    expect([reply.status, at(reply.body, 'code')]).toEqual([400, code]);
    expect(project.mails.some(({ to }) => to === email)).toBe(false);
  });

  test.each(['role', 'status', 'emailVerified', 'phoneNumber', 'isAnonymous', 'username'])(
    'makes no account with the field %s from outside',
    async (field) => {
      const email = 'field@example.com';
      const otp = await codeFor(project, email);
      const reply = await project.post('/sign-in/email-otp', {
        body: { email, otp, [field]: 'ADMIN' },
      });
      expect([reply.status, at(reply.body, 'code')]).toEqual([400, 'FIELD_NOT_ALLOWED']);
    },
  );

  test('has the length and life of the settings', async () => {
    const via = await project.rebuild({
      'auth.methods.emailOTP': { otpLength: 8, expiresIn: 60 },
    });
    const body = { email: 'long@example.com', type: 'sign-in' };
    await project.post('/email-otp/send-verification-otp', { via, body });
    expect(lastMail(project, body.email).values).toEqual({
      code: expect.stringMatching(/^\d{8}$/),
      expiresInMinutes: 1,
    });
    await project.sql(`update auth.verification set "expiresAt" = now() - interval '1 second'`);
    const otp = mailedCode(project, body.email);
    const reply = await project.post('/sign-in/email-otp', {
      via,
      body: { email: body.email, otp },
    });
    expect([reply.status, at(reply.body, 'code')]).toEqual([400, 'OTP_EXPIRED']);
  });

  test('is not there when its group is off', async () => {
    const via = await project.rebuild({ 'auth.methods.emailOTP': { enabled: false } });
    const body = { email: 'off@example.com', type: 'sign-in' };
    const reply = await project.post('/email-otp/send-verification-otp', { via, body });
    expect(reply.status).toBe(404);
  });
});

describe('who may have an account by a code', () => {
  let project: AuthProject;
  beforeAll(async () => {
    project = await openAuthProject();
    await signUp(project, 'known@example.com');
  });
  afterAll(() => project.close());

  test.each([
    { name: 'codes make no account', more: { 'auth.methods.emailOTP': { createUsers: false } } },
    { name: 'sign-up is closed', more: { 'auth.signup': { enabled: false } } },
    {
      name: 'the domain is not on the list',
      more: { 'auth.signup': { allowedEmailDomains: ['b.de'] } },
    },
    {
      name: 'the domain is refused',
      more: { 'auth.signup': { blockedEmailDomains: ['example.com'] } },
    },
  ])('when $name, an unknown address is told apart by nobody', async ({ more }) => {
    const via = await project.rebuild(more);
    const seen = [];
    for (const email of ['known@example.com', 'unknown@sub.example.com']) {
      // One after the other, so that each gets its own mail.
      const sent = await project.post('/email-otp/send-verification-otp', {
        via,
        body: { email, type: 'sign-in' },
      });
      const guesses = [];
      for (let index = 0; index < 5; index += 1) {
        const reply = await project.post('/sign-in/email-otp', { via, body: { email, otp: 'x' } });
        guesses.push([reply.status, reply.body]);
      }
      seen.push([sent.status, sent.body, guesses]);
    }
    expect(seen[1]).toEqual(seen[0]);
    expect(project.mails.some(({ to }) => to === 'unknown@sub.example.com')).toBe(false);
    expect(lastMail(project, 'known@example.com').kind).toBe('emailOtp');
  });
});
