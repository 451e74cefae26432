import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cookieOf, openAuthProject, password, type AuthProject } from './auth-project.js';
import {
  challenge,
  codeOf,
  enrol,
  forgetSteps,
  levelOf,
  signIn,
  verify,
  type Enrolled,
} from './two-factor-people.js';
import { at, bearer, textAt } from '../support/replies.js';

let project: AuthProject;
let ada: Enrolled;
const events: { type: string; data: unknown }[] = [];
beforeAll(async () => {
  project = await openAuthProject({
    settings: { 'auth.twoFactor': { enabled: true }, 'auth.phoneOtp': { enabled: true } },
    hooks: { emit: async (type, data) => void events.push({ type, data }) },
  });
  ada = await enrol(project, 'ada@example.com');
});
afterAll(() => project.close());

const sessionsOf = async ({ id }: Enrolled) =>
  (await project.sql('select from auth.session where "userId" = $1', [id])).length;

const origin = { origin: 'http://abc.localhost:8000' };
const cookiesOf = (reply: { readonly headers: Headers }) =>
  reply.headers
    .getSetCookie()
    .map((line) => line.split(';')[0] ?? '')
    .join('; ');

describe('a right password', () => {
  test('is answered with a challenge and opens no session', async () => {
    const before = [await sessionsOf(ada), events.length];
    const reply = await signIn(project, ada.email);
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        twoFactorRedirect: true,
        twoFactorMethods: ['totp'],
        otpChannels: [],
        mfaToken: reply.headers.get('x-mfa-token'),
      },
    ]);
    expect([await sessionsOf(ada), events.length]).toEqual(before);
  });

  test('leaks no token: neither in a header nor in a cookie', async () => {
    const reply = await signIn(project, ada.email);
    expect(reply.headers.get('set-auth-token')).toBeNull();
    const lines = reply.headers.getSetCookie().filter((line) => line.includes('session_token'));
    // A browser that was signed in as somebody else is so no longer.
    expect(lines).toEqual([expect.stringMatching(/session_token=;.*Max-Age=0/i)]);
  });

  test('its challenge is no session', async () => {
    const { 'x-mfa-token': token = '' } = await challenge(project, ada.email);
    expect((await project.get('/get-session', { headers: bearer(token) })).body).toBeNull();
    expect((await project.get('/two-factor/status', { headers: bearer(token) })).status).toBe(401);
  });

  test('by phone number is answered the same', async () => {
    await project.sql(
      `update auth."user" set "phoneNumber" = '+15551270001', "phoneNumberVerified" = true where id = $1`,
      [ada.id],
    );
    const body = { phoneNumber: '+15551270001', password };
    const reply = await project.post('/sign-in/phone-number', { body });
    expect(at(reply.body, 'twoFactorRedirect')).toBe(true);
  });

  test('that is wrong is not', async () => {
    const body = { email: ada.email, password: 'wrong password' };
    expect((await project.post('/sign-in/email', { body })).status).toBe(401);
  });
});

describe('the code of the app', () => {
  test('opens a session of the second level', async () => {
    await forgetSteps(project, ada.id);
    const headers = await challenge(project, ada.email);
    const reply = await verify(project, 'totp', codeOf(ada.app), { headers });
    expect(reply.status).toBe(200);
    expect(Object.keys(Object(reply.body)).sort()).toEqual(['token', 'user']);
    expect(at(reply.body, 'user', 'id')).toBe(ada.id);
    const token = textAt(reply.body, 'token');
    expect(await levelOf(project, token)).toBe('aal2');
    const minted = await project.get('/token', { headers: bearer(token) });
    const [, claims = ''] = textAt(minted.body, 'token').split('.');
    expect(at(JSON.parse(Buffer.from(claims, 'base64url').toString()), 'aal')).toBe('aal2');
  });

  test('works by cookies alone, as in a browser', async () => {
    await forgetSteps(project, ada.id);
    const asked = await signIn(project, ada.email);
    const headers = { cookie: cookiesOf(asked), ...origin };
    const reply = await verify(project, 'totp', codeOf(ada.app), { headers });
    expect(reply.status).toBe(200);
    const session = await project.get('/get-session', { headers: { cookie: cookieOf(reply) } });
    expect(at(session.body, 'session', 'aal')).toBe('aal2');
  });

  test('is taken with spaces', async () => {
    await forgetSteps(project, ada.id);
    const code = codeOf(ada.app);
    const headers = await challenge(project, ada.email);
    const typed = `${code.slice(0, 3)} ${code.slice(3)}`;
    expect((await verify(project, 'totp', typed, { headers })).status).toBe(200);
  });

  test('TOTP replay: a code is taken once, and none of an earlier step after it', async () => {
    await forgetSteps(project, ada.id);
    const attempt = async (code: string) =>
      verify(project, 'totp', code, { headers: await challenge(project, ada.email) });
    const [earlier, now] = [codeOf(ada.app, -1), codeOf(ada.app)];
    expect((await attempt(now)).status).toBe(200);
    const again = await attempt(now);
    expect([again.status, at(again.body, 'code')]).toEqual([400, 'INVALID_CODE']);
    expect((await attempt(earlier)).status).toBe(400);
    expect((await attempt(codeOf(ada.app, 1))).status).toBe(200);
  });

  test('TOTP replay: one of many sign-ins at once succeeds', async () => {
    await forgetSteps(project, ada.id);
    const code = codeOf(ada.app);
    const all = await Promise.all(Array.from({ length: 6 }, () => challenge(project, ada.email)));
    const replies = await Promise.all(
      all.map((headers) => verify(project, 'totp', code, { headers })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('a challenge opens one session, with whatever factors at once', async () => {
    await forgetSteps(project, ada.id);
    const before = await sessionsOf(ada);
    const headers = await challenge(project, ada.email);
    const replies = await Promise.all([
      verify(project, 'totp', codeOf(ada.app), { headers }),
      verify(project, 'backup-code', ada.backupCodes[0], { headers }),
      verify(project, 'backup-code', ada.backupCodes[1], { headers }),
    ]);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await sessionsOf(ada)).toBe(before + 1);
  });

  test.each(['', 'no-such-challenge'])('without a challenge (%j) opens none', async (token) => {
    const headers = token === '' ? {} : { 'x-mfa-token': token };
    const reply = await verify(project, 'totp', codeOf(ada.app), { headers });
    expect([reply.status, at(reply.body, 'code')]).toEqual([401, 'CHALLENGE_EXPIRED']);
  });

  test('opens none when the challenge has expired', async () => {
    const headers = await challenge(project, ada.email);
    await project.sql('update auth.second_factor_challenge set expires_at = now()');
    const reply = await verify(project, 'backup-code', ada.backupCodes[2], { headers });
    expect([reply.status, at(reply.body, 'code')]).toEqual([401, 'CHALLENGE_EXPIRED']);
  });

  test('opens none for the password of before a change', async () => {
    const user = await enrol(project, 'changed@example.com');
    const headers = await challenge(project, user.email);
    const body = { currentPassword: password, newPassword: 'another password' };
    const changed = await project.post('/update-password', { body, headers: bearer(user.token) });
    expect(changed.status).toBe(200);
    expect((await verify(project, 'totp', codeOf(user.app), { headers })).status).toBe(401);
  });

  test('opens none for a user who is inactive meanwhile', async () => {
    const user = await enrol(project, 'inactive@example.com');
    const headers = await challenge(project, user.email);
    await project.sql(`update auth."user" set status = 'inactive' where id = $1`, [user.id]);
    const reply = await verify(project, 'totp', codeOf(user.app), { headers });
    expect([reply.status, at(reply.body, 'code')]).toEqual([403, 'USER_INACTIVE']);
  });

  test('of another user completes nothing', async () => {
    const eve = await enrol(project, 'eve@example.com');
    const headers = await challenge(project, ada.email);
    expect((await verify(project, 'totp', codeOf(eve.app), { headers })).status).toBe(400);
    expect((await verify(project, 'backup-code', eve.backupCodes[0], { headers })).status).toBe(
      400,
    );
  });

  test('goes to the sign-in that waits, not to the session beside it', async () => {
    const other = await enrol(project, 'other@example.com');
    await forgetSteps(project, ada.id);
    const headers = { ...(await challenge(project, ada.email)), ...bearer(other.token) };
    const reply = await verify(project, 'totp', codeOf(ada.app), { headers });
    expect(at(reply.body, 'user', 'id')).toBe(ada.id);
  });
});

test('a session that is not to be remembered ends after a day', async () => {
  await forgetSteps(project, ada.id);
  const body = { email: ada.email, password, rememberMe: false };
  const asked = await project.post('/sign-in/email', { body });
  const headers = { 'x-mfa-token': textAt(asked.body, 'mfaToken') };
  const reply = await verify(project, 'totp', codeOf(ada.app), { headers });
  const [row] = await project.sql(
    `select "expiresAt" < now() + interval '25 hours' as "isShort" from auth.session where "tokenHash" = sha256($1)`,
    [textAt(reply.body, 'token')],
  );
  expect(row).toEqual({ isShort: true });
});

test('sign-ins without a password are not asked, and are of the first level', async () => {
  const phoneNumber = '+15551270001';
  await project.post('/phone-number/send-otp', { body: { phoneNumber } });
  const code = project.texts.at(-1)?.code;
  const reply = await project.post('/phone-number/verify', { body: { phoneNumber, code } });
  expect(at(reply.body, 'user', 'id')).toBe(ada.id);
  expect(await levelOf(project, textAt(reply.body, 'token'))).toBe('aal1');
});

test('guesses at once from one network, over many challenges, are ten in 15 minutes', async () => {
  const user = await enrol(project, 'guessed@example.com');
  const headers = await challenge(project, user.email);
  const other = await challenge(project, user.email);
  const replies = await Promise.all(
    Array.from({ length: 24 }, (_, i) =>
      verify(project, i % 2 ? 'totp' : 'backup-code', '000000', {
        headers: i % 3 ? headers : other,
      }),
    ),
  );
  const statuses = replies.map(({ status }) => status);
  expect(statuses.filter((status) => status === 400)).toHaveLength(10);
  expect(statuses.filter((status) => status === 429)).toHaveLength(14);
  const right = await verify(project, 'totp', codeOf(user.app), { headers });
  expect([right.status, at(right.body, 'code')]).toEqual([429, 'RATE_LIMITED']);
  expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(800);
  const body = { code: codeOf(user.app) };
  const elsewhere = { body, headers, ip: '198.51.100.1' };
  expect((await project.post('/two-factor/verify-totp', elsewhere)).status).toBe(200);
});

test('with the group off a password is enough again, and the routes are gone', async () => {
  const via = await project.rebuild({ 'auth.twoFactor': { enabled: false } });
  const reply = await project.post('/sign-in/email', { body: { email: ada.email, password }, via });
  expect(await levelOf(project, textAt(reply.body, 'token'))).toBe('aal1');
  for (const path of [
    'enable',
    'disable',
    'verify-totp',
    'verify-otp',
    'verify-backup-code',
    'send-otp',
  ]) {
    const gone = await project.post(`/two-factor/${path}`, { body: {}, via });
    expect([path, gone.status]).toEqual([path, 404]);
  }
  expect((await project.get('/two-factor/status', { via })).status).toBe(404);
});
