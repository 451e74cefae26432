import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openAuthProject, password, type AuthProject } from './auth-project.js';
import {
  challenge,
  codeOf,
  enrol,
  levelOf,
  signIn,
  verify,
  type Enrolled,
} from './two-factor-people.js';
import { at, bearer, textAt } from '../support/replies.js';

let project: AuthProject;
beforeAll(async () => {
  project = await openAuthProject({
    settings: { 'auth.twoFactor': { enabled: true, trustDeviceDays: 10 } },
  });
});
afterAll(() => project.close());

const agent = { 'user-agent': 'Test browser' };
type Headers = Readonly<Record<string, string>>;

/** A second factor given with the wish to trust the device; answers what the device keeps. */
async function trusted(user: Enrolled): Promise<Headers> {
  const headers = { ...(await challenge(project, user.email)), ...agent };
  const reply = await verify(project, 'totp', codeOf(user.app), { headers, trustDevice: true });
  const token = textAt(reply.body, 'trustToken');
  expect(reply.headers.get('x-trust-token')).toBe(token);
  return { 'x-trust-token': token };
}

const isAsked = async (user: Enrolled, device: Headers) =>
  at((await signIn(project, user.email, device)).body, 'twoFactorRedirect') === true;

async function devicesOf(user: Enrolled, device: Headers = {}) {
  const headers = { ...bearer(user.token), ...device };
  const reply = await project.get('/two-factor/trusted-devices', { headers });
  return Array.isArray(reply.body) ? reply.body : [];
}

describe('a trusted device', () => {
  test('is not asked again, and its sessions are of the first level', async () => {
    const user = await enrol(project, 'trusted@example.com');
    const device = await trusted(user);
    const reply = await signIn(project, user.email, device);
    expect(await levelOf(project, textAt(reply.body, 'token'))).toBe('aal1');
    expect(await isAsked(user, device)).toBe(false);
    expect(await isAsked(user, {})).toBe(true);
  });

  test('works by its cookie too', async () => {
    const user = await enrol(project, 'cookie@example.com');
    const headers = await challenge(project, user.email);
    const reply = await verify(project, 'totp', codeOf(user.app), { headers, trustDevice: true });
    const line = reply.headers.getSetCookie().find((each) => each.includes('trust_device='));
    expect(line).toMatch(/HttpOnly/i);
    expect(line).toMatch(/Max-Age=864000/i);
    const cookie = line?.split(';')[0] ?? '';
    expect(await isAsked(user, { cookie, origin: 'http://abc.localhost:8000' })).toBe(false);
  });

  test('is trusted for its user alone', async () => {
    const [user, other] = [
      await enrol(project, 'user@example.com'),
      await enrol(project, 'other@example.com'),
    ];
    expect(await isAsked(other, await trusted(user))).toBe(true);
  });

  test('can be made of a session that lives', async () => {
    const user = await enrol(project, 'live@example.com');
    const headers = bearer(user.token);
    const reply = await verify(project, 'totp', codeOf(user.app), { headers, trustDevice: true });
    expect(await isAsked(user, { 'x-trust-token': textAt(reply.body, 'trustToken') })).toBe(false);
  });

  test('is listed for its user, without its token', async () => {
    const user = await enrol(project, 'listed@example.com');
    const device = await trusted(user);
    const [listed, ...others] = await devicesOf(user, device);
    expect(others).toEqual([]);
    expect(listed).toEqual({
      id: expect.any(String),
      userAgent: 'Test browser',
      ipAddress: '203.0.113.1',
      createdAt: expect.any(String),
      lastUsedAt: expect.any(String),
      expiresAt: expect.any(String),
      isCurrent: true,
    });
    expect(at((await devicesOf(user))[0], 'isCurrent')).toBe(false);
    const rows = await project.sql('select * from auth.trusted_device where user_id = $1', [
      user.id,
    ]);
    expect(JSON.stringify(rows)).not.toContain(device['x-trust-token']);
  });

  test('is not trusted where the settings offer none', async () => {
    const user = await enrol(project, 'none@example.com');
    const device = await trusted(user);
    const via = await project.rebuild({
      'auth.twoFactor': { enabled: true, trustDeviceDays: 0 },
    });
    const body = { email: user.email, password };
    const reply = await project.post('/sign-in/email', { body, headers: device, via });
    expect(at(reply.body, 'twoFactorRedirect')).toBe(true);
    const verified = await project.post('/two-factor/verify-backup-code', {
      body: { code: user.backupCodes[0], trustDevice: true },
      headers: { 'x-mfa-token': textAt(reply.body, 'mfaToken') },
      via,
    });
    expect(Object.keys(Object(verified.body)).sort()).toEqual(['token', 'user']);
  });
});

describe('trust ends', () => {
  test.each<{ name: string; end: (user: Enrolled) => Promise<unknown> }>([
    {
      name: 'when its time is over',
      end: () => project.sql('update auth.trusted_device set expires_at = now()'),
    },
    {
      name: 'when its owner revokes it',
      end: async (user) =>
        project.post('/two-factor/revoke-trusted-device', {
          body: { id: at((await devicesOf(user))[0], 'id') },
          headers: bearer(user.token),
        }),
    },
    {
      name: 'when the hash of the password changes, whoever changes it',
      end: async (user) => {
        const hash = `(select password from auth.account where "userId" = '${user.id}')`;
        await project.sql(`update auth.account set password = 'x' where "userId" = $1`, [user.id]);
        // The same password again: the sign-in below must be able to succeed.
        const { body } = await project.post('/sign-up/email', {
          body: { email: `donor-${user.email}`, password },
        });
        await project.sql(
          `update auth.account set password = ${hash.replace(user.id, textAt(body, 'user', 'id'))}
           where "userId" = $1`,
          [user.id],
        );
      },
    },
    {
      name: 'when the factor goes, also for the next one',
      end: async (user) => {
        await project.post('/two-factor/disable', {
          body: { password },
          headers: bearer(user.token),
        });
        const body = { password };
        const reply = await project.post('/two-factor/enable', {
          body,
          headers: bearer(user.token),
        });
        await project.sql(`update auth."twoFactor" set verified = true where "userId" = $1`, [
          user.id,
        ]);
        return reply;
      },
    },
  ])('$name', async ({ name, end }) => {
    const user = await enrol(project, `ends-${name.length}@example.com`);
    const device = await trusted(user);
    expect(await isAsked(user, device)).toBe(false);
    await end(user);
    expect(await isAsked(user, device)).toBe(true);
  });

  test('for one device, and not for the others', async () => {
    const user = await enrol(project, 'one@example.com');
    const first = await trusted(user);
    await project.sql('update auth."twoFactor" set "lastStep" = null where "userId" = $1', [
      user.id,
    ]);
    const second = await trusted(user);
    const current = (await devicesOf(user, first)).find((each) => at(each, 'isCurrent') === true);
    await project.post('/two-factor/revoke-trusted-device', {
      body: { id: at(current, 'id') },
      headers: bearer(user.token),
    });
    expect([await isAsked(user, first), await isAsked(user, second)]).toEqual([true, false]);
  });

  test('not by somebody else', async () => {
    const [user, other] = [
      await enrol(project, 'mine@example.com'),
      await enrol(project, 'theirs@example.com'),
    ];
    const device = await trusted(user);
    const reply = await project.post('/two-factor/revoke-trusted-device', {
      body: { id: at((await devicesOf(user))[0], 'id') },
      headers: bearer(other.token),
    });
    expect([reply.status, at(reply.body, 'code')]).toEqual([404, 'TRUSTED_DEVICE_NOT_FOUND']);
    expect(await isAsked(user, device)).toBe(false);
  });
});
