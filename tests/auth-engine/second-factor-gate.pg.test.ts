// What a session of the level aal1 cannot do where its user has a second factor.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openAuthProject, password, signUp, type AuthProject } from './auth-project.js';
import { codeOf, enrol, verify, type Enrolled } from './two-factor-people.js';
import { at, bearer, textAt } from '../support/replies.js';

const settings = {
  'auth.twoFactor': { enabled: true, smsCodes: true },
  'auth.apiKey': { enabled: true },
  'auth.phoneOtp': { enabled: true },
  'auth.passkey': { enabled: true, rpId: 'abc.localhost' },
  'auth.sso': { enabled: true },
  'auth.oauth.custom': {
    providers: [
      {
        providerId: 'acme',
        name: 'Acme',
        clientId: 'abc',
        clientSecret: 'secret',
        authorizationUrl: 'https://acme.example/authorize',
        tokenUrl: 'https://acme.example/token',
      },
    ],
  },
};
let project: AuthProject;
beforeAll(async () => {
  project = await openAuthProject({ settings });
});
afterAll(() => project.close());

/** A user with a factor whose session was opened without it, as by a code that was mailed. */
async function lowered(email: string): Promise<Enrolled> {
  const user = await enrol(project, email);
  await project.sql(`update auth.session set aal = 'aal1' where "userId" = $1`, [user.id]);
  return user;
}

const phoneNumber = '+15551230001';
const guarded = [
  { path: '/api-key/create', body: { name: 'key' } },
  { path: '/api-key/update', body: { keyId: 'key', name: 'other' } },
  { path: '/change-password', body: { currentPassword: password, newPassword: 'another horse' } },
  { path: '/update-password', body: { currentPassword: password, newPassword: 'another horse' } },
  { path: '/delete-user', body: { password } },
  { path: '/two-factor/disable', body: { password } },
  { path: '/two-factor/generate-backup-codes', body: { password } },
  { path: '/link-social', body: { provider: 'acme' } },
  { path: '/unlink-account', body: { accountId: 'account' } },
  { path: '/get-access-token', body: { providerId: 'acme' } },
  { path: '/refresh-token', body: { providerId: 'acme' } },
  { path: '/passkey/delete-passkey', body: { id: 'passkey' } },
  {
    path: '/phone-number/verify',
    body: { phoneNumber, code: '123456', updatePhoneNumber: true },
  },
  { path: '/sso/register', body: { providerId: 'corp' } },
  { path: '/sso/update-provider', body: { providerId: 'corp' } },
  { path: '/sso/delete-provider', body: { providerId: 'corp' } },
  { path: '/sso/verify-domain', body: { providerId: 'corp' } },
];
const rowsOf = (id: string) =>
  project.sql(
    `select u.claims, u."phoneNumber", a.password, f."backupCodes",
       (select count(*) from auth.apikey where "referenceId" = u.id) as keys
     from auth."user" u join auth.account a on a."userId" = u.id
     join auth."twoFactor" f on f."userId" = u.id where u.id = $1`,
    [id],
  );

describe('a session of aal1 whose user has a second factor', () => {
  let user: Enrolled;
  beforeAll(async () => {
    user = await lowered('lowered@example.com');
  });

  test.each(guarded)('cannot use $path, and nothing is written', async ({ path, body }) => {
    const before = await rowsOf(user.id);
    const reply = await project.post(path, { body, headers: bearer(user.token) });
    expect([reply.status, at(reply.body, 'code')]).toEqual([403, 'AAL2_REQUIRED']);
    expect(await rowsOf(user.id)).toEqual(before);
  });

  test('cannot list the providers of SSO or begin a passkey', async () => {
    for (const path of ['/sso/providers', '/passkey/generate-register-options']) {
      const reply = await project.get(path, { headers: bearer(user.token) });
      expect([path, reply.status, at(reply.body, 'code')]).toEqual([path, 403, 'AAL2_REQUIRED']);
    }
  });

  test('changes its profile all the same', async () => {
    const reply = await project.post('/update-user', {
      body: { name: 'Lo' },
      headers: bearer(user.token),
    });
    expect(reply.status).toBe(200);
  });
});

test('after a code the same session makes a key, changes the password and deletes the account', async () => {
  const user = await lowered('raised@example.com');
  const headers = bearer(user.token);
  expect((await verify(project, 'totp', codeOf(user.app), { headers })).status).toBe(200);
  const steps = [
    { path: '/api-key/create', body: { name: 'key' } },
    { path: '/update-password', body: { currentPassword: password, newPassword: 'another horse' } },
    { path: '/delete-user', body: { password: 'another horse' } },
  ];
  for (const { path, body } of steps) {
    const reply = await project.post(path, { body, headers });
    expect([path, reply.status]).toEqual([path, 200]);
  }
});

test('the backup code or the code of a mail raises the session as well', async () => {
  const user = await lowered('backup@example.com');
  const headers = bearer(user.token);
  await verify(project, 'backup-code', user.backupCodes[0], { headers });
  const reply = await project.post('/api-key/create', { body: { name: 'key' }, headers });
  expect(reply.status).toBe(200);
});

test('a user without a factor needs none, nor one whose enrolment is not verified', async () => {
  const { body } = await signUp(project, 'plain@example.com');
  const headers = bearer(textAt(body, 'token'));
  await project.post('/two-factor/enable', { body: { password }, headers });
  const reply = await project.post('/api-key/create', { body: { name: 'key' }, headers });
  expect(reply.status).toBe(200);
});

test('while auth.twoFactor is off nobody is asked for what nobody can give', async () => {
  const user = await lowered('switched-off@example.com');
  const via = await project.rebuild({ ...settings, 'auth.twoFactor': { enabled: false } });
  const body = { password };
  const reply = await project.post('/delete-user', { body, headers: bearer(user.token), via });
  expect(reply.status).toBe(200);
});
