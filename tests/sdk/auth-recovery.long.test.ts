// Passwords and mailed codes with our own client: a forgotten one is replaced, one that is there is changed.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { codeIn } from '../support/mail-server.js';
import { type Accounts, dataOf, eventsOf, openAccounts, password } from './support/accounts.js';

const nobody = { user: null, session: null };
let accounts: Accounts;

beforeAll(async () => {
  accounts = await openAccounts();
});
afterAll(() => accounts.close());

const mailedCode = async (email: string) => codeIn(await accounts.mails.waitForMail(email));

/** A code of as many digits that is certainly another one. */
const wrong = (code: string) => code.replaceAll(/\d/g, (digit) => String((Number(digit) + 1) % 10));

/** Lets all codes run out that nobody has used yet. */
const expireAll = () =>
  accounts.rows(`update auth.verification set "expiresAt" = now() - interval '1 second'`);

describe('a forgotten password', () => {
  const forgotten = async () => {
    const person = await accounts.signedUp();
    const { email } = person;
    const opened = accounts.open();
    expect(await opened.auth.resetPasswordForEmail(email)).toEqual({ data: nobody, error: null });
    return { ...opened, person, email, otp: await mailedCode(email) };
  };

  test('is replaced by a mailed code, and every session ends', async () => {
    const { auth, person, email, otp } = await forgotten();
    expect(await auth.resetPassword({ email, otp, password: 'another good one' })).toEqual({
      data: nobody,
      error: null,
    });
    expect((await auth.signInWithPassword({ email, password })).error?.status).toBe(401);
    expect(
      (await auth.signInWithPassword({ email, password: 'another good one' })).error,
    ).toBeNull();
    expect((await person.auth.getUser()).error).toMatchObject({ status: 401 });
    expect(await eventsOf(person)).toEqual(['INITIAL_SESSION', 'SIGNED_IN', 'SIGNED_OUT']);
  });

  test.each([
    { name: 'a wrong code', spoil: async () => undefined, use: wrong },
    { name: 'an expired code', spoil: expireAll, use: (code: string) => code },
  ])('is not replaced by $name', async ({ spoil, use }) => {
    const { auth, person, email, otp } = await forgotten();
    await spoil();
    const answer = await auth.resetPassword({ email, otp: use(otp), password: 'another good one' });
    expect(answer).toMatchObject({ data: nobody, error: { status: 400 } });
    expect((await person.auth.getUser()).error).toBeNull();
    expect((await auth.signInWithPassword({ email, password })).error).toBeNull();
  });

  test('is replaced once by a code', async () => {
    const { auth, email, otp } = await forgotten();
    await auth.resetPassword({ email, otp, password: 'another good one' });
    const again = await auth.resetPassword({ email, otp, password: 'a third good one' });
    expect(again.error?.status).toBe(400);
    expect((await auth.signInWithPassword({ email, password: 'a third good one' })).data).toEqual(
      nobody,
    );
  });

  test('of nobody is answered like that of somebody, and mails nothing', async () => {
    const email = accounts.newEmail();
    const answer = await accounts.open().auth.resetPasswordForEmail(email);
    expect(answer).toEqual({ data: nobody, error: null });
    expect(accounts.mails.mailsTo(email)).toEqual([]);
  });

  test('code is sent once more by resend', async () => {
    const { auth, email } = await forgotten();
    expect((await auth.resend({ type: 'recovery', email })).error).toBeNull();
    const otp = await mailedCode(email);
    expect(
      (await auth.resetPassword({ email, otp, password: 'another good one' })).error,
    ).toBeNull();
  });
});

describe('a password that is there', () => {
  test('is changed with a code that reauthenticate has mailed', async () => {
    const person = await accounts.signedUp();
    expect(await person.auth.reauthenticate()).toEqual({ data: nobody, error: null });
    const nonce = await mailedCode(person.email);
    const change = { password: 'another good one' };
    const refused = await person.auth.updateUser({ ...change, nonce: wrong(nonce) });
    expect(refused).toMatchObject({ data: { user: null }, error: { status: 400 } });
    await dataOf(person.auth.updateUser({ ...change, nonce }));
    const again = await person.auth.updateUser({ password: 'a third good one', nonce });
    expect(again.error?.status).toBe(400);
    const { auth } = accounts.open();
    const { email } = person;
    expect((await auth.signInWithPassword({ email, ...change })).error).toBeNull();
  });

  test('is not changed without it or the password', async () => {
    const { auth } = await accounts.signedUp();
    const { error } = await auth.updateUser({ password: 'another good one' });
    expect(error?.status).toBe(400);
  });

  test('codes of reauthenticate are for who is signed in', async () => {
    expect((await accounts.open().auth.reauthenticate()).error).toMatchObject({ status: 401 });
  });
});
