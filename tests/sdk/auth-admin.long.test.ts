// Administration of users by our own client on a server, with the secret key.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { codeFor } from '../support/authenticator.js';
import { linkIn } from '../support/mail-server.js';
import {
  type Accounts,
  dataOf,
  eventsOf,
  openAccounts,
  type Opened,
  password,
  pressButton,
  sentTo,
  site,
} from './support/accounts.js';

const nobody = { user: null, session: null };
const welcome = `${site}/welcome`;
type Admin = Opened['auth']['admin'];
let accounts: Accounts;
let admin: Admin;

beforeAll(async () => {
  accounts = await openAccounts({ settings: { 'auth.twoFactor': { enabled: true } } });
  admin = accounts.open({}, accounts.project.secretKey).auth.admin;
});
afterAll(() => accounts.close());

const signInWith = (email: string, given: string) =>
  accounts.open().auth.signInWithPassword({ email, password: given });
const countUsers = () => accounts.rows('select count(*) from auth."user"');

/** Opens a link, and signs a client in with the code that it brings. */
async function arriveBy(link: string): Promise<Opened & { readonly address: string }> {
  const reply = await pressButton(accounts.project, link);
  expect(reply.headers['set-cookie']).toBeUndefined();
  const address = sentTo(reply);
  const opened = accounts.open();
  await dataOf(opened.auth.getSessionFromUrl({ url: address }));
  return { ...opened, address };
}

describe('users', () => {
  test('are made, found, changed and deleted', async () => {
    const email = accounts.newEmail();
    const app_metadata = { plan: 'gold' };
    const made = await dataOf(admin.createUser({ email, password, name: 'Ada', app_metadata }));
    const id = made.user?.id ?? '';
    expect(made.user).toMatchObject({ email, name: 'Ada', role: 'USER', app_metadata });
    expect((await dataOf(signInWith(email, password))).user?.id).toBe(id);
    const found = await dataOf(admin.getUserById(id));
    expect(found).toMatchObject({
      user: { id, email },
      sessions: [expect.any(Object)],
      identities: [expect.any(Object)],
    });
    const change = { name: 'Ada L.', role: 'ADMIN' as const, password: 'another good one' };
    expect((await dataOf(admin.updateUserById(id, change))).user).toMatchObject({
      name: 'Ada L.',
      role: 'ADMIN',
    });
    expect((await signInWith(email, password)).error?.status).toBe(401);
    expect((await signInWith(email, 'another good one')).error).toBeNull();
    expect((await admin.deleteUser(id)).error).toBeNull();
    expect(await admin.getUserById(id)).toMatchObject({
      data: { user: null },
      error: { status: 404, code: 'USER_NOT_FOUND' },
    });
    expect((await signInWith(email, 'another good one')).error?.status).toBe(401);
  });

  test('are listed in pages', async () => {
    const emails = Array.from({ length: 3 }, (_, index) => `paged${index}@listed.example`);
    for (const email of emails) {
      // One after the other: the order of the list is that of their creation.
      await dataOf(admin.createUser({ email }));
    }
    const list = (page: number) =>
      dataOf(admin.listUsers({ page, perPage: 2, search: '@listed.example' }));
    const [first, second] = [await list(1), await list(2)];
    expect([first.total, first.lastPage, first.nextPage, second.nextPage]).toEqual([3, 2, 2, null]);
    const listed = [...first.users, ...second.users].map(({ email }) => email);
    expect(listed.toSorted()).toEqual(emails);
  });

  test.each([
    { name: 'an address that is taken', change: {}, status: 422 },
    {
      name: 'a short password',
      change: { email: 'short@example.org', password: 'x' },
      status: 400,
    },
    { name: 'no address', change: { email: 'not an address' }, status: 400 },
  ])('are not made with $name', async ({ change, status }) => {
    const email = 'taken@example.org';
    await admin.createUser({ email });
    const before = await countUsers();
    const answer = await admin.createUser({ email, ...change });
    expect(answer).toMatchObject({ data: { user: null }, error: { status } });
    expect(await countUsers()).toEqual(before);
  });

  test('who are deactivated are refused, and sign in again once they are activated', async () => {
    const person = await accounts.signedUp();
    await dataOf(admin.updateUserById(person.id, { status: 'inactive' }));
    const shutOut = await person.auth.getUser();
    expect(shutOut.error).toMatchObject({ status: 403, code: 'USER_INACTIVE' });
    const refused = await signInWith(person.email, password);
    expect(refused).toMatchObject({ data: nobody, error: { status: 403, code: 'USER_INACTIVE' } });
    await dataOf(admin.updateUserById(person.id, { status: 'active' }));
    // The sessions of before do not come alive again.
    expect((await person.auth.getUser()).error).toMatchObject({ status: 401 });
    expect((await eventsOf(person)).at(-1)).toBe('SIGNED_OUT');
    expect((await signInWith(person.email, password)).error).toBeNull();
  });

  test('lose every session by signOut, and others keep theirs', async () => {
    const person = await accounts.signedUp();
    const bystander = await accounts.signedUp();
    const second = accounts.open();
    await second.auth.signInWithPassword({ email: person.email, password });
    expect(await admin.signOut(person.id)).toEqual({ data: null, error: null });
    for (const opened of [person, second]) {
      expect((await opened.auth.getUser()).error).toMatchObject({ status: 401 });
      expect((await eventsOf(opened)).at(-1)).toBe('SIGNED_OUT');
    }
    expect((await bystander.auth.getUser()).error).toBeNull();
  });
});

describe('a second factor', () => {
  test('is seen, and taken away from who has lost it', async () => {
    const person = await accounts.signedUp();
    const userId = person.id;
    expect(await dataOf(admin.mfa.listFactors({ userId }))).toEqual({ factors: [] });
    const { totp } = await dataOf(person.auth.mfa.enroll({ password }));
    await dataOf(person.auth.mfa.verify({ code: codeFor(totp.uri) }));
    expect((await dataOf(signInWith(person.email, password))).mfa?.methods).toContain('totp');
    const { factors } = await dataOf(admin.mfa.listFactors({ userId }));
    expect(factors).toMatchObject([{ factor_type: 'totp', status: 'verified' }]);
    const id = factors[0]?.id ?? '';
    expect(await dataOf(admin.mfa.deleteFactor({ userId, id }))).toEqual({ id });
    const { mfa, user } = await dataOf(signInWith(person.email, password));
    expect([mfa, user?.id]).toEqual([undefined, userId]);
    expect((await admin.mfa.deleteFactor({ userId, id })).error?.status).toBe(404);
  });
});

describe('links', () => {
  test('inviteUserByEmail mails one that signs in at the application', async () => {
    const email = accounts.newEmail();
    const data = { color: 'green' };
    const invited = await dataOf(admin.inviteUserByEmail(email, { redirectTo: welcome, data }));
    expect(invited.user).toMatchObject({ email, user_metadata: data });
    const { auth, address } = await arriveBy(linkIn(await accounts.mails.waitForMail(email)));
    expect(address.startsWith(`${welcome}?rowhouse_code=`)).toBe(true);
    expect((await auth.getUser()).data.user).toMatchObject({ email, emailVerified: true });
    expect((await auth.updateUser({ password })).error).toBeNull();
    expect((await signInWith(email, password)).error).toBeNull();
    expect(await admin.inviteUserByEmail(email)).toMatchObject({
      data: { user: null },
      error: { status: 422, code: 'USER_ALREADY_EXISTS' },
    });
  });

  test.each([
    { type: 'signup' as const, extra: { password } },
    { type: 'invite' as const, extra: {} },
    { type: 'magiclink' as const, extra: {} },
  ])('generateLink of $type gives one that works once and is not mailed', async (row) => {
    const email = accounts.newEmail();
    const options = { redirectTo: welcome };
    const made = await dataOf(admin.generateLink({ type: row.type, email, ...row.extra, options }));
    const { properties, user } = made;
    expect([user?.email, properties.email_otp]).toEqual([email, null]);
    const link = properties.action_link ?? '';
    const { auth } = await arriveBy(link);
    expect((await auth.getUser()).data.user?.id).toBe(user?.id);
    const again = sentTo(await pressButton(accounts.project, link));
    expect(await accounts.open().auth.getSessionFromUrl({ url: again })).toMatchObject({
      data: nobody,
      error: { status: 400, code: 'INVALID_TOKEN' },
    });
    expect(accounts.mails.mailsTo(email)).toEqual([]);
  });

  test('generateLink of recovery gives a code and no link', async () => {
    const { email } = await accounts.signedUp();
    const { properties } = await dataOf(admin.generateLink({ type: 'recovery', email }));
    const { action_link, email_otp } = properties;
    expect(action_link).toBeNull();
    const { auth } = accounts.open();
    const reset = { email, otp: email_otp ?? '', password: 'another good one' };
    expect((await auth.resetPassword(reset)).error).toBeNull();
    expect((await signInWith(email, 'another good one')).error).toBeNull();
  });

  test('lead nowhere but to the application', async () => {
    const before = await countUsers();
    const options = { redirectTo: 'https://evil.example' };
    const answer = await admin.generateLink({ type: 'invite', email: 'x@example.org', options });
    expect(answer).toMatchObject({
      data: { properties: null, user: null },
      error: { status: 400 },
    });
    expect(await countUsers()).toEqual(before);
  });
});

describe('without the secret key', () => {
  type Refused = Promise<{ readonly error: { readonly status: number } | null }>;
  const calls: readonly (readonly [string, (by: Admin, id: string) => Refused])[] = [
    ['listUsers', (by) => by.listUsers()],
    ['getUserById', (by, id) => by.getUserById(id)],
    ['createUser', (by) => by.createUser({ email: 'intruder@example.org' })],
    ['updateUserById', (by, id) => by.updateUserById(id, { role: 'ADMIN' })],
    ['a new password', (by, id) => by.updateUserById(id, { password: 'another good one' })],
    ['signOut', (by, id) => by.signOut(id)],
    ['deleteUser', (by, id) => by.deleteUser(id)],
    ['inviteUserByEmail', (by) => by.inviteUserByEmail('intruder@example.org')],
    ['generateLink', (by) => by.generateLink({ type: 'invite', email: 'intruder@example.org' })],
    ['mfa.listFactors', (by, userId) => by.mfa.listFactors({ userId })],
    ['mfa.deleteFactor', (by, userId) => by.mfa.deleteFactor({ userId, id: 'totp' })],
  ];

  test.each(calls)('%s is refused, and nothing has changed', async (_name, call) => {
    const person = await accounts.signedUp();
    const everything = () =>
      accounts.rows(`select u.id, u.email, u.role, u."updatedAt", s.id as session, a.password
        from auth."user" u left join auth.session s on s."userId" = u.id
        left join auth.account a on a."userId" = u.id order by u.id, s.id`);
    const before = await everything();
    // An administrator of the application is one by their session, which does not go along.
    const keys = [accounts.project.publishableKey, 'svc_secret_nobody'];
    for (const key of keys) {
      const { auth } = accounts.open({}, key);
      expect((await call(auth.admin, person.id)).error).toMatchObject({ status: 401 });
    }
    expect((await call(person.auth.admin, person.id)).error).toMatchObject({ status: 401 });
    expect((await person.auth.getSession()).data.session?.access_token).toBe(person.token);
    expect(await everything()).toEqual(before);
  });
});
