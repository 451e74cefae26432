// Codes by SMS with our own client, sent by a real HTTP service of messages.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { codeIn } from '../support/mail-server.js';
import { openSmsGateway, SMS_ACCOUNTS, type SmsGateway } from '../support/sms-gateway.js';
import { type Accounts, dataOf, eventsOf, openAccounts } from './support/accounts.js';

const nobody = { user: null, session: null };
let accounts: Accounts;
let sms: SmsGateway;
let count = 0;

beforeAll(async () => {
  sms = await openSmsGateway();
  const twilio = { ...SMS_ACCOUNTS.twilio, from: '+15550000000', baseUrl: sms.origin };
  accounts = await openAccounts({
    settings: { 'phone.sms': { provider: 'twilio', twilio }, 'auth.phoneOtp': { enabled: true } },
  });
});
afterAll(async () => {
  await accounts.close();
  await sms.close();
});

const newPhone = () => `+1555123${String((count += 1)).padStart(4, '0')}`;
const sentCode = async (phone: string) => codeIn(await sms.waitForSms(phone));
const wrong = (code: string) => code.replaceAll(/\d/g, (digit) => String((Number(digit) + 1) % 10));
const expireAll = () =>
  accounts.rows(`update auth.verification set "expiresAt" = now() - interval '1 second'`);

describe('a code by SMS', () => {
  test('signs somebody new in, and the same user the next time', async () => {
    const phone = newPhone();
    const visit = async () => {
      const opened = accounts.open();
      expect(await opened.auth.signInWithOtp({ phone })).toEqual({ data: nobody, error: null });
      const token = await sentCode(phone);
      const { user } = await dataOf(opened.auth.verifyOtp({ phone, token, type: 'sms' }));
      expect(await eventsOf(opened)).toEqual(['INITIAL_SESSION', 'SIGNED_IN']);
      expect((await opened.auth.getUser()).data.user).toMatchObject({ phoneNumber: phone });
      return user?.id;
    };
    const id = await visit();
    expect([typeof id, await visit()]).toEqual(['string', id]);
  });

  test.each([
    { name: 'that is wrong', spoil: async () => undefined, use: wrong },
    { name: 'that has expired', spoil: expireAll, use: (code: string) => code },
  ])('$name signs nobody in, and no account is made', async ({ spoil, use }) => {
    const phone = newPhone();
    const opened = accounts.open();
    await opened.auth.signInWithOtp({ phone });
    const token = use(await sentCode(phone));
    await spoil();
    const answer = await opened.auth.verifyOtp({ phone, token, type: 'sms' });
    expect(answer).toMatchObject({ data: nobody, error: { status: 400 } });
    expect(answer.error?.code).toMatch(/^[A-Z_]+$/);
    expect(await eventsOf(opened)).toEqual(['INITIAL_SESSION']);
    const made = 'select from auth."user" where "phoneNumber" = $1';
    expect(await accounts.rows(made, [phone])).toEqual([]);
  });

  test('works once', async () => {
    const phone = newPhone();
    const { auth } = accounts.open();
    await auth.signInWithOtp({ phone });
    const code = { phone, token: await sentCode(phone), type: 'sms' as const };
    await dataOf(auth.verifyOtp(code));
    const other = accounts.open();
    expect(await other.auth.verifyOtp(code)).toMatchObject({
      data: nobody,
      error: { status: 400 },
    });
    expect(await eventsOf(other)).toEqual(['INITIAL_SESSION']);
  });

  test('is sent again by resend', async () => {
    const phone = newPhone();
    const { auth } = accounts.open();
    await auth.signInWithOtp({ phone });
    await sentCode(phone);
    expect(await auth.resend({ type: 'sms', phone })).toEqual({ data: nobody, error: null });
    const token = await sentCode(phone);
    expect((await auth.verifyOtp({ phone, token, type: 'sms' })).error).toBeNull();
  });

  test.each(['abc', '5551234567', '+1', '+99955512345678901'])(
    'to %j, which is no number, is refused',
    async (phone) => {
      const { error } = await accounts.open().auth.signInWithOtp({ phone });
      expect(error?.status).toBe(400);
      expect(sms.messagesTo(phone)).toEqual([]);
    },
  );
});

describe('the number of an account', () => {
  const withPhone = async () => {
    const person = await accounts.signedUp();
    const phone = newPhone();
    await person.auth.updateUser({ phone });
    const token = await sentCode(phone);
    return { ...person, phone, code: { phone, token, type: 'phone_change' as const } };
  };

  test('is the signed-in user’s once its code is given, in the same session', async () => {
    const person = await withPhone();
    const { session, user } = await dataOf(person.auth.verifyOtp(person.code));
    expect(user).toMatchObject({ id: person.id, phoneNumber: person.phone });
    expect(session?.access_token).toBe(person.token);
    expect((await eventsOf(person)).at(-1)).toBe('USER_UPDATED');
  });

  test('stays as it was after a wrong code', async () => {
    const { auth, code, ...person } = await withPhone();
    const { error } = await auth.verifyOtp({ ...code, token: wrong(code.token) });
    expect(error?.status).toBe(400);
    const { data } = await auth.getUser();
    expect([data.user?.id, data.user?.phoneNumber ?? null]).toEqual([person.id, null]);
  });

  test('cannot be that of another account', async () => {
    const owner = await withPhone();
    await dataOf(owner.auth.verifyOtp(owner.code));
    const { phone } = owner;
    const thief = await accounts.signedUp();
    await thief.auth.updateUser({ phone });
    // Whether a message went out or not, its code must not move the number.
    await owner.auth.resend({ type: 'phone_change', phone });
    const token = await sentCode(phone);
    const { error } = await thief.auth.verifyOtp({ phone, token, type: 'phone_change' });
    expect(error?.status).toBeGreaterThanOrEqual(400);
    expect((await owner.auth.getUser()).data.user?.phoneNumber).toBe(phone);
    expect((await thief.auth.getUser()).data.user?.phoneNumber ?? null).toBeNull();
  });

  test('signs in with the password', async () => {
    const { auth, code, phone, id } = await withPhone();
    await dataOf(auth.verifyOtp(code));
    const opened = accounts.open();
    const password = 'correct horse battery';
    const { user } = await dataOf(opened.auth.signInWithPassword({ phone, password }));
    expect(user?.id).toBe(id);
    const refused = await accounts.open().auth.signInWithPassword({ phone, password: 'wrong one' });
    expect(refused).toMatchObject({ data: nobody, error: { status: 401 } });
  });
});
