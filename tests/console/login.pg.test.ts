import { hash as argon2 } from '@node-rs/argon2';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startConsole, type TestConsole } from './console-under-test.js';
import { enrolOperator, loginWith, secondFactor } from './second-factor.js';
import { totp } from './totp.js';

let site: TestConsole;
beforeAll(async () => {
  site = await startConsole();
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
});

const login = (body: unknown, from = '192.0.2.1') =>
  site.call('POST', '/platform/login', { body, headers: { 'x-forwarded-for': from } });

describe('login', () => {
  test('gives a session token, and says what comes next', async () => {
    const reply = await login(site.admin);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      token: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
      twoFactor: false,
      mustChangePassword: false,
    });
    expect(reply.headers['set-cookie']).toBeUndefined();
    expect(reply.headers['cache-control']).toBe('no-store');
  });

  test('takes the email address in any case', async () => {
    const reply = await login({ ...site.admin, email: site.admin.email.toUpperCase() });
    expect(reply.status).toBe(200);
  });

  test('answers an unknown address, a wrong and an overlong password alike', async () => {
    const { id, email } = await site.addOperator();
    const replies = [
      await login({ email: 'nobody@test.example', password: 'x'.repeat(20) }),
      await login({ email, password: 'x'.repeat(20) }),
      await login({ email, password: 'x'.repeat(200) }),
    ];
    await site.fixture.controlPlane.dataSource.query(
      'delete from operator_account where operator_id = $1',
      [id],
    );
    replies.push(await login({ email, password: 'x'.repeat(20) }));
    const shown = replies.map(({ status, body }) => ({ status, ...body, requestId: '' }));
    expect(shown[0]).toMatchObject({ status: 401, code: 'INVALID_CREDENTIALS' });
    for (const reply of shown) expect(reply).toEqual(shown[0]);
  });

  describe('takes a password in every form of its letters', () => {
    const composed = 'caf\u00e9 of the operator';
    const decomposed = composed.normalize('NFD');
    const statuses = async (email: string, passwords: readonly string[]) => {
      const seen: number[] = [];
      for (const password of passwords) seen.push((await login({ email, password })).status);
      return seen;
    };

    test('that was changed', async () => {
      const { email, password } = await site.addOperator();
      const token = await site.signIn(email, password);
      const change = (currentPassword: string, newPassword: string) =>
        site.call('POST', '/platform/password', { token, body: { currentPassword, newPassword } });
      const short = await change(password, 'e\u0301'.repeat(11));
      expect(short).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } });
      expect((await change(password, decomposed)).status).toBeLessThan(300);
      expect(await statuses(email, [composed, decomposed])).toEqual([200, 200]);
      expect(await change(composed, decomposed)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_INPUT' },
      });
    });

    test('whose hash was made of the text as it was sent', async () => {
      const { id, email } = await site.addOperator();
      const old = await argon2(decomposed, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
      await site.fixture.controlPlane.dataSource.query(
        'update operator_account set password = $1 where operator_id = $2',
        [old, id],
      );
      const forms = [composed, decomposed, composed, decomposed];
      expect(await statuses(email, forms)).toEqual([401, 200, 200, 200]);
    });
  });

  test.each([
    { name: 'no email address', body: { password: 'x' }, code: 'INVALID_INPUT', field: 'email' },
    {
      name: 'a password that is no text',
      body: { email: 'a@b.example', password: 1 },
      code: 'INVALID_INPUT',
      field: 'password',
    },
    {
      name: 'a field too many',
      body: { email: 'a@b.example', password: 'x', role: 'owner' },
      code: 'UNKNOWN_FIELD',
      field: 'role',
    },
  ])('refuses $name', async ({ body, code, field }) => {
    const reply = await login(body);
    expect(reply).toMatchObject({ status: 400, body: { code } });
    expect(reply.body.message).toContain(field);
  });

  test.each([
    '/platform/login',
    '/auth/two-factor/verify-totp',
    '/auth/two-factor/verify-backup-code',
    '/platform/operators/invitations/accept',
  ])('counts the requests of a network to %s before it reads a body', async (path) => {
    const from = '203.0.113.9';
    const call = (body: string, address: string) =>
      site.call('POST', path, { body, headers: { 'x-forwarded-for': address } });
    for (let sent = 0; sent < 300; sent += 1) expect((await call('{', from)).status).toBe(400);
    // Read first, it would be refused as too large.
    const large = JSON.stringify({ email: 'a'.repeat(70_000) });
    const refused = await call(large, from);
    expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await call(large, '203.0.113.10')).status).toBe(413);
  });

  test('refuses a body that is not JSON', async () => {
    expect(await login('{"email"')).toMatchObject({ status: 400, body: { code: 'INVALID_JSON' } });
  });
});

describe('lock-out', () => {
  const attempt = (email: string, password: string, from: string) =>
    login({ email, password }, from);

  const setCount = (key: string, attempts: number) =>
    site.fixture.controlPlane.dataSource.query(
      `insert into operator_attempt (key, attempts, window_ends_at)
       values ($1, $2, now() + interval '15 minutes')
       on conflict (key) do update set attempts = excluded.attempts`,
      [key, attempts],
    );

  test('closes an account to the address of ten failures, and to no other', async () => {
    const { email, password } = await site.addOperator();
    for (let n = 0; n < 10; n++) {
      expect((await attempt(email, 'wrong', '198.51.100.1')).status).toBe(401);
    }
    const reply = await attempt(email, password, '198.51.100.1');
    expect(reply).toMatchObject({ status: 423, body: { code: 'ACCOUNT_LOCKED' } });
    const retryAfter = Number(reply.headers['retry-after']);
    expect(retryAfter).toBeGreaterThan(800);
    expect(retryAfter).toBeLessThanOrEqual(900);
    await site.fixture.controlPlane.dataSource.query(
      `update operator_attempt set window_ends_at = now() where key = $1`,
      [`login:${email}@198.51.100.1`],
    );
    expect((await attempt(email, password, '198.51.100.1')).status).toBe(200);
  });

  test('lets the right password in from elsewhere, however many addresses guess', async () => {
    const { email, password } = await site.addOperator();
    for (let n = 0; n < 20; n++) await attempt(email, 'wrong', `198.51.100.${n}`);
    expect((await attempt(email, password, '198.51.100.99')).status).toBe(200);
  });

  test('closes an account to strange networks after a hundred failures from all of them', async () => {
    const { email, password } = await site.addOperator();
    expect((await attempt(email, password, '198.51.100.50')).status).toBe(200);
    await setCount(`account:${email}`, 100);
    expect((await attempt(email, password, '198.51.100.51')).status).toBe(423);
    // The operator has a session from here.
    expect((await attempt(email, password, '198.51.100.50')).status).toBe(200);
    await site.fixture.controlPlane.dataSource.query(
      'update operator set two_factor_enabled = true where email = $1',
      [email],
    );
    // The second factor stands between a stranger and the account.
    expect((await attempt(email, 'wrong', '198.51.100.52')).status).toBe(401);
  });

  test('treats an unknown address like a known one', async () => {
    const email = 'unknown@test.example';
    for (let n = 0; n < 10; n++) await attempt(email, 'wrong', '198.51.100.3');
    expect((await attempt(email, 'wrong', '198.51.100.3')).status).toBe(423);
    await setCount(`account:${email}`, 100);
    expect((await attempt(email, 'wrong', '198.51.100.98')).status).toBe(423);
  });

  test('lets no more through when guesses come at once', async () => {
    const { email } = await site.addOperator();
    const guesses = Array.from({ length: 25 }, () => attempt(email, 'wrong', '198.51.100.7'));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 423)).toHaveLength(15);
  });

  test('starts anew after a right password', async () => {
    const { email, password } = await site.addOperator();
    for (let round = 0; round < 2; round++) {
      for (let n = 0; n < 9; n++) await attempt(email, 'wrong', '198.51.100.8');
      expect((await attempt(email, password, '198.51.100.8')).status).toBe(200);
    }
  });

  test.each([
    { name: 'an address', addresses: (_n: number) => '203.0.113.5' },
    { name: 'a /64 of IPv6', addresses: (n: number) => `2001:db8:0:1:${n.toString(16)}::1` },
  ])('closes $name that tries many accounts', async ({ addresses }) => {
    const { dataSource } = site.fixture.controlPlane;
    await attempt('first@test.example', 'wrong', addresses(0));
    await dataSource.query(
      `update operator_attempt set attempts = 100 where key like 'address:2%'`,
    );
    const reply = await attempt(site.admin.email, site.admin.password, addresses(1));
    expect(reply.status).toBe(423);
    await dataSource.query(`delete from operator_attempt`);
  });
});

describe('a password that must be changed', () => {
  const mustChange = async () => {
    const operator = await site.addOperator();
    await site.fixture.controlPlane.dataSource.query(
      'update operator set must_change_password = true where id = $1',
      [operator.id],
    );
    const { email, password } = operator;
    const { body } = await login({ email, password });
    expect(body.mustChangePassword).toBe(true);
    return { ...operator, token: String(body.token) };
  };
  const change = (token: string, currentPassword: string, newPassword: string) =>
    site.call('POST', '/platform/password', { token, body: { currentPassword, newPassword } });

  test.each([
    {
      name: 'a wrong current one',
      current: () => 'wrong',
      next: 'another long password',
      code: 'WRONG_PASSWORD',
    },
    {
      name: 'eleven characters',
      current: (now: string) => now,
      next: 'x'.repeat(11),
      code: 'INVALID_INPUT',
    },
    {
      name: 'more than 128 characters',
      current: (now: string) => now,
      next: 'x'.repeat(129),
      code: 'INVALID_INPUT',
    },
    {
      name: 'the same one again',
      current: (now: string) => now,
      next: 'a long test password',
      code: 'INVALID_INPUT',
    },
  ])('is not changed to or with $name', async ({ current, next, code }) => {
    const { token, password } = await mustChange();
    const reply = await change(token, current(password), next);
    expect(reply).toMatchObject({ status: 400, body: { code } });
    expect((await site.call('GET', '/platform/sessions', { token })).status).toBe(403);
  });

  test('opens everything once it is changed, and ends the other sessions', async () => {
    const { email, password, token } = await mustChange();
    const { body: other } = await login({ email, password });
    const next = 'another long password';
    expect((await change(token, password, next)).status).toBe(204);
    expect((await site.call('GET', '/platform/sessions', { token })).status).toBe(200);
    expect((await site.call('GET', '/admin/session', { token: other.token })).status).toBe(401);
    expect((await login({ email, password })).status).toBe(401);
    expect((await login({ email, password: next })).body.mustChangePassword).toBe(false);
  });

  test('is guessed at no more often than a login', async () => {
    const { token, password } = await mustChange();
    for (let n = 0; n < 10; n++) await change(token, 'wrong', 'another long password');
    expect((await change(token, password, 'another long password')).status).toBe(423);
  });

  test('leaves the session readable and the way out open', async () => {
    const { token } = await mustChange();
    const { status, body } = await site.call('GET', '/auth/get-session', { token });
    expect(status).toBe(200);
    expect(body.operator.mustChangePassword).toBe(true);
    expect((await site.call('POST', '/auth/sign-out', { token })).status).toBe(204);
    expect((await site.call('GET', '/auth/get-session', { token })).status).toBe(401);
  });
});

test.each([
  { column: 'secret', verb: 'verify-totp', other: 'verify-backup-code' },
  { column: 'backup_codes', verb: 'verify-backup-code', other: 'verify-totp' },
] as const)('$column that cannot be opened refuses its codes, and no others', async (damaged) => {
  const { column, verb, other } = damaged;
  const { id, email, secret, backupCodes } = await enrolOperator(site);
  await site.fixture.controlPlane.dataSource.query(
    `update operator_two_factor set ${column} = 'ffff' where operator_id = $1`,
    [id],
  );
  const { token } = (await loginWith(site, email)).body;
  const codes = { 'verify-totp': totp(secret, 1), 'verify-backup-code': backupCodes[0] };
  const give = (name: keyof typeof codes) =>
    secondFactor(site, name, { token, body: { code: codes[name] } });
  const refused = await give(verb);
  expect([refused.status, refused.body.code]).toEqual([503, 'SECOND_FACTOR_UNREADABLE']);
  expect((await give(other)).status).toBe(200);
});
