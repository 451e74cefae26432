// The accounts at providers of a user: list, link, unlink, and their tokens.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';
import type { OidcIdentityProvider } from '../support/oidc-identity-provider.js';
import { type AuthProject, cookieOf, type Reply, signUp } from './auth-project.js';
import {
  begin,
  clientId,
  comeBack,
  customEntry,
  locationOf,
  openProjectWith,
  openProvider,
  person,
  settingsWith,
  signIn,
} from './oauth-flow.js';
import { at, bearer, textAt } from '../support/replies.js';

const done = 'https://app.example.com/done';
let idp: OidcIdentityProvider;
let project: AuthProject;

beforeAll(async () => {
  idp = await openProvider();
  project = await openProjectWith(idp, { scopes: ['openid', 'email', 'offline_access'] });
});
beforeEach(() => project.sql('delete from auth."user"'));
afterAll(async () => {
  await project.close();
  await idp.close();
});

/** Somebody who has signed up with a password, as a client without cookies. */
async function newUser(email = 'ann@example.com') {
  const reply = await signUp(project, email);
  return { id: textAt(reply.body, 'user', 'id'), headers: bearer(textAt(reply.body, 'token')) };
}

type Headers = Readonly<Record<string, string>>;
const link = (headers: Headers, login: string, claims = {}): Promise<Reply> =>
  signIn(project, idp, person(login, claims), { path: '/link-social', headers });
const list = (headers: Headers) => project.get('/list-accounts', { headers });
const unlink = (headers: Headers, accountId: string) =>
  project.post('/unlink-account', { headers, body: { accountId } });
const accountIds = async () =>
  (await project.sql('select id from auth.account order by "createdAt"')).map((row) =>
    String(row['id']),
  );

describe('the list of accounts', () => {
  test('is there while no provider is offered, and an account of one can be let go', async () => {
    const { headers } = await newUser();
    await link(headers, 'ann');
    const via = await project.rebuild({});
    const { body } = await project.get('/list-accounts', { headers, via });
    expect(body).toMatchObject([{ providerId: 'credential' }, { providerId: 'acme' }]);
    const accountId = textAt(Array.isArray(body) ? body[1] : undefined, 'id');
    const reply = await project.post('/unlink-account', { headers, via, body: { accountId } });
    expect(reply.status).toBe(200);
    expect(await accountIds()).toHaveLength(1);
  });

  test('tells provider, subject and scopes of each, and no token', async () => {
    const { id, headers } = await newUser();
    expect(locationOf(await link(headers, 'ann'))).toBe(done);
    const { status, body } = await list(headers);
    expect(status).toBe(200);
    const common = {
      id: expect.any(String),
      userId: id,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    };
    expect(body).toHaveLength(2);
    expect(body).toContainEqual({
      ...common,
      provider: 'credential',
      providerId: 'credential',
      accountId: id,
      scopes: [],
    });
    expect(body).toContainEqual({
      ...common,
      provider: 'acme',
      providerId: 'acme',
      accountId: 'ann',
      scopes: expect.arrayContaining(['openid', 'email']),
    });
  });

  test('is for whoever is signed in', async () => {
    expect((await project.get('/list-accounts')).status).toBe(401);
  });
});

describe('linking', () => {
  test.each([
    { name: 'another address than the user', claims: { email: 'other@elsewhere.example' } },
    { name: 'an address that is not verified', claims: { email_verified: false } },
    { name: 'no address at all', claims: { email: undefined, email_verified: undefined } },
  ])('an account with $name works, and changes nothing about the user', async ({ claims }) => {
    const { headers } = await newUser();
    expect(locationOf(await link(headers, 'ann', claims))).toBe(done);
    const [user] = await project.sql('select email, "emailVerified" from auth."user"');
    expect(user).toEqual({ email: 'ann@example.com', emailVerified: false });
    const reply = await signIn(project, idp, person('ann', { email: 'x@y.example' }));
    const session = await project.get('/get-session', { headers: { cookie: cookieOf(reply) } });
    expect(at(session.body, 'user', 'email')).toBe('ann@example.com');
  });

  test('by an id token works alike', async () => {
    const { headers } = await newUser();
    const claims = { email: 'other@elsewhere.example', email_verified: false };
    const token = await idp.mintIdToken({ clientId, nonce: 'n1', person: person('ann', claims) });
    const body = { provider: 'acme', idToken: token, nonce: 'n1' };
    expect((await project.post('/link-social', { headers, body })).status).toBe(200);
    expect(await accountIds()).toHaveLength(2);
  });

  test('by an id token with another nonce is refused', async () => {
    const { headers } = await newUser();
    const token = await idp.mintIdToken({ clientId, nonce: 'n1', person: person('ann') });
    const body = { provider: 'acme', idToken: token, nonce: 'n2' };
    expect((await project.post('/link-social', { headers, body })).status).toBe(401);
    expect(await accountIds()).toHaveLength(1);
  });

  test('an account of another user is refused', async () => {
    await signIn(project, idp, person('ann'));
    const { headers } = await newUser();
    const reply = await link(headers, 'ann');
    const { searchParams } = new URL(locationOf(reply));
    expect(searchParams.get('error')).toBe('account_already_linked_to_different_user');
    const [account] = await project.sql(
      `select u.email from auth.account a join auth."user" u on u.id = a."userId"
       where a."providerId" = 'acme'`,
    );
    expect(account).toEqual({ email: 'ann@people.example' });
  });

  test('the same account twice leaves one', async () => {
    const { headers } = await newUser();
    await link(headers, 'ann');
    expect(locationOf(await link(headers, 'ann'))).toBe(done);
    expect(await accountIds()).toHaveLength(2);
  });

  test('makes a guest permanent, with the same id and session', async () => {
    const settings = settingsWith(customEntry(idp));
    const via = await project.rebuild({ ...settings, 'auth.methods.anonymous': { enabled: true } });
    const guest = await project.post('/sign-in/anonymous', { via });
    const headers = bearer(textAt(guest.body, 'token'));
    expect(locationOf(await link(headers, 'ann'))).toBe(done);
    const session = await project.get('/get-session', { headers });
    expect(at(session.body, 'user')).toMatchObject({
      id: textAt(guest.body, 'user', 'id'),
      is_anonymous: false,
    });
  });

  test('needs a session', async () => {
    const reply = await project.post('/link-social', { body: { provider: 'acme' } });
    expect(reply.status).toBe(401);
  });

  test('needs the session still to be there when the browser comes back', async () => {
    const { headers } = await newUser();
    const { url, cookies } = await begin(project, { path: '/link-social', headers });
    const back = await idp.signInAt(url, person('ann'));
    await project.post('/sign-out', { headers });
    const reply = await comeBack(project, back, cookies);
    expect(new URL(locationOf(reply)).searchParams.get('error')).toBe('unable_to_link_account');
    expect(await accountIds()).toHaveLength(1);
  });

  test('needs the browser that began it', async () => {
    const { headers } = await newUser('mallory@example.com');
    const { url } = await begin(project, { path: '/link-social', headers });
    const back = await idp.signInAt(url, person('victim'));
    const reply = await comeBack(project, back, '');
    expect(new URL(locationOf(reply)).searchParams.get('error')).toBe('state_mismatch');
    expect(await accountIds()).toHaveLength(1);
  });

  test('trusts the provider in that request alone', async () => {
    const { headers } = await newUser('ann@people.example');
    await project.sql('update auth."user" set "emailVerified" = true');
    await link(headers, 'other');
    const reply = await signIn(project, idp, person('ann', { email_verified: false }));
    expect(new URL(locationOf(reply)).searchParams.get('error')).toBe('account_not_linked');
  });
});

async function waitingForLocks(): Promise<unknown> {
  const [row] = await project.sql(
    `select count(*)::int as rows from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return row?.['rows'];
}

describe('unlinking', () => {
  test('takes the account away, and leaves the user', async () => {
    const { headers } = await newUser();
    await link(headers, 'ann');
    const [, acme = ''] = await accountIds();
    expect((await unlink(headers, acme)).status).toBe(200);
    const { body } = await list(headers);
    expect(body).toMatchObject([{ provider: 'credential' }]);
  });

  test('refuses the last account', async () => {
    const { headers } = await newUser();
    const [only = ''] = await accountIds();
    const reply = await unlink(headers, only);
    expect(reply).toMatchObject({ status: 400, body: { code: 'FAILED_TO_UNLINK_LAST_ACCOUNT' } });
    expect(await accountIds()).toHaveLength(1);
  });

  test('of all accounts at the same moment leaves one', async () => {
    const { headers } = await newUser();
    for (const login of ['a', 'b', 'c']) await link(headers, login);
    const ids = await accountIds();
    const blocker = await project.pool.connect();
    await blocker.query('begin');
    await blocker.query('select 1 from auth.account for update');
    const unlinking = Promise.all(ids.map((id) => unlink(headers, id)));
    await waitFor(async () => (await waitingForLocks()) === ids.length);
    await blocker.query('rollback');
    blocker.release();
    const replies = await unlinking;
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 200, 400]);
    expect(await accountIds()).toHaveLength(1);
  });

  test('does not touch an account of another user', async () => {
    await newUser('other@example.com');
    const [theirs = ''] = await accountIds();
    const { headers } = await newUser();
    await link(headers, 'ann');
    const reply = await unlink(headers, theirs);
    expect(reply).toMatchObject({ status: 400, body: { code: 'ACCOUNT_NOT_FOUND' } });
    expect(await accountIds()).toHaveLength(3);
  });

  test('needs a fresh session', async () => {
    const { headers } = await newUser();
    await link(headers, 'ann');
    const [, acme = ''] = await accountIds();
    await project.sql(`update auth.session set "createdAt" = now() - interval '30 days'`);
    const reply = await unlink(headers, acme);
    expect(reply.status).toBe(403);
    expect(await accountIds()).toHaveLength(2);
  });
});
