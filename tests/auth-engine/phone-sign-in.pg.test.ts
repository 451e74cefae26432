import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openAuthProject, password, signUp, type AuthProject } from './auth-project.js';
import { at, bearer, textAt } from '../support/replies.js';

const settings = { 'auth.phoneOtp': { enabled: true } };
let project: AuthProject;
beforeAll(async () => {
  project = await openAuthProject({ settings });
});
afterAll(() => project.close());

let lastNumber = 15551230000;
const newNumber = (): string => `+${(lastNumber += 1)}`;

async function sentCode(phoneNumber: string, headers = {}): Promise<string> {
  const reply = await project.post('/phone-number/send-otp', { body: { phoneNumber }, headers });
  expect([reply.status, reply.body]).toEqual([200, { message: 'code sent' }]);
  const sent = project.texts.at(-1);
  if (sent?.to !== phoneNumber) throw new Error(`no SMS went to ${phoneNumber}`);
  return sent.code;
}

async function verify(phoneNumber: string, code: string, rest = {}) {
  return project.post('/phone-number/verify', { body: { phoneNumber, code, ...rest } });
}

async function signedIn(phoneNumber: string): Promise<{ token: string; id: string }> {
  const { body } = await verify(phoneNumber, await sentCode(phoneNumber));
  return { token: textAt(body, 'token'), id: textAt(body, 'user', 'id') };
}

const otherThan = (code: string): string => (code === '000000' ? '000001' : '000000');
const statuses = (replies: readonly { status: number }[]) => replies.map(({ status }) => status);

describe('a code by SMS', () => {
  test('makes the account of a new number, and signs in to it later', async () => {
    const phoneNumber = newNumber();
    const reply = await verify(phoneNumber, await sentCode(phoneNumber));
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      status: true,
      user: { email: `${phoneNumber.slice(1)}@phone.local`, role: 'USER', is_anonymous: false },
    });
    const again = await signedIn(phoneNumber);
    expect(again.id).toBe(textAt(reply.body, 'user', 'id'));
    const session = await project.get('/get-session', { headers: bearer(again.token) });
    expect(at(session.body, 'session', 'aal')).toBe('aal1');
    expect(project.texts.at(-1)?.kind).toBe('signIn');
  });

  test('has the digits of the settings', async () => {
    const via = await project.rebuild({ 'auth.phoneOtp': { enabled: true, otpLength: 9 } });
    await project.post('/phone-number/send-otp', { body: { phoneNumber: newNumber() }, via });
    expect(project.texts.at(-1)?.code).toMatch(/^\d{9}$/);
  });

  test('is stored as a digest that takes the secret of the project', async () => {
    const phoneNumber = newNumber();
    const code = await sentCode(phoneNumber);
    const rows = await project.sql('select * from auth.verification where identifier like $1', [
      `%${phoneNumber}`,
    ]);
    expect(rows).toHaveLength(1);
    expect(String(rows[0]?.['value'])).not.toContain(code);
  });

  test('ends when its time is over', async () => {
    const phoneNumber = newNumber();
    const code = await sentCode(phoneNumber);
    await project.sql(`update auth.verification set "expiresAt" = now() where identifier like $1`, [
      `%${phoneNumber}`,
    ]);
    const reply = await verify(phoneNumber, code);
    expect([reply.status, at(reply.body, 'code')]).toEqual([400, 'INVALID_OTP']);
  });

  test('replaces the one before it', async () => {
    const phoneNumber = newNumber();
    const first = await sentCode(phoneNumber);
    let second = first;
    while (second === first) second = await sentCode(phoneNumber);
    expect((await verify(phoneNumber, first)).status).toBe(400);
    expect((await verify(phoneNumber, second)).status).toBe(200);
  });

  test('signs in once, however many use it at once', async () => {
    const phoneNumber = newNumber();
    const code = await sentCode(phoneNumber);
    const replies = await Promise.all(Array.from({ length: 6 }, () => verify(phoneNumber, code)));
    expect(statuses(replies).filter((status) => status === 200)).toHaveLength(1);
    const users = await project.sql('select from auth."user" where "phoneNumber" = $1', [
      phoneNumber,
    ]);
    expect(users).toHaveLength(1);
  });

  test('is worth nothing after as many guesses as the settings allow, also at once', async () => {
    const phoneNumber = newNumber();
    const code = await sentCode(phoneNumber);
    const wrong = Array.from({ length: 9 }, () => verify(phoneNumber, otherThan(code)));
    expect(new Set(statuses(await Promise.all(wrong)))).toEqual(new Set([400]));
    expect((await verify(phoneNumber, code)).status).toBe(400);
  });

  test('survives fewer wrong guesses than that', async () => {
    const phoneNumber = newNumber();
    const code = await sentCode(phoneNumber);
    await Promise.all([verify(phoneNumber, otherThan(code)), verify(phoneNumber, otherThan(code))]);
    expect((await verify(phoneNumber, code)).status).toBe(200);
  });

  test('of one number is none of another', async () => {
    const [mine, theirs] = [newNumber(), newNumber()];
    await sentCode(theirs);
    const code = await sentCode(mine);
    expect((await verify(theirs, code)).status).toBe(400);
  });

  test('without a session is verified and opens none when it is asked so', async () => {
    const phoneNumber = newNumber();
    const reply = await verify(phoneNumber, await sentCode(phoneNumber), { disableSession: true });
    expect(at(reply.body, 'token')).toBeNull();
    expect(reply.headers.getSetCookie()).toEqual([]);
  });

  test('opens no session for an inactive user', async () => {
    const phoneNumber = newNumber();
    const { id } = await signedIn(phoneNumber);
    await project.sql(`update auth."user" set status = 'inactive' where id = $1`, [id]);
    const reply = await verify(phoneNumber, await sentCode(phoneNumber));
    expect([reply.status, at(reply.body, 'code')]).toEqual([403, 'USER_INACTIVE']);
  });
});

describe('requests', () => {
  test.each([
    { path: '/phone-number/send-otp', body: { phoneNumber: 'abc' }, field: 'phoneNumber' },
    {
      path: '/phone-number/send-otp',
      body: { phoneNumber: '+1 555 123 0000' },
      field: 'phoneNumber',
    },
    { path: '/phone-number/send-otp', body: {}, field: 'phoneNumber' },
    { path: '/phone-number/verify', body: { phoneNumber: '+15551230000' }, field: 'code' },
    { path: '/phone-number/verify', body: { phoneNumber: '+15551230000', code: 1 }, field: 'code' },
    { path: '/sign-in/phone-number', body: { phoneNumber: '1', password }, field: 'phoneNumber' },
    {
      path: '/phone-number/request-password-reset',
      body: { phoneNumber: 'x' },
      field: 'phoneNumber',
    },
  ])('$path $body is refused by the name $field', async ({ path, body, field }) => {
    const before = project.texts.length;
    const reply = await project.post(path, { body });
    expect([reply.status, at(reply.body, 'code')]).toEqual([400, 'INVALID_INPUT']);
    expect(textAt(reply.body, 'message')).toMatch(new RegExp(`^${field}:`));
    expect(project.texts).toHaveLength(before);
  });

  test.each(['role', 'name', 'email', 'phoneNumberVerified', 'app_metadata'])(
    'with the field %s set nothing',
    async (field) => {
      const phoneNumber = newNumber();
      const reply = await verify(phoneNumber, await sentCode(phoneNumber), { [field]: 'ADMIN' });
      expect([reply.status, at(reply.body, 'code')]).toEqual([400, 'FIELD_NOT_ALLOWED']);
    },
  );
});

describe('phone squatting', () => {
  test('a sign-up names no phone number', async () => {
    const phoneNumber = newNumber();
    const reply = await project.post('/sign-up/email', {
      body: { email: 'squatter@example.com', password, phoneNumber },
    });
    expect([reply.status, at(reply.body, 'code')]).toEqual([400, 'FIELD_NOT_ALLOWED']);
    const { id } = await signedIn(phoneNumber);
    const rows = await project.sql('select email from auth."user" where id = $1', [id]);
    expect(rows[0]?.['email']).toBe(`${phoneNumber.slice(1)}@phone.local`);
  });

  test('a profile names none either', async () => {
    const { body } = await signUp(project, 'profile@example.com');
    const reply = await project.post('/update-user', {
      body: { phoneNumber: newNumber() },
      headers: bearer(textAt(body, 'token')),
    });
    expect(reply.status).toBe(400);
  });

  test('the stand-in address of a number cannot be taken', async () => {
    const phoneNumber = newNumber();
    const reply = await project.post('/sign-up/email', {
      body: { email: `${phoneNumber.slice(1)}@phone.local`, password },
    });
    expect(reply.status).toBe(400);
    expect((await verify(phoneNumber, await sentCode(phoneNumber))).status).toBe(200);
  });
});
