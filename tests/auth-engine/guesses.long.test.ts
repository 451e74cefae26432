// Guesses at one account. They close the network that they come from first, so that a stranger who knows an
// address keeps its owner out of nothing.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openAuthProject, password, signUp, type AuthProject } from './auth-project.js';
import { challenge, codeOf, enrol, forgetSteps, type Enrolled } from './two-factor-people.js';
import { at, bearer } from '../support/replies.js';

const open = { enabled: true, max: 1_000_000, credentialMax: 1_000_000 };
const kinds = ['signUp', 'signIn', 'sendEmail', 'verifyCode', 'passwordReset'] as const;
const wide = Object.fromEntries(kinds.map((kind) => [kind, { perAddress: 1_000_000 }]));
let project: AuthProject;
beforeAll(async () => {
  project = await openAuthProject({
    settings: {
      'auth.methods.emailOTP': { allowedAttempts: 10 },
      'auth.twoFactor': { enabled: true, emailCodes: true },
      'security.rateLimit': open,
      'auth.rateLimits': {
        ...wide,
        sendEmail: { perAddress: 1_000_000, perIdentifier: 1_000_000 },
        verifyCode: { perAddress: 1_000_000, perIdentifier: 1_000_000 },
      },
    },
  });
});
afterAll(() => project.close());

/** The network from which users of these tests have signed up. */
const home = '203.0.113.1';
const outcome = (reply: { readonly status: number; readonly body: unknown }) =>
  reply.status < 400 ? '200' : `${reply.status} ${String(at(reply.body, 'code'))}`;
let strangers = 0;
/** A network that nobody has used. */
const strange = () => `198.51.${Math.floor((strangers += 1) / 200)}.${strangers % 200}`;
const times = async <T>(count: number, work: () => Promise<T>): Promise<T[]> => {
  const done: T[] = [];
  // The order is what is counted.
  for (let i = 0; i < count; i += 1) done.push(await work());
  return done;
};

let people = 0;
let email: string;
beforeEach(async () => {
  email = `guessed${(people += 1)}@example.com`;
  await signUp(project, email);
});

const lastCode = (): string => String(project.mails.at(-1)?.values['code']);
const ways = {
  'sign-in': (code: string) => ['/sign-in/email-otp', { email, otp: code }] as const,
  'email-verification': (code: string) =>
    ['/email-otp/verify-email', { email, otp: code }] as const,
  'forget-password': (code: string) =>
    ['/email-otp/reset-password', { email, otp: code, password: 'a new password' }] as const,
};
type Way = keyof typeof ways;
const mailCode = async (type: Way = 'sign-in') => {
  await project.post('/email-otp/send-verification-otp', { body: { email, type } });
  return lastCode();
};
const enter = async (code: string, ip: string, way: Way = 'sign-in') => {
  const [path, body] = ways[way](code);
  return project.post(path, { body, ip });
};
const wrong = (code: string) => (code === '000000' ? '000001' : '000000');

describe('codes that were mailed', () => {
  test('are guessed wrongly twenty times in an hour over all codes and networks', async () => {
    const guesses: string[] = [];
    for (const way of ['sign-in', 'email-verification', 'forget-password'] as const) {
      const code = await mailCode(way);
      const ip = strange();
      for (const reply of await times(8, () => enter(wrong(code), ip, way)))
        guesses.push(outcome(reply));
    }
    expect(guesses.filter((each) => each === '429 RATE_LIMITED')).toHaveLength(4);
    const refused = await enter(await mailCode(), strange());
    expect(outcome(refused)).toBe('429 RATE_LIMITED');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000);
  });

  test('are guessed ten times from one network, and the owner enters the right one elsewhere', async () => {
    const ip = strange();
    await mailCode();
    const guesses = await times(40, () => enter(wrong(lastCode()), ip));
    expect(guesses.map(outcome).filter((each) => each === '429 RATE_LIMITED')).toHaveLength(30);
    const code = await mailCode();
    expect(outcome(await enter(code, ip))).toBe('429 RATE_LIMITED');
    expect(outcome(await enter(code, strange()))).toBe('200');
  });

  test('are taken from a network of a live session after strangers used the hour up', async () => {
    const code = await mailCode();
    for (const ip of [strange(), strange(), strange()]) {
      await times(10, () => enter(wrong(code), ip));
    }
    const fresh = await mailCode();
    expect(outcome(await enter(fresh, strange()))).toBe('429 RATE_LIMITED');
    expect(outcome(await enter(fresh, home))).toBe('200');
  });

  test('that are right do not count', async () => {
    const ip = strange();
    const replies = await times(22, async () => enter(await mailCode(), ip));
    expect(new Set(replies.map(outcome))).toEqual(new Set(['200']));
  });

  test('are counted also where requests are not limited', async () => {
    const via = await project.rebuild({ 'auth.methods.emailOTP': { allowedAttempts: 10 } });
    const body = { email, otp: '000000' };
    const replies: string[] = [];
    for (let i = 0; i < 24; i += 1) {
      const ip = `198.18.0.${i}`;
      replies.push(outcome(await project.post('/sign-in/email-otp', { body, ip, via })));
    }
    expect(replies.filter((each) => each === '429 RATE_LIMITED')).toHaveLength(4);
  });
});

describe('passwords', () => {
  const signIn = (ip: string, given = password, address = email) =>
    project.post('/sign-in/email', { body: { email: address, password: given }, ip });
  const flood = async (address: string) => {
    for (const ip of Array.from({ length: 12 }, strange)) {
      await times(11, () => signIn(ip, 'a wrong password', address));
    }
  };

  test('of a stranger close the network of the stranger alone', async () => {
    const ip = strange();
    const guesses = (await times(30, () => signIn(ip, 'a wrong password'))).map(outcome);
    expect(guesses.filter((each) => each === '401 INVALID_EMAIL_OR_PASSWORD')).toHaveLength(10);
    expect(outcome(await signIn(ip))).toBe('429 RATE_LIMITED');
    expect(outcome(await signIn(strange()))).toBe('200');
    expect(outcome(await signIn(home))).toBe('200');
  });

  test('of many strange networks together have a limit that does not hold for a live session', async () => {
    await flood(email);
    const refused = await signIn(strange());
    expect(outcome(refused)).toBe('429 RATE_LIMITED');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60);
    expect(outcome(await signIn(home))).toBe('200');
  });

  test('of an address without an account are counted alike', async () => {
    await flood('nobody@example.com');
    expect(outcome(await signIn(strange(), password, 'nobody@example.com'))).toBe(
      '429 RATE_LIMITED',
    );
  });

  test('of many strange networks keep nobody out who has a second factor', async () => {
    const user = await enrol(project, `factor-${email}`);
    await flood(user.email);
    const ip = strange();
    const asked = await signIn(ip, password, user.email);
    expect(at(asked.body, 'twoFactorRedirect')).toBe(true);
    const headers = { 'x-mfa-token': String(at(asked.body, 'mfaToken')) };
    const body = { code: codeOf(user.app) };
    const reply = await project.post('/two-factor/verify-totp', { body, headers, ip });
    expect(outcome(reply)).toBe('200');
  });
});

describe('second factors of a thief of the password', () => {
  let user: Enrolled;
  beforeEach(async () => {
    user = await enrol(project, `thief-${email}`);
  });
  const guess = async (ip: string, code: string, kind = 'totp') => {
    const headers = await challenge(project, user.email);
    return project.post(`/two-factor/verify-${kind}`, { body: { code }, headers, ip });
  };
  const guessOften = async (ip: string, kind = 'totp') => {
    const headers = await challenge(project, user.email);
    const body = { code: '000000' };
    return times(12, async () =>
      outcome(await project.post(`/two-factor/verify-${kind}`, { body, headers, ip })),
    );
  };

  test('close the network of the thief alone', async () => {
    const ip = strange();
    const guesses = await guessOften(ip);
    expect(guesses.filter((each) => each === '429 RATE_LIMITED')).toHaveLength(2);
    expect(outcome(await guess(strange(), codeOf(user.app)))).toBe('200');
    await forgetSteps(project, user.id);
    expect(outcome(await guess(ip, codeOf(user.app)))).toBe('429 RATE_LIMITED');
  });

  test('from all strange networks are fifty; a live session keeps its network open', async () => {
    for (const ip of Array.from({ length: 6 }, strange)) await guessOften(ip);
    const refused = await guess(strange(), codeOf(user.app));
    expect(outcome(refused)).toBe('429 RATE_LIMITED');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(800);
    expect(outcome(await guess(home, codeOf(user.app)))).toBe('200');
  });

  test('that were mailed are guessed twenty times in an hour; the app stays right', async () => {
    for (const ip of [strange(), strange(), strange()]) {
      await project.post('/two-factor/send-otp', {
        body: {},
        headers: await challenge(project, user.email),
      });
      await guessOften(ip, 'otp');
      // As if a quarter of an hour went by.
      await project.sql('update auth."twoFactor" set "signInWindowEnd" = now()');
    }
    const sent = async () => {
      const headers = await challenge(project, user.email);
      await project.post('/two-factor/send-otp', { body: {}, headers });
      return { headers, body: { code: lastCode() } };
    };
    const late = await project.post('/two-factor/verify-otp', { ...(await sent()), ip: strange() });
    expect(outcome(late)).toBe('429 RATE_LIMITED');
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(3000);
    const raised = await project.post('/two-factor/verify-totp', {
      body: { code: codeOf(user.app) },
      headers: bearer(user.token),
      ip: strange(),
    });
    expect(outcome(raised)).toBe('200');
    const owner = await project.post('/two-factor/verify-otp', { ...(await sent()), ip: home });
    expect(outcome(owner)).toBe('200');
  });
});
