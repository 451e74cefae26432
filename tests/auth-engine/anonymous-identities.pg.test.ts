// Guests who link an identity at a provider.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OidcIdentityProvider } from '../support/oidc-identity-provider.js';
import { openAuthProject, signUp, type AuthProject } from './auth-project.js';
import {
  baseUrl,
  callAnybody,
  customEntry,
  locationOf,
  openProvider,
  person,
  settingsWith,
  signIn,
} from './oauth-flow.js';
import { bearer, textAt } from '../support/replies.js';

const done = 'https://app.example.com/done';
let idp: OidcIdentityProvider;
let project: AuthProject;
const settings = () => ({
  ...settingsWith(customEntry(idp)),
  'auth.methods.anonymous': { enabled: true },
  'auth.signup': { blockedEmailDomains: ['refused.example'] },
});

beforeAll(async () => {
  idp = await openProvider();
  project = await openAuthProject({ settings: settings(), call: callAnybody, baseUrl });
});
afterAll(async () => {
  await project.close();
  await idp.close();
});

async function newGuest() {
  const { body } = await project.post('/sign-in/anonymous', { body: {} });
  return { id: textAt(body, 'user', 'id'), headers: bearer(textAt(body, 'token')) };
}

async function userRow(id: string) {
  const [row] = await project.sql(
    'select email, "emailVerified", "isAnonymous" from auth."user" where id = $1',
    [id],
  );
  return row;
}

const guestAddress = expect.stringMatching(/@anonymous\.local$/);

test.each([
  {
    name: 'takes over the address that the provider has verified',
    login: 'ann',
    email: 'Ann@People.example',
    expected: { email: 'ann@people.example', emailVerified: true },
  },
  {
    name: 'keeps its own when the address is taken',
    login: 'bob',
    email: 'taken@people.example',
    expected: { email: guestAddress, emailVerified: false },
  },
  {
    name: 'keeps its own when the address may not sign up',
    login: 'cat',
    email: 'cat@refused.example',
    expected: { email: guestAddress, emailVerified: false },
  },
])('a guest who links an identity is permanent, and $name', async ({ login, email, expected }) => {
  await signUp(project, 'taken@people.example').catch(() => undefined);
  const guest = await newGuest();
  const reply = await signIn(project, idp, person(login, { email }), {
    path: '/link-social',
    headers: guest.headers,
  });
  expect(locationOf(reply)).toBe(done);
  expect(await userRow(guest.id)).toEqual({ isAnonymous: false, ...expected });
  const who = await project.get('/get-session', { headers: guest.headers });
  expect(textAt(who.body, 'user', 'id')).toBe(guest.id);
  await project.sql('delete from auth.session where "userId" = $1', [guest.id]);
  await signIn(project, idp, person(login, { email }));
  const sessions = await project.sql('select 1 from auth.session where "userId" = $1', [guest.id]);
  expect(sessions).toHaveLength(1);
});

test('a guest who has linked an identity may still name its address, once', async () => {
  const guest = await newGuest();
  await signIn(project, idp, person('dan', { email: 'dan@refused.example' }), {
    path: '/link-social',
    headers: guest.headers,
  });
  const upgrade = (email: string) =>
    project.post('/upgrade-anonymous', { headers: guest.headers, body: { email } });
  expect((await upgrade('dan@people.example')).status).toBe(200);
  expect((await upgrade('dan2@people.example')).status).toBe(400);
  expect(await userRow(guest.id)).toMatchObject({ email: 'dan@people.example' });
});

test('who signs in at a provider without being a guest is no guest’s heir', async () => {
  const guest = await newGuest();
  await signIn(project, idp, person('eve'));
  expect(await userRow(guest.id)).toMatchObject({ isAnonymous: true });
});
