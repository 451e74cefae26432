// The second factor with our own client. The codes are those of an authenticator app other than ours.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { codeFor } from '../support/authenticator.js';
import { codeIn } from '../support/mail-server.js';
import {
  type Accounts,
  dataOf,
  eventsOf,
  openAccounts,
  type Opened,
  password,
} from './support/accounts.js';

const nobody = { user: null, session: null };
const visited = ['INITIAL_SESSION'];
const signedIn = [...visited, 'SIGNED_IN'];
const wrongCode = { status: 400, code: 'INVALID_CODE' };
const wrongPassword = { status: 403, code: 'INVALID_PASSWORD' };
let accounts: Accounts;

beforeAll(async () => {
  accounts = await openAccounts({
    settings: { 'auth.twoFactor': { enabled: true, emailCodes: true, backupCodes: 8 } },
  });
});
afterAll(() => accounts.close());

/** As if the app had been used long ago: a code is good for one use. */
const forgetSteps = (userId: string) =>
  accounts.rows('update auth."twoFactor" set "lastStep" = null where "userId" = $1', [userId]);
const wrong = (code: string) => code.replaceAll(/\d/g, (digit) => String((Number(digit) + 1) % 10));

/** Somebody whose app is set up, in the client that did it. */
async function enrolled() {
  const person = await accounts.signedUp();
  const { totp, backupCodes } = await dataOf(person.auth.mfa.enroll({ password }));
  await dataOf(person.auth.mfa.verify({ code: codeFor(totp.uri) }));
  await forgetSteps(person.id);
  // A mailed code takes everything from an account whose address was not proven before.
  await accounts.rows('update auth."user" set "emailVerified" = true where id = $1', [person.id]);
  return { ...person, uri: totp.uri, backupCodes };
}

/** A new client whose password was right, and that is asked for more. */
async function challenged(email: string): Promise<Opened> {
  const opened = accounts.open();
  const { session, mfa } = await dataOf(opened.auth.signInWithPassword({ email, password }));
  expect([session, mfa?.methods]).toEqual([null, expect.arrayContaining(['totp'])]);
  return opened;
}

/** A new client that was signed in by a mailed code, which the second factor does not guard. */
async function byMail(email: string): Promise<Opened> {
  const opened = accounts.open();
  await opened.auth.signInWithOtp({ email });
  const token = codeIn(await accounts.mails.waitForMail(email));
  await dataOf(opened.auth.verifyOtp({ email, token, type: 'email' }));
  return opened;
}

const levelsOf = async ({ auth }: Opened) => {
  const { currentLevel, nextLevel } = await dataOf(auth.mfa.getAuthenticatorAssuranceLevel());
  return [currentLevel, nextLevel];
};

describe('setting an app up', () => {
  test('gives the secret as an address and bare, and backup codes', async () => {
    const { auth } = await accounts.signedUp();
    const factor = await dataOf(auth.mfa.enroll({ password, issuer: 'Shop' }));
    const uri = new URL(factor.totp.uri);
    expect([uri.protocol, uri.searchParams.get('issuer')]).toEqual(['otpauth:', 'Shop']);
    expect(uri.searchParams.get('secret')).toBe(factor.totp.secret);
    expect(new Set(factor.backupCodes).size).toBe(8);
  });

  test('counts from the first code on, which raises the session', async () => {
    const person = await accounts.signedUp();
    const { email, auth } = person;
    const { totp } = await dataOf(auth.mfa.enroll({ password }));
    expect((await dataOf(auth.mfa.listFactors())).all).toEqual([]);
    const early = await dataOf(accounts.open().auth.signInWithPassword({ email, password }));
    expect(early.mfa).toBeUndefined();
    const { session } = await dataOf(auth.mfa.verify({ code: codeFor(totp.uri) }));
    expect(session?.aal).toBe('aal2');
    expect(await eventsOf(person)).toEqual([...signedIn, 'MFA_CHALLENGE_VERIFIED']);
    const factor = { id: 'totp', factor_type: 'totp', status: 'verified' };
    expect(await dataOf(auth.mfa.listFactors())).toEqual({ all: [factor], totp: [factor] });
    expect(await levelsOf(person)).toEqual(['aal2', 'aal2']);
    expect((await auth.getUser()).error).toBeNull();
  });

  test('with a wrong code counts for nothing', async () => {
    const person = await accounts.signedUp();
    const { totp } = await dataOf(person.auth.mfa.enroll({ password }));
    const answer = await person.auth.mfa.verify({ code: wrong(codeFor(totp.uri)) });
    expect(answer).toMatchObject({ data: nobody, error: wrongCode });
    expect(await eventsOf(person)).toEqual(signedIn);
    expect(await levelsOf(person)).toEqual(['aal1', 'aal1']);
    expect((await person.auth.getUser()).data.user?.twoFactorEnabled).toBe(false);
  });

  test('needs the password', async () => {
    const { auth } = await accounts.signedUp();
    const answer = await auth.mfa.enroll({ password: 'a wrong password' });
    expect(answer).toMatchObject({ data: null, error: wrongPassword });
    expect((await auth.getUser()).error).toBeNull();
  });
});

describe('signing in', () => {
  test('with the password alone is no session, until the code of the app is given', async () => {
    const { email, id, uri } = await enrolled();
    const opened = await challenged(email);
    expect((await opened.auth.getSession()).data.session).toBeNull();
    expect(await eventsOf(opened)).toEqual(visited);
    const { session, user } = await dataOf(opened.auth.mfa.verify({ code: codeFor(uri) }));
    expect([user?.id, user?.twoFactorEnabled]).toEqual([id, true]);
    expect(await eventsOf(opened)).toEqual([...signedIn, 'MFA_CHALLENGE_VERIFIED']);
    expect((await opened.auth.refreshSession()).data.session).toMatchObject({
      access_token: session?.access_token,
      aal: 'aal2',
    });
  });

  test('waits on after a wrong code', async () => {
    const { email, uri } = await enrolled();
    const opened = await challenged(email);
    const refused = await opened.auth.mfa.verify({ code: wrong(codeFor(uri)) });
    expect(refused).toMatchObject({ data: nobody, error: wrongCode });
    expect(await eventsOf(opened)).toEqual(visited);
    await dataOf(opened.auth.mfa.verify({ code: codeFor(uri) }));
  });

  test('refuses a code of the app that was used', async () => {
    const { email, uri } = await enrolled();
    const code = codeFor(uri);
    await dataOf((await challenged(email)).auth.mfa.verify({ code }));
    const second = await challenged(email);
    const answer = await second.auth.mfa.verify({ code });
    expect(answer).toMatchObject({ data: nobody, error: wrongCode });
    expect(await eventsOf(second)).toEqual(visited);
  });

  test('takes a code that a challenge has mailed', async () => {
    const { email } = await enrolled();
    const opened = await challenged(email);
    expect((await opened.auth.mfa.challenge({ channel: 'email' })).data).toEqual({
      id: 'email',
      type: 'email',
    });
    const code = codeIn(await accounts.mails.waitForMail(email));
    const refused = await opened.auth.mfa.verify({ code: wrong(code), type: 'otp' });
    expect(refused).toMatchObject({ data: nobody, error: wrongCode });
    const { session } = await dataOf(opened.auth.mfa.verify({ code, type: 'otp' }));
    expect(session?.access_token).toEqual(expect.any(String));
    expect(await eventsOf(opened)).toEqual([...signedIn, 'MFA_CHALLENGE_VERIFIED']);
  });

  test('sends nothing for a challenge of the app', async () => {
    const { email } = await enrolled();
    const opened = await challenged(email);
    const before = accounts.gateway.received.length;
    expect((await opened.auth.mfa.challenge()).error).toBeNull();
    expect(accounts.gateway.received.length).toBe(before);
  });

  test('takes each backup code once, and none that were replaced', async () => {
    const { email, auth, backupCodes } = await enrolled();
    const [first = '', second = ''] = backupCodes;
    const give = async (code: string) => {
      const opened = await challenged(email);
      return (await opened.auth.mfa.verify({ code, type: 'backup' })).error?.status;
    };
    expect([await give(first), await give(first)]).toEqual([undefined, 400]);
    const renewed = await dataOf(auth.mfa.regenerateBackupCodes({ password }));
    const [third = ''] = renewed.backupCodes;
    expect(renewed.backupCodes).toHaveLength(8);
    expect([await give(second), await give(third)]).toEqual([400, undefined]);
  });

  test('asks a trusted device no more, and every other one', async () => {
    const { email, uri } = await enrolled();
    const device = await challenged(email);
    await dataOf(device.auth.mfa.verify({ code: codeFor(uri), trustDevice: true }));
    await device.auth.signOut();
    const again = await dataOf(device.auth.signInWithPassword({ email, password }));
    expect([again.mfa, again.user?.email]).toEqual([undefined, email]);
    await challenged(email);
  });

  test('of somebody else ends a challenge that was open', async () => {
    const { email, uri } = await enrolled();
    const other = await accounts.signedUp();
    const opened = await challenged(email);
    await dataOf(opened.auth.signInWithPassword({ email: other.email, password }));
    const { error } = await opened.auth.mfa.verify({ code: codeFor(uri) });
    expect(error?.status).toBeGreaterThanOrEqual(400);
    expect((await opened.auth.getUser()).data.user?.id).toBe(other.id);
  });

  test('takes a code for nothing from who was asked for none', async () => {
    const answer = await accounts.open().auth.mfa.verify({ code: '123456' });
    expect(answer).toMatchObject({ data: nobody, error: { status: 401 } });
  });
});

describe('a session that lives', () => {
  test('is raised by a code, and no other session is', async () => {
    const { email, uri } = await enrolled();
    const opened = await byMail(email);
    const other = await byMail(email);
    await opened.auth.refreshSession();
    expect(await levelsOf(opened)).toEqual(['aal1', 'aal2']);
    const refused = await opened.auth.mfa.verify({ code: wrong(codeFor(uri)) });
    expect(refused).toMatchObject({ data: nobody, error: wrongCode });
    expect(await levelsOf(opened)).toEqual(['aal1', 'aal2']);
    const { session } = await dataOf(opened.auth.mfa.verify({ code: codeFor(uri) }));
    expect(session?.aal).toBe('aal2');
    expect(await levelsOf(opened)).toEqual(['aal2', 'aal2']);
    expect(await eventsOf(opened)).toEqual([
      ...signedIn,
      'TOKEN_REFRESHED',
      'MFA_CHALLENGE_VERIFIED',
    ]);
    expect((await dataOf(opened.auth.getClaims())).claims['aal']).toBe('aal2');
    expect((await dataOf(other.auth.getClaims())).claims['aal']).toBe('aal1');
  });

  test('that has ended is not raised', async () => {
    const { email, uri, auth } = await enrolled();
    const opened = await byMail(email);
    await auth.signOut({ scope: 'global' });
    const answer = await opened.auth.mfa.verify({ code: codeFor(uri) });
    expect(answer).toMatchObject({ data: nobody, error: { status: 401 } });
    expect(await eventsOf(opened)).toEqual([...signedIn, 'SIGNED_OUT']);
  });

  test('is asked for nothing more once the factor is taken away', async () => {
    const person = await enrolled();
    const { auth, email } = person;
    const refused = await auth.mfa.unenroll({ password: 'a wrong password' });
    expect(refused).toMatchObject({ data: null, error: wrongPassword });
    expect((await dataOf(auth.mfa.listFactors())).all).toHaveLength(1);
    expect(await dataOf(auth.mfa.unenroll({ password }))).toEqual({ id: 'totp' });
    expect((await dataOf(auth.mfa.listFactors())).all).toEqual([]);
    expect((await eventsOf(person)).at(-1)).toBe('USER_UPDATED');
    const { mfa, user } = await dataOf(
      accounts.open().auth.signInWithPassword({ email, password }),
    );
    expect([mfa, user?.email]).toEqual([undefined, email]);
  });
});
