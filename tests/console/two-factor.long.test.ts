import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startConsole, testPassword, type TestConsole } from './console-under-test.js';
import { enrolOperator, loginWith, secondFactor } from './second-factor.js';
import { totp } from './totp.js';

let site: TestConsole;
beforeAll(async () => {
  site = await startConsole();
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
});

const login = (email: string) => loginWith(site, email);
const twoFactor = (verb: string, token: string | undefined, body: unknown) =>
  secondFactor(site, verb, { token, body });
const enrol = () => enrolOperator(site);
const isOpen = async (token: string) =>
  (await site.call('GET', '/platform/sessions', { token })).status === 200;

describe('enrolment', () => {
  test('gives the URI, the key in it and ten backup codes, and counts once a code confirms it', async () => {
    const { email, password } = await site.addOperator();
    const token = await site.signIn(email, password);
    const { status, body } = await twoFactor('enable', token, { password });
    expect(status).toBe(200);
    expect(Object.keys(body).toSorted()).toEqual(['backupCodes', 'secret', 'totpURI']);
    expect(body.totpURI).toMatch(/^otpauth:\/\/totp\/Rowhouse/);
    expect(new URL(body.totpURI).searchParams.get('secret')).toBe(body.secret);
    expect(new Set(body.backupCodes).size).toBe(10);
    expect((await login(email)).body.twoFactor).toBe(false);

    const confirmed = await twoFactor('verify-totp', token, { code: totp(body.secret) });
    expect(confirmed).toMatchObject({ status: 200, body: { mustChangePassword: false } });
    expect(await isOpen(confirmed.body.token)).toBe(true);
    expect((await login(email)).body.twoFactor).toBe(true);
  });

  test('ends the sessions that were opened without the second factor', async () => {
    const { email, password } = await site.addOperator();
    const [other, token] = [await site.signIn(email, password), await site.signIn(email, password)];
    const { body } = await twoFactor('enable', token, { password });
    const confirmed = await twoFactor('verify-totp', token, { code: totp(body.secret) });
    expect(await isOpen(other)).toBe(false);
    expect(await isOpen(token)).toBe(false);
    expect(await isOpen(confirmed.body.token)).toBe(true);
  });

  test('is refused twice', async () => {
    const { token } = await enrol();
    const reply = await twoFactor('enable', token, { password: testPassword });
    expect(reply).toMatchObject({ status: 409, body: { code: 'SECOND_FACTOR_ENABLED' } });
  });

  test.each(['enable', 'disable', 'generate-backup-codes'])(
    '%s needs the current password, and counts wrong ones',
    async (verb) => {
      const { token } = await enrol();
      for (let n = 0; n < 10; n++) {
        const reply = await twoFactor(verb, token, { password: 'wrong' });
        expect(reply).toMatchObject({ status: 400, body: { code: 'WRONG_PASSWORD' } });
      }
      expect((await twoFactor(verb, token, { password: testPassword })).status).toBe(423);
    },
  );

  test('is undone by disable, which keeps the session', async () => {
    const { email, token } = await enrol();
    const reply = await twoFactor('disable', token, { password: testPassword });
    expect(reply.status).toBe(200);
    expect(await isOpen(reply.body.token)).toBe(true);
    expect((await login(email)).body.twoFactor).toBe(false);
  });
});

describe('the challenge of a login', () => {
  test('opens nothing but the second factor', async () => {
    const { email } = await enrol();
    const { body } = await login(email);
    expect(body).toEqual({
      token: expect.any(String),
      twoFactor: true,
      mustChangePassword: false,
    });
    const reply = await site.call('GET', '/platform/sessions', { token: body.token });
    expect(reply).toMatchObject({ status: 401, body: { code: 'TWO_FACTOR_REQUIRED' } });
  });

  test('becomes a session with the right code, once', async () => {
    const { email, secret } = await enrol();
    const { body } = await login(email);
    const code = totp(secret, 1);
    const reply = await twoFactor('verify-totp', body.token, { code });
    expect(reply).toMatchObject({ status: 200, body: { mustChangePassword: false } });
    expect(reply.body.trustToken).toBeUndefined();
    expect(await isOpen(reply.body.token)).toBe(true);
    const again = await twoFactor('verify-totp', body.token, { code: totp(secret, 1) });
    expect(again.status).toBe(401);
  });

  test('refuses a code that was used before, also by two at once', async () => {
    const { email, secret } = await enrol();
    const code = totp(secret, 1);
    const challenges = await Promise.all([login(email), login(email), login(email)]);
    const replies = await Promise.all(
      challenges.map(({ body }) => twoFactor('verify-totp', body.token, { code })),
    );
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
    const { body } = await login(email);
    const replay = await twoFactor('verify-totp', body.token, { code });
    expect(replay).toMatchObject({ status: 400, body: { code: 'INVALID_CODE' } });
  });

  test('does not survive five wrong codes', async () => {
    const { email, secret } = await enrol();
    const { body } = await login(email);
    for (const code of ['000001', '000002', '000003', '000004', '000005']) {
      expect((await twoFactor('verify-totp', body.token, { code })).status).toBe(400);
    }
    const reply = await twoFactor('verify-totp', body.token, { code: totp(secret, 1) });
    expect(reply.status).toBe(401);
  });

  test('is closed by wrong codes for their own network and not for another one', async () => {
    const { email, secret } = await enrol();
    const guess = { 'x-forwarded-for': '198.51.100.77' };
    for (let n = 0; n < 10; n++) {
      const { body } = await login(email);
      const code = `00002${n}`;
      await site.call('POST', '/auth/two-factor/verify-totp', {
        token: body.token,
        headers: guess,
        body: { code },
      });
    }
    const { body } = await login(email);
    const reply = await twoFactor('verify-totp', body.token, { code: totp(secret, 1) });
    expect(reply.status).toBe(200);
  });

  test('locks the operator after ten wrong codes over several challenges', async () => {
    const { email, secret } = await enrol();
    for (let n = 0; n < 10; n++) {
      const { body } = await login(email);
      await twoFactor('verify-totp', body.token, { code: `00001${n}` });
    }
    const { body } = await login(email);
    const reply = await twoFactor('verify-totp', body.token, { code: totp(secret, 1) });
    expect(reply).toMatchObject({ status: 423, body: { code: 'ACCOUNT_LOCKED' } });
  });

  test.each([
    { name: 'none', forge: () => undefined },
    { name: 'an unknown one', forge: () => '2fa-unknown.c2lnbmF0dXJl' },
    { name: 'one with a changed signature', forge: (token: string) => `${token.slice(0, -3)}AA=` },
    { name: 'one without its signature', forge: (token: string) => token.split('.')[0] },
  ])('is needed as it was given: $name', async ({ forge }) => {
    const { email, secret } = await enrol();
    const { body } = await login(email);
    const reply = await twoFactor('verify-totp', forge(body.token), { code: totp(secret, 1) });
    expect(reply).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } });
  });

  test('is of no use to an operator who is disabled meanwhile', async () => {
    const { id, email, secret } = await enrol();
    const { body } = await login(email);
    await site.fixture.controlPlane.dataSource.query(
      "update operator set status = 'disabled' where id = $1",
      [id],
    );
    const reply = await twoFactor('verify-totp', body.token, { code: totp(secret, 1) });
    expect(reply).toMatchObject({ status: 403, body: { code: 'USER_INACTIVE' } });
  });
});

describe('backup codes', () => {
  test('work once each, in place of a code', async () => {
    const { email, backupCodes } = await enrol();
    const use = async (code: string | undefined) => {
      const { body } = await login(email);
      return twoFactor('verify-backup-code', body.token, { code });
    };
    const first = await use(backupCodes[0]);
    expect(first.status).toBe(200);
    expect(await isOpen(first.body.token)).toBe(true);
    expect(await use(backupCodes[0])).toMatchObject({
      status: 400,
      body: { code: 'INVALID_CODE' },
    });
    expect((await use(backupCodes[1])).status).toBe(200);
  });

  test('die when new ones are made', async () => {
    const { email, token, backupCodes } = await enrol();
    const { body } = await twoFactor('generate-backup-codes', token, { password: testPassword });
    expect(body.backupCodes).toHaveLength(10);
    const challenge = (await login(email)).body.token;
    const withOld = await twoFactor('verify-backup-code', challenge, { code: backupCodes[0] });
    expect(withOld.status).toBe(400);
    const withNew = await twoFactor('verify-backup-code', challenge, { code: body.backupCodes[0] });
    expect(withNew.status).toBe(200);
  });

  test('are nothing that a session could try', async () => {
    const { token, backupCodes } = await enrol();
    const reply = await twoFactor('verify-backup-code', token, { code: backupCodes[0] });
    expect(reply.status).toBe(401);
  });
});

test('the audit log knows when a second factor came and went', async () => {
  const { id, token } = await enrol();
  await twoFactor('disable', token, { password: testPassword });
  const rows: { action: string }[] = await site.fixture.controlPlane.dataSource.query(
    'select action from audit_entry where target = $1 order by id',
    [id],
  );
  expect(rows.map(({ action }) => action)).toEqual([
    'operator.second-factor.enable',
    'operator.second-factor.disable',
  ]);
});
