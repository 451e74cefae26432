// Which answers leave a guess counted: those that say that it was wrong, and no failure of a hook or of the engine.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { AuthInstance } from '#libs/auth-engine';
import { fail } from '#libs/errors';
import { openAuthProject, password, signUp, type AuthProject } from './auth-project.js';
import { mailedCode } from './mail-links.js';
import { challenge, codeOf, enrol } from './two-factor-people.js';
import { at, bearer } from '../support/replies.js';

let project: AuthProject;
/** What the sign-up hook throws. */
let refuse: (() => Error) | undefined;
beforeAll(async () => {
  project = await openAuthProject({
    settings: {
      'auth.methods.emailOTP': { allowedAttempts: 10 },
      'auth.phoneOtp': { enabled: true },
      'auth.twoFactor': { enabled: true, emailCodes: true, stepUpAttempts: 20 },
    },
    hooks: {
      signUp: async () => {
        if (refuse) throw refuse();
        return { app_metadata: {}, user_metadata: {} };
      },
    },
  });
});
afterAll(() => project.close());
afterEach(() => {
  refuse = undefined;
});

const outcome = (reply: { readonly status: number; readonly body: unknown }) =>
  reply.status < 400 ? '200' : `${reply.status} ${String(at(reply.body, 'code'))}`;
const times = async (count: number, work: () => Promise<string>): Promise<string[]> => {
  const done: string[] = [];
  // The order is what is counted.
  for (let i = 0; i < count; i += 1) done.push(await work());
  return done;
};
const limited = '429 RATE_LIMITED';
const refusals = (outcomes: readonly string[]) => outcomes.filter((each) => each === limited);

/** The network from which users of these tests have signed up. */
const home = '203.0.113.1';
let strangers = 0;
const strange = () => `198.51.100.${(strangers += 1)}`;

const mailCode = async (email: string) => {
  await project.post('/email-otp/send-verification-otp', { body: { email, type: 'sign-in' } });
  return mailedCode(project, email);
};
const enter = async (email: string, otp: string, ip: string) =>
  outcome(await project.post('/sign-in/email-otp', { body: { email, otp }, ip }));
const enterRight = async (email: string, ip: string) => enter(email, await mailCode(email), ip);
const enterWrong = (email: string, ip: string) => enter(email, 'wrong!', ip);

test('a guess from the network of a live session uses up nothing of what strangers have', async () => {
  const email = 'home@example.com';
  await signUp(project, email);
  await mailCode(email);
  await times(10, () => enterWrong(email, home));
  const stranger = strange();
  const guesses = await times(10, () => enterWrong(email, stranger));
  expect(refusals(guesses)).toEqual([]);
  expect(await enterRight(email, strange())).toBe('200');
});

describe('a right code is not counted', () => {
  test.each([
    { name: 'a hook that is down', error: () => fail('HOOK_FAILED', { hook: 'signUp' }) },
    { name: 'a hook that refuses', error: () => fail('SIGNUP_REFUSED', { reason: 'later' }) },
  ])('after $name', async ({ name, error }) => {
    const email = `${name.replaceAll(' ', '-')}@example.com`;
    const ip = strange();
    refuse = error;
    const { status, code } = error();
    const replies = await times(12, () => enterRight(email, ip));
    expect(new Set(replies)).toEqual(new Set([`${status} ${code}`]));
    refuse = undefined;
    expect(await enterRight(email, ip)).toBe('200');
  });

  test('after a fault of the engine', async () => {
    const email = 'fault@example.com';
    await signUp(project, email);
    const ip = strange();
    await project.sql(`create function public.fault() returns trigger language plpgsql
      as $$ begin raise exception 'out of order'; end $$`);
    await project.sql(`create trigger fault before insert on auth.session
      for each row execute function public.fault()`);
    try {
      const replies = await times(12, () => enterRight(email, ip));
      expect(new Set(replies)).toEqual(new Set(['500 INTERNAL_ERROR']));
    } finally {
      await project.sql('drop function public.fault() cascade');
    }
    expect(await enterRight(email, ip)).toBe('200');
  });

  test('and the wrong ones before a fault stay counted', async () => {
    const email = 'kept-count@example.com';
    const ip = strange();
    await mailCode(email);
    await times(9, () => enterWrong(email, ip));
    refuse = () => fail('HOOK_FAILED', { hook: 'signUp' });
    expect(await enterRight(email, ip)).toBe('503 HOOK_FAILED');
    await mailCode(email);
    expect(await times(2, () => enterWrong(email, ip))).toEqual(['400 INVALID_OTP', limited]);
  });
});

test('a right password of an address that is not verified is not counted', async () => {
  const via: AuthInstance = await project.rebuild({
    'security.rateLimit': { enabled: true, max: 1_000_000, credentialMax: 1_000_000 },
    'auth.rateLimits': { signIn: { perAddress: 1_000_000, perIdentifier: 1 } },
    'auth.methods.emailPassword': { requireEmailVerification: true },
  });
  const email = 'unverified@example.com';
  await signUp(project, email);
  const signIn = async () =>
    outcome(
      await project.post('/sign-in/email', { body: { email, password }, ip: strange(), via }),
    );
  expect(new Set(await times(12, signIn))).toEqual(new Set(['403 EMAIL_NOT_VERIFIED']));
  await project.sql('update auth."user" set "emailVerified" = true where email = $1', [email]);
  expect(await signIn()).toBe('200');
});

test('a wrong code by SMS is counted', async () => {
  const phoneNumber = '+15551290001';
  const ip = strange();
  await project.post('/phone-number/send-otp', { body: { phoneNumber }, ip });
  const guess = async () =>
    outcome(
      await project.post('/phone-number/verify', { body: { phoneNumber, code: 'wrong' }, ip }),
    );
  const guesses = await times(12, guess);
  expect(guesses.slice(0, 10)).toEqual(Array(10).fill('400 INVALID_OTP'));
  expect(guesses.slice(10)).toEqual([limited, limited]);
});

describe('a mailed code of a second factor', () => {
  const verify = async (
    kind: 'otp' | 'totp',
    code: string,
    from: { readonly headers: Readonly<Record<string, string>>; readonly ip: string },
  ) => outcome(await project.post(`/two-factor/verify-${kind}`, { body: { code }, ...from }));

  test('is guessed on a session ten times from a network and twenty times from strange ones', async () => {
    const user = await enrol(project, 'step-up@example.com');
    const headers = bearer(user.token);
    const guesses: string[] = [];
    for (const ip of [strange(), strange(), strange()]) {
      guesses.push(...(await times(12, () => verify('otp', '000000', { headers, ip }))));
      // As if a quarter of an hour went by.
      await project.sql('update auth."twoFactor" set "stepUpWindowEnd" = now()');
    }
    expect(refusals(guesses)).toHaveLength(16);
    expect(await verify('totp', codeOf(user.app), { headers, ip: strange() })).toBe('200');
    await project.post('/two-factor/send-otp', { body: {}, headers });
    const code = mailedCode(project, user.email);
    expect(await verify('otp', code, { headers, ip: strange() })).toBe(limited);
    expect(await verify('otp', code, { headers, ip: home })).toBe('200');
  });

  test('that is refused for its network uses up nothing of the codes of the app', async () => {
    const user = await enrol(project, 'closed@example.com');
    const headers = await challenge(project, user.email);
    const guesses: string[] = [];
    for (const ip of Array.from({ length: 7 }, strange)) {
      guesses.push(...(await times(10, () => verify('otp', '000000', { headers, ip }))));
    }
    expect(refusals(guesses)).toHaveLength(50);
    expect(await verify('totp', codeOf(user.app), { headers, ip: strange() })).toBe('200');
  });
});
