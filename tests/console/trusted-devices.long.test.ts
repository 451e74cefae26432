import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startConsole, testPassword, type TestConsole } from './console-under-test.js';
import { enrolOperator, type EnrolledOperator, loginWith, secondFactor } from './second-factor.js';
import { totp } from './totp.js';

let site: TestConsole;
beforeAll(async () => {
  site = await startConsole();
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
});

const login = (email: string, trustToken?: string) => loginWith(site, email, trustToken);
const twoFactor = (verb: string, token: string | undefined, body: unknown) =>
  secondFactor(site, verb, { token, body });
const enrol = () => enrolOperator(site);
const isOpen = async (token: string) =>
  (await site.call('GET', '/platform/sessions', { token })).status === 200;

describe('a trusted device', () => {
  const trust = async (operator: EnrolledOperator) => {
    const { body } = await login(operator.email);
    const code = totp(operator.secret, 1);
    const reply = await twoFactor('verify-totp', body.token, { code, trustDevice: true });
    expect(reply.body.trustToken).toEqual(expect.any(String));
    return reply.body as { token: string; trustToken: string }; // Checked by the line above.
  };
  const devices = (token: string) =>
    site.call('GET', '/auth/two-factor/trusted-devices', { token });

  test('skips the second factor, and is given a new token each time', async () => {
    const operator = await enrol();
    const { trustToken } = await trust(operator);
    const reply = await login(operator.email, trustToken);
    expect(reply.body).toEqual({
      token: expect.any(String),
      twoFactor: false,
      mustChangePassword: false,
      trustToken: expect.any(String),
    });
    expect(await isOpen(reply.body.token)).toBe(true);
    expect((await login(operator.email, trustToken)).body.twoFactor).toBe(true);
    expect((await login(operator.email, reply.body.trustToken)).body.twoFactor).toBe(false);
  });

  test('signs in from an address that wrong passwords have closed', async () => {
    const operator = await enrol();
    const { trustToken } = await trust(operator);
    const { email } = operator;
    const body = { email, password: 'wrong' };
    for (let n = 0; n < 10; n++) await site.call('POST', '/platform/login', { body });
    expect((await login(email)).status).toBe(423);
    expect((await login(email, trustToken)).status).toBe(200);
  });

  test('is bound to its operator', async () => {
    const { trustToken } = await trust(await enrol());
    const other = await enrol();
    expect((await login(other.email, trustToken)).body.twoFactor).toBe(true);
  });

  test('is not made by a token that nobody gave out', async () => {
    const operator = await enrol();
    const { trustToken } = await trust(operator);
    const forged = `${trustToken.slice(0, -3)}AA=`;
    expect((await login(operator.email, forged)).body.twoFactor).toBe(true);
    expect((await login(operator.email, 'nonsense')).body.twoFactor).toBe(true);
  });

  test('is listed without its token, and can be forgotten by its own operator only', async () => {
    const operator = await enrol();
    const { token, trustToken } = await trust(operator);
    const list = await devices(token);
    expect(list.body).toEqual([
      {
        id: expect.any(String),
        userAgent: 'test',
        ip: '127.0.0.1',
        lastUsedAt: expect.any(String),
        expiresAt: expect.any(String),
      },
    ]);
    const path = `/auth/two-factor/trusted-devices/${list.body[0].id}`;
    const stranger = await enrol();
    expect((await site.call('DELETE', path, { token: stranger.token })).status).toBe(404);
    expect((await site.call('DELETE', path, { token })).status).toBe(204);
    expect((await login(operator.email, trustToken)).body.twoFactor).toBe(true);
  });

  test.each([
    {
      name: 'the password changes',
      end: (token: string) =>
        site.call('POST', '/platform/password', {
          token,
          body: { currentPassword: testPassword, newPassword: 'another long password' },
        }),
    },
    {
      name: 'the second factor is disabled',
      end: (token: string) => twoFactor('disable', token, { password: testPassword }),
    },
  ])('is forgotten when $name', async ({ end }) => {
    const operator = await enrol();
    const { token } = await trust(operator);
    expect((await end(token)).status).toBeLessThan(300);
    const rows: unknown[] = await site.fixture.controlPlane.dataSource.query(
      `select from operator_verification where value = $1 and identifier like 'trust-device-%'`,
      [operator.id],
    );
    expect(rows).toHaveLength(0);
  });
});
