// The auth routes of the specification, row by row: what is sent and what comes back.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { assert, attest, makePasskey } from '../auth-engine/software-authenticator.js';
import { codeFor } from '../support/authenticator.js';
import { asRecord } from '../support/deployment.js';
import { type ProjectUnderTest, userPassword } from '../support/project.js';
import { type SmsGateway } from '../support/sms-gateway.js';
import { makeSignedIn, rowsOf, trySignIn, userIn } from './administration.js';
import {
  codeIn,
  cookiesOf,
  done,
  fieldOf,
  mailedCode,
  mailedLink,
  outcomeOf,
  post,
  site,
  type CompleteProject,
  openCompleteProject,
} from './complete-project.js';
import { originOf } from './redirects.js';
import { bearer } from '../support/replies.js';

let complete: CompleteProject;
let sms: SmsGateway;
let project: ProjectUnderTest;
beforeAll(async () => {
  complete = await openCompleteProject();
  ({ sms, project } = complete);
});
afterAll(() => complete.close());

let people = 0;
const newEmail = () => `row${(people += 1)}@example.org`;
const newUser = () => makeSignedIn(project, newEmail());
const get = (path: string, headers = {}) => project.send({ path: `/api/auth${path}`, headers });

/** `token` and `user` with its five fields, as every sign-in answers. */
const signedIn = (email: string, more: object = {}) => ({
  token: expect.any(String),
  user: expect.objectContaining({
    id: expect.stringMatching(/^[a-z0-9]{24}$/),
    email,
    name: expect.any(String),
    role: 'USER',
    status: 'active',
    ...more,
  }),
});

describe('Auth engine routes', () => {
  test('GET /api/auth/get-session: current session and user', async () => {
    const user = await newUser();
    const { body } = await get('/get-session', bearer(user));
    expect(body).toMatchObject({
      session: { token: user.token, userId: user.id, aal: 'aal1', activeOrganizationId: null },
      user: { id: user.id, email: user.email, is_anonymous: false },
    });
    expect(await get('/get-session')).toMatchObject({ status: 200, body: null });
  });

  test('POST /api/auth/sign-up/email: email, password, optional username; sign-in response shape', async () => {
    const email = newEmail();
    const body = { email, password: userPassword, username: 'Given.Name' };
    const reply = await post(project, '/sign-up/email', body);
    expect(reply.body).toMatchObject(signedIn(email, { username: 'Given.Name' }));
    const without = await post(project, '/sign-up/email', {
      ...body,
      email: newEmail(),
      username: undefined,
    });
    expect(userIn(without)['username']).toMatch(/./);
  });

  test('POST /api/auth/sign-in/email: email, password; sign-in response shape', async () => {
    const { email } = await newUser();
    expect((await trySignIn(project, email, userPassword)).body).toMatchObject(signedIn(email));
  });

  test('POST /api/auth/sign-out: ends the session', async () => {
    const user = await newUser();
    expect((await post(project, '/sign-out', {}, bearer(user))).status).toBe(200);
    expect((await get('/get-session', bearer(user))).body).toBeNull();
  });

  test('GET /api/auth/token and /jwks: a signed JWT for the session, and the keys that verify it', async () => {
    const user = await newUser();
    const token = fieldOf(await done(get('/token', bearer(user))), 'token');
    const [header = '', payload = ''] = token.split('.');
    const decode = (part: string) =>
      asRecord(JSON.parse(Buffer.from(part, 'base64url').toString()));
    expect(decode(payload)).toMatchObject({
      sub: user.id,
      role: 'authenticated',
      user_role: 'USER',
    });
    const { keys } = asRecord((await get('/jwks')).body);
    expect(keys).toContainEqual(expect.objectContaining({ kid: decode(header)['kid'] }));
  });
});

describe('Provider callback paths', () => {
  test.each([
    { kind: 'Social', provider: 'github', path: 'callback/github' },
    { kind: 'Custom OIDC / OAuth2', provider: 'acme', path: 'oauth2/callback/acme' },
  ])('$kind: /api/auth/$path on the project domain', async ({ provider, path }) => {
    const body = { provider, callbackURL: site, disableRedirect: true };
    const begun = new URL(fieldOf(await done(post(project, '/sign-in/social', body)), 'url'));
    expect(begun.searchParams.get('redirect_uri')).toBe(`${originOf(project)}/api/auth/${path}`);
    expect(outcomeOf(await get(`/${path}`))).not.toBe('404 NOT_FOUND');
  });
});

describe('Operations carried by plugin routes', () => {
  test('magic link sign-in: email, callbackURL; opening the emailed URL establishes the session', async () => {
    const email = newEmail();
    await done(post(project, '/sign-in/magic-link', { email, callbackURL: `${site}/in` }));
    const link = await mailedLink(project, email);
    const opened = await project.send({
      method: 'POST',
      path: link.pathname,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: link.search.slice(1),
    });
    expect(opened.headers.location).toBe(`${site}/in`);
    const session = await get('/get-session', { cookie: cookiesOf(opened) });
    expect(userIn(session)).toMatchObject({ email, emailVerified: true });
  });

  test('email OTP send: email, type; email OTP sign-in: email, otp', async () => {
    const email = newEmail();
    await done(post(project, '/email-otp/send-verification-otp', { email, type: 'sign-in' }));
    const otp = await mailedCode(project, email);
    const reply = await post(project, '/sign-in/email-otp', { email, otp });
    expect(reply.body).toMatchObject(signedIn(email));
  });

  test('phone OTP send: phoneNumber; phone OTP verify: phoneNumber, code', async () => {
    const phoneNumber = '+15551237777';
    await done(post(project, '/phone-number/send-otp', { phoneNumber }));
    const code = codeIn((await sms.waitForSms(phoneNumber)).text);
    expect(code).toMatch(/^\d{6}$/);
    const reply = await post(project, '/phone-number/verify', { phoneNumber, code });
    expect(reply.body).toMatchObject(signedIn('15551237777@phone.local'));
    const without = await post(project, '/phone-number/send-otp', { phoneNumber: '15551237777' });
    expect(without.status).toBe(400);
  });

  test('native id-token sign-in: the provider must be configured, else an error and no session', async () => {
    const body = { provider: 'apple', idToken: { token: 'a.b.c', nonce: 'n' } };
    const reply = await post(project, '/sign-in/social', body);
    expect(reply.status).toBe(404);
    expect(reply.headers['set-cookie']).toBeUndefined();
  });

  test('passkey register / sign in: registration needs a signed-in user', async () => {
    expect((await get('/passkey/generate-register-options')).status).toBe(401);
    const user = await newUser();
    const passkey = makePasskey();
    const begin = async (kind: string, headers = {}) => {
      const reply = await done(get(`/passkey/generate-${kind}-options`, headers));
      const carried = { 'x-challenge-token': String(reply.headers['x-challenge-token']) };
      const challenge = fieldOf(reply, 'challenge');
      return { carried, ceremony: { challenge, origin: originOf(project), rpId: 'localhost' } };
    };
    const made = await begin('register', bearer(user));
    const registration = { response: attest(passkey, made.ceremony) };
    const headers = { ...bearer(user), ...made.carried };
    await done(post(project, '/passkey/verify-registration', registration, headers));
    const { carried, ceremony } = await begin('authenticate');
    const response = assert(passkey, ceremony);
    const reply = await post(project, '/passkey/verify-authentication', { response }, carried);
    expect(userIn(reply)['id']).toBe(user.id);
  });

  test('two-factor: enable, verify, regenerate backup codes and disable take what the table says', async () => {
    const user = await newUser();
    const ask = (operation: string, body: object, headers: object = bearer(user)) =>
      post(project, `/two-factor/${operation}`, body, { ...headers });
    const password = { password: userPassword };
    const enrolment = await done(ask('enable', password));
    expect(enrolment.body).toMatchObject({
      totpURI: expect.stringMatching(/^otpauth:/),
      secret: expect.any(String),
      backupCodes: expect.arrayContaining([expect.any(String)]),
    });
    await done(ask('verify-totp', { code: codeFor(fieldOf(enrolment, 'totpURI')) }));
    expect((await ask('generate-backup-codes', { password: 'wrong one' })).status).toBe(403);
    const { backupCodes } = asRecord((await done(ask('generate-backup-codes', password))).body);
    // Second factor by email, and the recovery code.
    const challenge = async () => ({
      'x-mfa-token': fieldOf(await trySignIn(project, user.email, userPassword), 'mfaToken'),
    });
    const byMail = await challenge();
    await done(ask('send-otp', { channel: 'email' }, byMail));
    const code = await mailedCode(project, user.email);
    expect((await done(ask('verify-otp', { code }, byMail))).body).toMatchObject(
      signedIn(user.email),
    );
    const [backup] = Array.isArray(backupCodes) ? backupCodes.map(String) : [];
    const byBackup = await ask('verify-backup-code', { code: backup }, await challenge());
    expect(byBackup.body).toMatchObject(signedIn(user.email));
    const { aal } = asRecord(
      asRecord(
        (await get('/get-session', { authorization: `Bearer ${fieldOf(byBackup, 'token')}` })).body,
      )['session'],
    );
    expect(aal).toBe('aal2');
    const last = { authorization: `Bearer ${fieldOf(byBackup, 'token')}` };
    expect((await ask('disable', { password: 'wrong one' }, last)).status).toBe(403);
    await done(ask('disable', password, last));
    expect((await trySignIn(project, user.email, userPassword)).body).toMatchObject(
      signedIn(user.email),
    );
  });

  test('API key create: name; the key is then used as bearer', async () => {
    const user = await newUser();
    const key = fieldOf(
      await done(post(project, '/api-key/create', { name: 'k' }, bearer(user))),
      'key',
    );
    await project.sql('create table if not exists own (id text default auth.uid())');
    const [row] = await project.sql(`select 1 as one from pg_policies where tablename = 'own'`);
    if (!row)
      await project.sql(
        'create policy mine on own to authenticated using (id = auth.uid()) with check (true)',
      );
    const headers = { authorization: `Bearer ${key}`, prefer: 'return=representation' };
    const reply = await project.send({ method: 'POST', path: '/rest/v1/own', body: {}, headers });
    expect(reply.body).toEqual([{ id: user.id }]);
  });

  test('reauthenticate: emails the user a one-time nonce for a password change', async () => {
    const user = await newUser();
    await done(post(project, '/reauthenticate', {}, bearer(user)));
    const body = {
      newPassword: 'another good password',
      nonce: await mailedCode(project, user.email),
    };
    await done(post(project, '/update-password', body, bearer(user)));
    expect((await trySignIn(project, user.email, 'another good password')).status).toBe(200);
    expect((await post(project, '/update-password', body, bearer(user))).status).toBe(400);
  });

  test('resetPasswordForEmail then resetPassword: email, otp, password', async () => {
    const { email } = await newUser();
    await done(post(project, '/email-otp/request-password-reset', { email }));
    const body = {
      email,
      otp: await mailedCode(project, email),
      password: 'another good password',
    };
    await done(post(project, '/email-otp/reset-password', body));
    expect((await trySignIn(project, email, 'another good password')).status).toBe(200);
  });
});

describe('Lifecycle', () => {
  test('(no user), anonymous sign-in: a user with is_anonymous = true and a real session', async () => {
    const guest = await done(post(project, '/sign-in/anonymous', {}));
    const headers = { authorization: `Bearer ${fieldOf(guest, 'token')}` };
    expect(userIn(await get('/get-session', headers))['is_anonymous']).toBe(true);
  });

  test('anonymous user, an email: a permanent account, same user id', async () => {
    const guest = await done(post(project, '/sign-in/anonymous', {}));
    const headers = { authorization: `Bearer ${fieldOf(guest, 'token')}` };
    const email = newEmail();
    await done(post(project, '/upgrade-anonymous', { email, password: userPassword }, headers));
    const user = userIn(await get('/get-session', headers));
    expect(user).toMatchObject({ id: userIn(guest)['id'], email, is_anonymous: false });
  });

  test.each(['inactive', 'deleted'])(
    'user with status %s: any request is refused with 403',
    async (status) => {
      const user = await newUser();
      await rowsOf(project, 'update auth."user" set status = $2 where id = $1', [user.id, status]);
      for (const path of ['/api/auth/get-session', '/rest/v1/anything', '/api/users/']) {
        const method = path === '/api/users/' ? 'DELETE' : 'GET';
        expect((await project.as(user, { method, path })).status).toBe(403);
      }
      expect((await trySignIn(project, user.email, userPassword)).status).toBe(403);
    },
  );
});
