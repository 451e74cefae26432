// Somebody signs up with an address that is not theirs and adds ways into the account. When the owner of the
// address comes, by a mail, none of them opens the account any more, whether it was added before or is being added.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';
import { keepValue } from '../../libs/auth-engine/src/one-time-values.js';
import type { OidcIdentityProvider } from '../support/oidc-identity-provider.js';
import { type AuthProject, openAuthProject, password, type Reply, signUp } from './auth-project.js';
import { mailedCode, mailedPath, press } from './mail-links.js';
import {
  baseUrl,
  begin,
  callAnybody,
  comeBack,
  customEntry,
  locationOf,
  openProvider,
  person,
  settingsWith,
  signIn,
} from './oauth-flow.js';
import { at, bearer, textAt } from '../support/replies.js';

let idp: OidcIdentityProvider;
let project: AuthProject;

beforeAll(async () => {
  idp = await openProvider();
  project = await openAuthProject({
    settings: {
      ...settingsWith(customEntry(idp)),
      'auth.apiKey': { enabled: true },
      'auth.methods.anonymous': { enabled: true },
      'auth.magicLink': { enabled: true },
    },
    call: callAnybody,
    baseUrl,
  });
});
/** Lets paused inserts go on; a test that fails before it does so must not keep the rest waiting. */
let release: () => Promise<void> = () => Promise.resolve();

afterEach(async () => {
  await release();
  await project.sql('drop trigger if exists pause_insert on auth.apikey');
  await project.sql('drop trigger if exists pause_insert on auth.account');
});
afterAll(async () => {
  await project.close();
  await idp.close();
});

/** How the owner of an address comes. */
type Coming = (email: string) => Promise<Reply>;

const ways: Readonly<Record<string, Coming>> = {
  'a code to sign in': async (email) => {
    await project.post('/email-otp/send-verification-otp', { body: { email, type: 'sign-in' } });
    return project.post('/sign-in/email-otp', { body: { email, otp: mailedCode(project, email) } });
  },
  'a link to sign in': async (email) => {
    await project.post('/sign-in/magic-link', { body: { email } });
    return press(project, mailedPath(project, email));
  },
  'a code to reset the password': async (email) => {
    await project.post('/email-otp/request-password-reset', { body: { email } });
    const body = { email, otp: mailedCode(project, email), password: 'the password of the owner' };
    return project.post('/email-otp/reset-password', { body });
  },
  'a link to reset the password': async (email) => {
    const redirectTo = 'https://app.example.com/reset';
    await project.post('/request-password-reset', { body: { email, redirectTo } });
    const token = mailedPath(project, email).split('?')[0]?.split('/').at(-1);
    const body = { token, newPassword: 'the password of the owner' };
    return project.post('/reset-password', { body });
  },
};
/** As `ways`, but an administrator hands the link over. */
async function comeByAdminLink(email: string, userId: string): Promise<void> {
  const { url, kept } = project.auth.administration.makeLink({
    userId,
    email,
    redirectTo: undefined,
    flow: 'cookie',
    kind: 'signIn',
    isNewUser: false,
  });
  await keepValue(project.pool, kept);
  const { pathname, search } = new URL(url);
  await press(project, `${pathname.replace('/api/auth', '')}${search}`);
}
const names = Object.keys(ways).map((way) => ({ way }));

let people = 0;

/** The address of somebody else, and the account that was made with it. */
async function squat() {
  people += 1;
  const email = `owner-${people}@example.com`;
  const { body } = await signUp(project, email);
  return { email, id: textAt(body, 'user', 'id'), headers: bearer(textAt(body, 'token')) };
}

async function comeBy(way: string, email: string): Promise<void> {
  const reply = await ways[way]?.(email);
  expect(reply?.status).toBeLessThan(400);
}

/** Whose account a sign-in at the provider opens. */
async function whoIs(login: string): Promise<unknown> {
  await signIn(project, idp, person(login, { email: `${login}@evil.example` }));
  const [row] = await project.sql('select "userId" from auth.account where "accountId" = $1', [
    login,
  ]);
  return row?.['userId'];
}

test.each(names)(
  'an identity that was linked before $way opens another account',
  async ({ way }) => {
    const { email, id, headers } = await squat();
    const login = `before-${people}`;
    const claims = { email: `${login}@evil.example` };
    await signIn(project, idp, person(login, claims), { path: '/link-social', headers });
    expect(await whoIs(login)).toBe(id);
    await comeBy(way, email);
    expect(await whoIs(login)).not.toBe(id);
  },
);

test.each(names)(
  'an identity whose link began before $way is not linked after it',
  async ({ way }) => {
    const { email, id, headers } = await squat();
    const login = `begun-${people}`;
    const { url, cookies } = await begin(project, { path: '/link-social', headers });
    await comeBy(way, email);
    await comeBack(project, await idp.signInAt(url, person(login)), cookies);
    const rows = await project.sql(
      'select 1 from auth.account where "userId" = $1 and "accountId" = $2',
      [id, login],
    );
    expect(rows).toEqual([]);
  },
);

/** Makes the next rows of a table wait until the lock is free that `release` gives back. */
async function pauseInserts(table: 'apikey' | 'account'): Promise<void> {
  const holder = await project.pool.connect();
  await holder.query('select pg_catalog.pg_advisory_lock(4711)');
  await project.sql(`create or replace function public.pause_insert() returns trigger language plpgsql as $$
    begin perform pg_catalog.pg_advisory_xact_lock_shared(4711); return new; end $$`);
  await project.sql(
    `create trigger pause_insert before insert on auth.${table} for each row execute function public.pause_insert()`,
  );
  release = async () => {
    release = () => Promise.resolve();
    await holder.query('select pg_catalog.pg_advisory_unlock(4711)');
    holder.release();
  };
}

/** Waits until an insert waits for the lock. */
async function untilPaused(): Promise<void> {
  const waits = `select 1 from pg_catalog.pg_locks where locktype = 'advisory' and objid = 4711 and not granted`;
  await waitFor(async () => (await project.sql(waits)).length > 0, { until: 'an insert waits' });
}

test.each(names)('an API key that is being made during $way is worth nothing', async ({ way }) => {
  const { email, id, headers } = await squat();
  await pauseInserts('apikey');
  const making = project.post('/api-key/create', { headers, body: { name: 'late' } });
  await untilPaused();
  const coming = comeBy(way, email);
  // Whoever makes a key holds the row of the user, for which the owner waits.
  await Promise.race([coming, new Promise((resolve) => setTimeout(resolve, 300))]);
  await release();
  await Promise.all([making, coming]);
  expect(await project.sql('select 1 from auth.apikey where "referenceId" = $1', [id])).toEqual([]);
});

test.each([{ way: 'a link of a mail' }, { way: 'a link of an administrator' }])(
  'a first password that is being set while the owner follows $way is worth nothing',
  async ({ way }) => {
    people += 1;
    const email = `owner-${people}@example.com`;
    const anonymous = await project.post('/sign-in/anonymous', { body: {} });
    const headers = bearer(textAt(anonymous.body, 'token'));
    const upgraded = await project.post('/upgrade-anonymous', { headers, body: { email } });
    expect(upgraded.status).toBe(200);
    await pauseInserts('account');
    const setting = project.post('/update-password', { headers, body: { newPassword: password } });
    await untilPaused();
    if (way === 'a link of a mail') await comeBy('a link to sign in', email);
    else await comeByAdminLink(email, textAt(anonymous.body, 'user', 'id'));
    await release();
    expect((await setting).status).toBe(409);
    const tried = await project.post('/sign-in/email', { body: { email, password } });
    expect(at(tried.body, 'code')).toBe('INVALID_EMAIL_OR_PASSWORD');
  },
);

test('an identity that is being linked while the owner follows a link opens another account', async () => {
  const { email, id, headers } = await squat();
  const login = `late-${people}`;
  const { url, cookies } = await begin(project, { path: '/link-social', headers });
  const arrival = await idp.signInAt(url, person(login));
  await pauseInserts('account');
  const linking = comeBack(project, arrival, cookies);
  await untilPaused();
  await comeBy('a link to sign in', email);
  await release();
  expect(locationOf(await linking)).toContain('error=CONCURRENT_CHANGE');
  const rows = await project.sql('select 1 from auth.account where "userId" = $1', [id]);
  expect(rows).toEqual([]);
});

test('a key that is made while nobody comes stays', async () => {
  const { headers } = await squat();
  const made = await project.post('/api-key/create', { headers, body: { name: 'mine' } });
  expect(made.status).toBe(200);
  const listed = await project.get('/api-key/list', { headers });
  expect(JSON.stringify(listed.body)).toContain('mine');
});
