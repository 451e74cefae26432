import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openAuthProject, password, signUp, type AuthProject } from './auth-project.js';
import {
  appOf,
  beginEnrolment,
  challenge,
  codeOf,
  enrol,
  forgetSteps,
  levelOf,
  signIn,
  verify,
} from './two-factor-people.js';
import { at, bearer, textAt } from '../support/replies.js';

let project: AuthProject;
const events: { type: string; data: unknown }[] = [];
beforeAll(async () => {
  project = await openAuthProject({
    settings: { 'auth.twoFactor': { enabled: true, issuer: 'Shop: North', backupCodes: 7 } },
    hooks: { emit: async (type, data) => void events.push({ type, data }) },
  });
});
afterAll(() => project.close());

const post = (path: string, token: string, body: object) =>
  project.post(`/two-factor/${path}`, { body, headers: bearer(token) });

describe('setting up an app', () => {
  test('two-factor enable: password in, TOTP URI, raw secret and backup codes out', async () => {
    const { enrolment } = await beginEnrolment(project, 'enrol@example.com');
    const app = appOf(enrolment);
    expect(app).toMatchObject({ issuer: 'Shop  North', label: 'enrol@example.com', digits: 6 });
    expect(app.secret.base32).toBe(textAt(enrolment, 'secret'));
    const codes = at(enrolment, 'backupCodes');
    expect(codes).toHaveLength(7);
    expect(new Set(Object.values(Object(codes))).size).toBe(7);
  });

  test('guards nothing before its first code, which then keeps session and token', async () => {
    const { email, token, id, enrolment } = await beginEnrolment(project, 'first@example.com');
    expect(at((await signIn(project, email)).body, 'token')).toEqual(expect.any(String));
    const reply = await verify(project, 'totp', codeOf(appOf(enrolment)), {
      headers: bearer(token),
    });
    expect(reply.body).toMatchObject({ token, user: { id } });
    expect(await levelOf(project, token)).toBe('aal2');
    expect(at((await signIn(project, email)).body, 'twoFactorRedirect')).toBe(true);
    expect(events).toContainEqual({ type: 'mfa.enabled', data: { userId: id, method: 'totp' } });
  });

  test('ends the other sessions, which were opened without it', async () => {
    const { email, token, enrolment } = await beginEnrolment(project, 'others@example.com');
    const other = textAt((await signIn(project, email)).body, 'token');
    await verify(project, 'totp', codeOf(appOf(enrolment)), { headers: bearer(token) });
    expect([await levelOf(project, token), await levelOf(project, other)]).toEqual([
      'aal2',
      undefined,
    ]);
  });

  test('can be begun again until then: the last secret counts', async () => {
    const { token, enrolment } = await beginEnrolment(project, 'again@example.com');
    const second = await post('enable', token, { password });
    const headers = bearer(token);
    expect((await verify(project, 'totp', codeOf(appOf(enrolment)), { headers })).status).toBe(400);
    expect((await verify(project, 'totp', codeOf(appOf(second.body)), { headers })).status).toBe(
      200,
    );
  });

  test('is refused while there is one that works', async () => {
    const { token } = await enrol(project, 'twice@example.com');
    const reply = await post('enable', token, { password });
    expect([reply.status, at(reply.body, 'code')]).toEqual([409, 'SECOND_FACTOR_ENABLED']);
  });

  test.each(['backup-code', 'otp'] as const)(
    'is not confirmed by a code of the kind %s',
    async (kind) => {
      const { token, enrolment } = await beginEnrolment(project, `kind-${kind}@example.com`);
      const [code] = Object.values(Object(at(enrolment, 'backupCodes'))).map(String);
      const reply = await verify(project, kind, code, { headers: bearer(token) });
      expect([reply.status, at(reply.body, 'code')]).toEqual([409, 'SECOND_FACTOR_NOT_ENABLED']);
    },
  );

  test.each([
    {
      name: 'a wrong password',
      body: { password: 'wrong password' },
      status: 403,
      code: 'INVALID_PASSWORD',
    },
    { name: 'no password', body: {}, status: 400, code: 'INVALID_INPUT' },
    {
      name: 'another method',
      body: { password, method: 'otp' },
      status: 400,
      code: 'INVALID_INPUT',
    },
    {
      name: 'an unknown field',
      body: { password, verified: true },
      status: 400,
      code: 'FIELD_NOT_ALLOWED',
    },
  ])('is refused with $name', async ({ body, status, code }) => {
    const { body: user } = await signUp(
      project,
      `${code}-${status}-${Object.keys(body).length}@example.com`,
    );
    const reply = await post('enable', textAt(user, 'token'), body);
    expect([reply.status, at(reply.body, 'code')]).toEqual([status, code]);
    expect(
      await project.sql('select from auth."twoFactor" where "userId" = $1', [
        textAt(user, 'user', 'id'),
      ]),
    ).toEqual([]);
  });

  test('needs somebody who is signed in', async () => {
    for (const path of ['enable', 'disable', 'generate-backup-codes']) {
      const reply = await project.post(`/two-factor/${path}`, { body: { password } });
      expect([path, reply.status]).toEqual([path, 401]);
    }
  });
});

describe('at rest', () => {
  test('neither the secret nor a backup code can be read', async () => {
    const { enrolment, id } = await beginEnrolment(project, 'rest@example.com');
    const rows = await project.sql('select * from auth."twoFactor" where "userId" = $1', [id]);
    const stored = JSON.stringify(rows);
    const codes = Object.values(Object(at(enrolment, 'backupCodes'))).map(String);
    for (const shown of [textAt(enrolment, 'secret'), ...codes]) {
      expect(stored).not.toContain(shown);
      expect(stored).not.toContain(shown.replace('-', ''));
    }
  });
});

describe('taking the factor away', () => {
  test('needs password and factor, keeps the session, and lowers its level', async () => {
    const { email, id, token } = await enrol(project, 'disable@example.com');
    const wrong = await post('disable', token, { password: 'wrong password' });
    expect([wrong.status, at(wrong.body, 'code')]).toEqual([403, 'INVALID_PASSWORD']);
    const reply = await post('disable', token, { password });
    expect(reply.body).toEqual({ status: true, token });
    expect(await levelOf(project, token)).toBe('aal1');
    expect(at((await signIn(project, email)).body, 'token')).toEqual(expect.any(String));
    expect(events).toContainEqual({ type: 'mfa.disabled', data: { userId: id, method: 'totp' } });
    const [user] = await project.sql('select "twoFactorEnabled" from auth."user" where id = $1', [
      id,
    ]);
    expect(user).toEqual({ twoFactorEnabled: false });
  });

  test.each(['disable', 'generate-backup-codes'])(
    'is not for a session without it: %s',
    async (path) => {
      const { token } = await enrol(project, `lower-${path}@example.com`);
      await project.sql(`update auth.session set aal = 'aal1' where "tokenHash" = sha256($1)`, [
        token,
      ]);
      const reply = await post(path, token, { password });
      expect([reply.status, at(reply.body, 'code')]).toEqual([403, 'AAL2_REQUIRED']);
    },
  );

  test('a factor that was never confirmed goes without a code', async () => {
    const { token } = await beginEnrolment(project, 'unconfirmed@example.com');
    expect((await post('disable', token, { password })).status).toBe(200);
    expect((await post('disable', token, { password })).status).toBe(409);
  });

  test('by SQL, as an administrator does, ends the same', async () => {
    const { email, id, token } = await enrol(project, 'by-sql@example.com');
    const headers = await challenge(project, email);
    await project.sql('delete from auth."twoFactor" where "userId" = $1', [id]);
    expect(await levelOf(project, token)).toBe('aal1');
    const [user] = await project.sql('select "twoFactorEnabled" from auth."user" where id = $1', [
      id,
    ]);
    expect(user).toEqual({ twoFactorEnabled: false });
    expect((await verify(project, 'totp', '000000', { headers })).status).toBe(401);
  });

  test('a user with a factor can be deleted', async () => {
    const { id } = await enrol(project, 'deleted@example.com');
    await project.sql('delete from auth."user" where id = $1', [id]);
    expect(await project.sql('select from auth."twoFactor" where "userId" = $1', [id])).toEqual([]);
  });
});

describe('GET /two-factor/status', () => {
  const status = async (token: string) =>
    (await project.get('/two-factor/status', { headers: bearer(token) })).body;

  test('tells of a factor that works, and of the backup codes that are left', async () => {
    const { token, backupCodes, id } = await enrol(project, 'status@example.com');
    await verify(project, 'backup-code', backupCodes[0], { headers: bearer(token) });
    await forgetSteps(project, id);
    expect(await status(token)).toEqual({
      enabled: true,
      methods: ['totp'],
      otpChannels: [],
      backupCodesLeft: 6,
      factor: {
        id: expect.any(String),
        type: 'totp',
        status: 'verified',
        createdAt: expect.any(String),
      },
    });
  });

  test('tells of one that waits for its first code, and of none', async () => {
    const { token } = await beginEnrolment(project, 'waiting@example.com');
    expect(await status(token)).toMatchObject({ enabled: false, factor: { status: 'unverified' } });
    const { body } = await signUp(project, 'none@example.com');
    expect(await status(textAt(body, 'token'))).toEqual({
      enabled: false,
      methods: [],
      otpChannels: [],
      backupCodesLeft: 0,
      factor: null,
    });
  });
});

test('new backup codes take the place of all old ones', async () => {
  const { token, backupCodes } = await enrol(project, 'regenerate@example.com');
  const headers = bearer(token);
  const reply = await post('generate-backup-codes', token, { password });
  const fresh = Object.values(Object(at(reply.body, 'backupCodes'))).map(String);
  expect(fresh).toHaveLength(7);
  expect((await verify(project, 'backup-code', backupCodes[0], { headers })).status).toBe(400);
  expect((await verify(project, 'backup-code', fresh[0], { headers })).status).toBe(200);
});
