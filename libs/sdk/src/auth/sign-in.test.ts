// Signing up and in: what is sent for each method, and what becomes of the answer.
import { describe, expect, test } from 'vitest';

import {
  aliveReply,
  authClient,
  eventsOf,
  flush,
  signedInReply,
  storageKey,
  user,
  wireOf,
} from '../../tests/auth-client.js';
import type { RowhouseClient } from '../client.js';

type Auth = RowhouseClient['auth'];

interface Row {
  readonly name: string;
  readonly call: (auth: Auth) => Promise<{ readonly error: unknown }>;
  readonly target: string;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
}

const captcha = { 'x-captcha-response': 'proof' };
const flow = { 'x-rowhouse-flow': 'rowhouse_code' };
const email = 'ada@example.org';
const phone = '+15550100';

const rows: readonly Row[] = [
  {
    name: 'signUp sends address and password',
    call: (auth) => auth.signUp({ email, password: 'p' }),
    target: '/api/auth/sign-up/email',
    body: { email, password: 'p' },
  },
  {
    name: 'signUp sends user name, name, metadata, where the mail leads, and the CAPTCHA',
    call: (auth) =>
      auth.signUp({
        email,
        password: 'p',
        username: 'ada',
        name: 'Ada',
        image: 'i',
        options: { data: { a: 1 }, emailRedirectTo: 'http://x/', captchaToken: 'proof' },
      }),
    target: '/api/auth/sign-up/email',
    body: {
      email,
      password: 'p',
      username: 'ada',
      name: 'Ada',
      image: 'i',
      data: { a: 1 },
      callbackURL: 'http://x/',
    },
    headers: captcha,
  },
  {
    name: 'signInWithPassword by address',
    call: (auth) =>
      auth.signInWithPassword({ email, password: 'p', options: { captchaToken: 'proof' } }),
    target: '/api/auth/sign-in/email',
    body: { email, password: 'p' },
    headers: captcha,
  },
  {
    name: 'signInWithPassword by phone number',
    call: (auth) => auth.signInWithPassword({ phone, password: 'p' }),
    target: '/api/auth/sign-in/phone-number',
    body: { phoneNumber: phone, password: 'p' },
  },
  {
    name: 'signInAnonymously',
    call: (auth) => auth.signInAnonymously({ options: { captchaToken: 'proof' } }),
    target: '/api/auth/sign-in/anonymous',
    body: {},
    headers: captcha,
  },
  {
    name: 'signInWithOtp mails a code',
    call: (auth) => auth.signInWithOtp({ email, options: { captchaToken: 'proof' } }),
    target: '/api/auth/email-otp/send-verification-otp',
    body: { email, type: 'sign-in' },
    headers: captcha,
  },
  {
    name: 'signInWithOtp mails a link when it is told where to lead',
    call: (auth) => auth.signInWithOtp({ email, options: { emailRedirectTo: 'http://x/' } }),
    target: '/api/auth/sign-in/magic-link',
    body: { email, callbackURL: 'http://x/', errorCallbackURL: 'http://x/' },
    headers: flow,
  },
  {
    name: 'signInWithOtp sends a code by SMS',
    call: (auth) => auth.signInWithOtp({ phone }),
    target: '/api/auth/phone-number/send-otp',
    body: { phoneNumber: phone },
  },
  {
    name: 'verifyOtp of a mailed code',
    call: (auth) => auth.verifyOtp({ email, token: '123456', type: 'email' }),
    target: '/api/auth/sign-in/email-otp',
    body: { email, otp: '123456' },
  },
  {
    name: 'verifyOtp of the address of a new account',
    call: (auth) => auth.verifyOtp({ email, token: '123456', type: 'signup' }),
    target: '/api/auth/email-otp/verify-email',
    body: { email, otp: '123456' },
  },
  {
    name: 'verifyOtp of an SMS',
    call: (auth) => auth.verifyOtp({ phone, token: '123456', type: 'sms' }),
    target: '/api/auth/phone-number/verify',
    body: { phoneNumber: phone, code: '123456' },
  },
  {
    name: 'resetPasswordForEmail mails a code',
    call: (auth) => auth.resetPasswordForEmail(email, { captchaToken: 'proof' }),
    target: '/api/auth/email-otp/request-password-reset',
    body: { email },
    headers: captcha,
  },
  {
    name: 'resetPassword sets a password with the code',
    call: (auth) => auth.resetPassword({ email, otp: '123456', password: 'new' }),
    target: '/api/auth/email-otp/reset-password',
    body: { email, otp: '123456', password: 'new' },
  },
  {
    name: 'resend of a sign-in code',
    call: (auth) => auth.resend({ type: 'email', email }),
    target: '/api/auth/email-otp/send-verification-otp',
    body: { email, type: 'sign-in' },
  },
  {
    name: 'resend of a verification mail',
    call: (auth) =>
      auth.resend({ type: 'signup', email, options: { emailRedirectTo: 'http://x/' } }),
    target: '/api/auth/send-verification-email',
    body: { email, callbackURL: 'http://x/' },
  },
  {
    name: 'resend of a reset code',
    call: (auth) => auth.resend({ type: 'recovery', email }),
    target: '/api/auth/email-otp/request-password-reset',
    body: { email },
  },
  {
    name: 'resend of an SMS',
    call: (auth) => auth.resend({ type: 'sms', phone }),
    target: '/api/auth/phone-number/send-otp',
    body: { phoneNumber: phone },
  },
];

test.each(rows)('$name', async ({ call, target, body, headers = {} }) => {
  // A session from before is not sent along, nor does it stay.
  const { auth, sent } = authClient([signedInReply], { token: 'old' });
  expect((await call(auth)).error).toBeNull();
  expect(sent.map(wireOf)).toEqual([{ method: 'POST', target, headers, body }]);
});

describe('the answer of a sign-in', () => {
  test('is kept as the session, and heard once', async () => {
    const made = authClient([signedInReply]);
    const events = eventsOf(made);
    const session = { access_token: 'tok', accessToken: 'tok', token_type: 'bearer', user };
    const answer = await made.auth.signInWithPassword({ email, password: 'p' });
    expect(answer).toEqual({ data: { user, session }, error: null });
    expect((await made.auth.getSession()).data.session).toEqual(session);
    await flush();
    expect(events).toEqual(['INITIAL_SESSION', 'SIGNED_IN']);
    await made.client.from('t').select();
    expect(made.sent.at(-1)?.headers).toMatchObject({ authorization: 'Bearer tok' });
  });

  test('may hold the session as an object', async () => {
    const session = { token: 'tok', expiresAt: '2030-01-01T00:00:00.000Z', aal: 'aal2' };
    const { auth } = authClient([{ body: { session, user } }]);
    const { data } = await auth.signInAnonymously();
    expect(data.session).toMatchObject({
      access_token: 'tok',
      expires_at: 1_893_456_000,
      aal: 'aal2',
    });
  });

  test('without a token is an account without a session', async () => {
    const made = authClient([{ body: { token: null, user } }]);
    const events = eventsOf(made);
    const answer = await made.auth.signUp({ email, password: 'p' });
    expect(answer).toEqual({ data: { user, session: null }, error: null });
    await flush();
    expect(events).toEqual(['INITIAL_SESSION']);
  });

  test.each([
    {
      name: 'refuses',
      step: { status: 401, body: { message: 'no', code: 'INVALID_CREDENTIALS' } },
      error: { status: 401, code: 'INVALID_CREDENTIALS', message: 'no' },
    },
    {
      name: 'refuses with a CAPTCHA',
      step: { status: 400, body: { message: 'Missing CAPTCHA response' } },
      error: { status: 400, message: 'Missing CAPTCHA response' },
    },
    {
      name: 'answers no JSON',
      step: { body: '<html>' },
      error: { status: 200, message: 'The answer is not JSON' },
    },
    {
      name: 'does not answer',
      step: new TypeError('fetch failed'),
      error: { status: 0, code: '' },
    },
  ])(
    'is an error when the server $name, and the session of before stays',
    async ({ step, error }) => {
      const made = authClient([step], { token: 'old' });
      const answer = await made.auth.signInWithPassword({ email, password: 'p' });
      expect(answer).toMatchObject({ data: { user: null, session: null }, error });
      expect(made.sent).toHaveLength(1);
      expect((await made.auth.getSession()).data.session?.access_token).toBe('old');
    },
  );

  test('that gives a phone number to the signed-in user changes the user', async () => {
    const made = authClient([{ body: { status: true } }, aliveReply], { token: 'tok' });
    const events = eventsOf(made);
    await made.auth.verifyOtp({ phone, token: '123456', type: 'phone_change' });
    expect(made.sent.map(wireOf)[0]).toEqual({
      method: 'POST',
      target: '/api/auth/phone-number/verify',
      headers: { authorization: 'Bearer tok' },
      body: { phoneNumber: phone, code: '123456', updatePhoneNumber: true },
    });
    await flush();
    expect(events).toEqual(['INITIAL_SESSION', 'USER_UPDATED']);
  });
});

test('a trusted device says so when it signs in', async () => {
  const { auth, sent, storage } = authClient([signedInReply]);
  await storage.setItem(`${storageKey}.trust`, 'device');
  await auth.signInWithPassword({ email, password: 'p' });
  expect(sent[0]?.headers).toMatchObject({ 'x-trust-token': 'device' });
});

/** What a program without types gives: some of the fields, or none. */
function untyped<Whole>(part?: unknown): Whole {
  return part as Whole; // The types are what such a program lacks.
}

describe('what cannot be sent as it is', () => {
  test.each<{ name: string; call: (auth: Auth) => Promise<{ readonly error: unknown }> }>([
    { name: 'signUp without a password', call: (auth) => auth.signUp(untyped({ email })) },
    {
      name: 'signUp with an empty address',
      call: (auth) => auth.signUp({ email: '', password: 'p' }),
    },
    {
      name: 'signInWithPassword without a name',
      call: (auth) => auth.signInWithPassword(untyped({ password: 'p' })),
    },
    {
      name: 'signInWithOtp without an address',
      call: (auth) => auth.signInWithOtp(untyped({})),
    },
    {
      name: 'verifyOtp without a code',
      call: (auth) => auth.verifyOtp(untyped({ email, type: 'email' })),
    },
    {
      name: 'verifyOtp of an unknown type',
      call: (auth) => auth.verifyOtp(untyped({ email, token: '1', type: 'constructor' })),
    },
    {
      name: 'resend of a change of address',
      call: (auth) => auth.resend(untyped({ type: 'email_change', email })),
    },
    {
      name: 'resetPassword without a code',
      call: (auth) => auth.resetPassword(untyped({ email, password: 'p' })),
    },
    {
      name: 'resetPasswordForEmail of signedOut',
      call: (auth) => auth.resetPasswordForEmail(untyped()),
    },
  ])('$name is the error INVALID_INPUT, and nothing is sent', async ({ call }) => {
    const { auth, sent } = authClient([signedInReply]);
    expect((await call(auth)).error).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
    expect(sent).toEqual([]);
  });

  test('a method without its argument is an error too', async () => {
    const { auth, sent } = authClient([signedInReply]);
    expect((await auth.signUp(untyped())).error).toMatchObject({ status: 0 });
    expect(sent).toEqual([]);
  });
});
