import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openAuthProject, password, signUp, type AuthProject } from './auth-project.js';
import { at, bearer, textAt } from '../support/replies.js';

let project: AuthProject;
beforeAll(async () => {
  project = await openAuthProject({ settings: { 'auth.phoneOtp': { enabled: true } } });
});
afterAll(() => project.close());

let lastNumber = 15551250000;

/** A user with a password and a proven number. */
async function owner(email: string, isVerified = true) {
  const { body } = await signUp(project, email);
  const phoneNumber = `+${(lastNumber += 1)}`;
  const id = textAt(body, 'user', 'id');
  await project.sql(
    'update auth."user" set "phoneNumber" = $2, "phoneNumberVerified" = $3 where id = $1',
    [id, phoneNumber, isVerified],
  );
  return { id, phoneNumber, token: textAt(body, 'token') };
}

const signIn = (phoneNumber: string, given: string, rest = {}) =>
  project.post('/sign-in/phone-number', { body: { phoneNumber, password: given, ...rest } });

describe('a number and a password', () => {
  test('sign in', async () => {
    const { id, phoneNumber } = await owner('phone-password@example.com');
    const reply = await signIn(phoneNumber, password);
    expect([reply.status, at(reply.body, 'user', 'id')]).toEqual([200, id]);
    expect(Object.keys(Object(reply.body)).sort()).toEqual(['token', 'user']);
  });

  test.each([
    { name: 'a wrong password', isVerified: true, given: 'wrong password' },
    { name: 'a number that nobody has proven', isVerified: false, given: password },
  ])('$name is refused like an unknown number, without an SMS', async ({ isVerified, given }) => {
    const { phoneNumber } = await owner(`refused-${isVerified}@example.com`, isVerified);
    const before = project.texts.length;
    const [refused, unknown] = [
      await signIn(phoneNumber, given),
      await signIn('+15551259999', given),
    ];
    expect([refused.status, refused.body]).toEqual([401, unknown.body]);
    expect(at(refused.body, 'code')).toBe('INVALID_PHONE_NUMBER_OR_PASSWORD');
    expect(project.texts).toHaveLength(before);
  });
});

async function resetCode(phoneNumber: string) {
  const before = project.texts.length;
  const reply = await project.post('/phone-number/request-password-reset', {
    body: { phoneNumber },
  });
  return { reply, code: project.texts.slice(before).at(-1)?.code };
}

const reset = (phoneNumber: string, otp: string | undefined, newPassword = 'a new password') =>
  project.post('/phone-number/reset-password', { body: { phoneNumber, otp, newPassword } });

describe('recovery by phone', () => {
  test('sets a new password, ends every session, and tells the owner', async () => {
    const { phoneNumber, token } = await owner('recover@example.com');
    const { code } = await resetCode(phoneNumber);
    expect((await reset(phoneNumber, code)).body).toEqual({ status: true });
    expect((await signIn(phoneNumber, password)).status).toBe(401);
    expect((await signIn(phoneNumber, 'a new password')).status).toBe(200);
    expect((await project.get('/get-session', { headers: bearer(token) })).body).toBeNull();
    expect(project.mails.at(-1)).toMatchObject({
      kind: 'passwordChanged',
      to: 'recover@example.com',
    });
    expect(project.texts.at(-1)?.kind).toBe('resetPassword');
  });

  test('gives a first password to a user of a phone alone', async () => {
    const phoneNumber = `+${(lastNumber += 1)}`;
    await project.post('/phone-number/send-otp', { body: { phoneNumber } });
    await project.post('/phone-number/verify', {
      body: { phoneNumber, code: project.texts.at(-1)?.code },
    });
    expect((await reset(phoneNumber, (await resetCode(phoneNumber)).code)).status).toBe(200);
    expect((await signIn(phoneNumber, 'a new password')).status).toBe(200);
  });

  test('answers the same for a number that nobody has, and sends nothing', async () => {
    const { phoneNumber } = await owner('unproven@example.com', false);
    const { phoneNumber: known } = await owner('proven@example.com');
    const replies = [
      await resetCode('+15551259997'),
      await resetCode(phoneNumber),
      await resetCode(known),
    ];
    expect(
      new Set(replies.map(({ reply }) => JSON.stringify([reply.status, reply.body]))).size,
    ).toBe(1);
    expect(replies.map(({ code }) => code !== undefined)).toEqual([false, false, true]);
    const guesses = await Promise.all(
      ['+15551259997', phoneNumber, known].map((number) => reset(number, '0000')),
    );
    expect(new Set(guesses.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
  });

  test('a code resets once, however many use it at once', async () => {
    const { phoneNumber } = await owner('once@example.com');
    const { code } = await resetCode(phoneNumber);
    const replies = await Promise.all(Array.from({ length: 3 }, () => reset(phoneNumber, code)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('a code is worth nothing after as many guesses as the settings allow', async () => {
    const { phoneNumber } = await owner('guessed@example.com');
    const { code = '' } = await resetCode(phoneNumber);
    const wrong = code === '000000' ? '000001' : '000000';
    await Promise.all(Array.from({ length: 6 }, () => reset(phoneNumber, wrong)));
    expect((await reset(phoneNumber, code)).status).toBe(400);
    expect((await signIn(phoneNumber, password)).status).toBe(200);
  });

  test('a code to sign in with resets nothing, and a code of recovery signs nobody in', async () => {
    const { phoneNumber } = await owner('purpose@example.com');
    const { code } = await resetCode(phoneNumber);
    const signedIn = await project.post('/phone-number/verify', { body: { phoneNumber, code } });
    expect(signedIn.status).toBe(400);
    await project.post('/phone-number/send-otp', { body: { phoneNumber } });
    expect((await reset(phoneNumber, project.texts.at(-1)?.code)).status).toBe(400);
  });

  test('a password that is refused leaves the code as it is', async () => {
    const { phoneNumber } = await owner('short@example.com');
    const { code } = await resetCode(phoneNumber);
    const refused = await reset(phoneNumber, code, 'short');
    expect([refused.status, at(refused.body, 'code')]).toEqual([400, 'PASSWORD_TOO_SHORT']);
    expect((await reset(phoneNumber, code)).status).toBe(200);
  });
});
