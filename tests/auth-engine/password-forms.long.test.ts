// Keyboards and systems send the same letter as one code point or as several: it is the same password.
import { hash as argon2 } from '@node-rs/argon2';
import { hash as bcrypt } from '@node-rs/bcrypt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openAuthProject, password, signUp, type AuthProject } from './auth-project.js';
import { mailedCode, mailedPath } from './mail-links.js';
import { at, bearer, textAt } from '../support/replies.js';

const composed = 'Zo\u00eb\u2019s caf\u00e9 1';
const decomposed = composed.normalize('NFD');
const phoneNumber = '+15551260001';

let project: AuthProject;
beforeAll(async () => {
  project = await openAuthProject({
    settings: {
      'auth.phoneOtp': { enabled: true },
      'auth.methods.emailPassword': { minPasswordLength: 10, maxPasswordLength: 32 },
    },
  });
});
afterAll(() => project.close());

let count = 0;
async function member() {
  const email = `member-${(count += 1)}@example.com`;
  const { body } = await signUp(project, email);
  return { email, token: textAt(body, 'token') };
}

const statusOf = async (path: string, body: object, headers = {}): Promise<number> =>
  (await project.post(path, { body, headers })).status;

const signIn = (email: string, given: string) =>
  statusOf('/sign-in/email', { email, password: given });

/** Every way to choose a password; each returns the address that it is for. */
const WAYS: Readonly<Record<string, (chosen: string) => Promise<string>>> = {
  'a sign-up': async (chosen) => {
    const email = `new-${(count += 1)}@example.com`;
    expect(await statusOf('/sign-up/email', { email, password: chosen })).toBe(200);
    return email;
  },
  'a change': async (newPassword) => {
    const { email, token } = await member();
    const body = { currentPassword: password, newPassword };
    expect(await statusOf('/change-password', body, bearer(token))).toBe(200);
    return email;
  },
  'an update': async (newPassword) => {
    const { email, token } = await member();
    const body = { currentPassword: password, newPassword };
    expect(await statusOf('/update-password', body, bearer(token))).toBe(200);
    return email;
  },
  'a reset by code': async (chosen) => {
    const { email } = await member();
    await project.post('/email-otp/request-password-reset', { body: { email } });
    const body = { email, otp: mailedCode(project, email), password: chosen };
    expect(await statusOf('/email-otp/reset-password', body)).toBe(200);
    return email;
  },
  'a reset by link': async (newPassword) => {
    const { email } = await member();
    await project.post('/request-password-reset', { body: { email, redirectTo: '/reset' } });
    const token = /\/reset-password\/([^?]+)/.exec(mailedPath(project, email))?.[1];
    expect(await statusOf('/reset-password', { token, newPassword })).toBe(200);
    return email;
  },
};

test.each(Object.entries(WAYS))('%s takes one form and later the other', async (_name, choose) => {
  for (const [chosen, typed] of [
    [composed, decomposed],
    [decomposed, composed],
  ] as const) {
    const email = await choose(chosen);
    expect([await signIn(email, typed), await signIn(email, chosen)]).toEqual([200, 200]);
    expect(await signIn(email, composed.replace('\u00eb', 'e'))).toBe(401);
  }
});

test('a sign-in by number, a change and a check compare in both forms', async () => {
  const email = await WAYS['a sign-up']!(composed);
  await project.sql(
    'update auth."user" set "phoneNumber" = $2, "phoneNumberVerified" = true where email = $1',
    [email, phoneNumber],
  );
  const body = { phoneNumber, password: decomposed };
  const reply = await project.post('/sign-in/phone-number', { body });
  expect(reply.status).toBe(200);
  const headers = bearer(textAt(reply.body, 'token'));
  expect(await statusOf('/verify-password', { password: decomposed }, headers)).toBe(200);
  const change = { currentPassword: decomposed, newPassword: 'something else 1' };
  expect(await statusOf('/change-password', change, headers)).toBe(200);
});

describe('lengths count letters as they are normalized', () => {
  // Four code units for one letter.
  const letter = '\u1f82'.normalize('NFD');
  test.each([
    { name: 'nine of ten', chosen: 'e\u0301'.repeat(9), code: 'PASSWORD_TOO_SHORT' },
    { name: 'thirty-two', chosen: letter.repeat(32), code: undefined },
    { name: 'thirty-three', chosen: letter.repeat(33), code: 'PASSWORD_TOO_LONG' },
  ])('$name: $code', async ({ name, chosen, code }) => {
    const email = `${name.replaceAll(' ', '-')}@example.com`;
    const reply = await project.post('/sign-up/email', { body: { email, password: chosen } });
    expect([reply.status, at(reply.body, 'code')]).toEqual([code ? 400 : 200, code]);
    const rows = await project.sql('select 1 from auth."user" where email = $1', [email]);
    expect(rows).toHaveLength(code ? 0 : 1);
    if (!code) expect(await signIn(email, chosen)).toBe(200);
  });
});

describe('a hash from elsewhere', () => {
  const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
  const hashOf = async (email: string) =>
    textAt(
      (
        await project.sql(
          `select a.password from auth.account a join auth."user" u on u.id = a."userId"
           where u.email = $1`,
          [email],
        )
      )[0],
      'password',
    );

  test.each([
    { name: 'Argon2 of the text as it was sent', make: () => argon2(decomposed, cost) },
    { name: 'bcrypt of the text as it was sent', make: () => bcrypt(decomposed, { cost: 4 }) },
    { name: 'bcrypt of composed letters', make: () => bcrypt(composed, { cost: 4 }) },
  ])('is renewed by a sign-in, and then takes both forms: $name', async ({ make }) => {
    const { email } = await member();
    const old = await make();
    await project.sql(
      `update auth.account set password = $1
       where "userId" = (select id from auth."user" where email = $2)`,
      [old, email],
    );
    expect(await signIn(email, 'another password 1')).toBe(401);
    expect(await hashOf(email)).toBe(old);
    expect(await signIn(email, decomposed)).toBe(200);
    const renewed = await hashOf(email);
    expect(renewed).not.toBe(old);
    expect([await signIn(email, composed), await signIn(email, decomposed)]).toEqual([200, 200]);
    expect(await hashOf(email)).toBe(renewed);
  });
});
