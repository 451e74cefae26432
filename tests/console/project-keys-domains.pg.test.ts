import { getProjectRecord } from '#libs/control-plane';
import { hashProjectKey } from '#libs/secrets';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startConsole, type TestConsole } from './console-under-test.js';
import { uniqueWord } from './control-plane-fixture.js';
import { addMember, openOwnedProject, type OwnedProject } from './members-fixture.js';

let console: TestConsole;
let owned: OwnedProject;
let neighbor: OwnedProject;
let owner: string;
let viewer: string;

beforeAll(async () => {
  console = await startConsole({ rootDomain: 'rows.test' });
  [owned, neighbor] = [await openOwnedProject(console), await openOwnedProject(console)];
  owner = (await addMember(console, owned, { role: 'owner' })).token;
  viewer = (await addMember(console, owned, { role: 'viewer' })).token;
}, 60_000);
afterAll(async () => {
  await console[Symbol.asyncDispose]();
}, 60_000);

const path = (rest = ''): string => `/platform/projects/${owned.ref}${rest}`;
const lastPublished = (): unknown => console.fixture.published.at(-1);

describe('keys', () => {
  const rotate = (body: object) =>
    console.call('POST', path('/keys/rotate'), { token: owner, body });
  const keysNow = async () => {
    const record = await getProjectRecord(console.fixture.context, owned.ref);
    if (!record) throw new Error('the project is gone');
    return { ...record.keys, version: record.version };
  };

  test.each(['publishable', 'secret'] as const)(
    'a %s key that is rotated with 0 is dead at once',
    async (kind) => {
      const before = await keysNow();
      const reply = await rotate({ kind, expiresInSeconds: 0 });
      expect(reply).toMatchObject({
        status: 201,
        body: { kind, key: expect.stringMatching(`^svc_${kind}_`) },
      });
      const after = await keysNow();
      const other = kind === 'secret' ? 'publishable' : 'secret';
      expect(after[kind]).toEqual([hashProjectKey(reply.body.key)]);
      expect(after[other]).toEqual(before[other]);
      expect(lastPublished()).toMatchObject({ data: { kind: 'record', version: after.version } });
      const listed = await console.call('GET', path('/keys'), { token: owner });
      expect(listed.body.keys).toContainEqual(
        expect.objectContaining({ kind, hint: String(reply.body.key).slice(-4), expiresAt: null }),
      );
      expect(listed.text).not.toContain(reply.body.key);
      expect(listed.text).not.toContain(hashProjectKey(reply.body.key));
    },
  );

  test('a rotated key stays valid for a day and is listed with its end', async () => {
    const [old] = (await keysNow()).secret;
    const reply = await rotate({ kind: 'secret' });
    const { secret, expiresAt = {} } = await keysNow();
    expect(secret).toEqual(expect.arrayContaining([old, hashProjectKey(reply.body.key)]));
    const hours = ((expiresAt[String(old)] ?? 0) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24);
    expect(expiresAt[hashProjectKey(reply.body.key)]).toBeUndefined();
    const listed = await console.call('GET', path('/keys'), { token: owner });
    const ends = listed.body.keys.filter(({ kind }: { kind: string }) => kind === 'secret');
    expect(ends.map((key: { expiresAt: unknown }) => key.expiresAt !== null)).toEqual([
      true,
      false,
    ]);
    await rotate({ kind: 'secret', expiresInSeconds: 7 * 86_400 });
    expect((await keysNow()).expiresAt?.[String(old)]).toBe(expiresAt[String(old)]);
  });

  test('an old key is ended by its id, the last one is not', async () => {
    await rotate({ kind: 'secret', expiresInSeconds: 0 });
    const made = await console.call('POST', path('/keys'), {
      token: owner,
      body: { kind: 'secret' },
    });
    expect(made.status).toBe(201);
    expect((await keysNow()).secret).toHaveLength(2);
    const remove = (id: string) => console.call('DELETE', path(`/keys/${id}`), { token: owner });
    expect((await remove(made.body.id)).status).toBe(204);
    expect(await remove(made.body.id)).toMatchObject({
      status: 404,
      body: { code: 'KEY_NOT_FOUND' },
    });
    const listed = await console.call('GET', path('/keys'), { token: owner });
    const last = listed.body.keys.find(({ kind }: { kind: string }) => kind === 'secret');
    expect(await remove(last.id)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect((await keysNow()).secret).toHaveLength(1);
  });

  test.each([-1, 1.5, 90 * 86_400 + 1, '60'])('expiresInSeconds %p is refused', async (value) => {
    const before = await keysNow();
    const reply = await rotate({ kind: 'secret', expiresInSeconds: value });
    expect(reply).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } });
    expect(await keysNow()).toEqual(before);
  });

  test('old keys that have ended do not count against the limit', async () => {
    await console.fixture.controlPlane.dataSource.query(
      `insert into project_key (id, ref, kind, hash, hint, expires_at)
       select 'ended' || n, $1, 'secret', 'hash' || n, 'abcd', now() - interval '1 hour'
       from generate_series(1, 30) n`,
      [owned.ref],
    );
    const reply = await console.call('POST', path('/keys'), {
      token: owner,
      body: { kind: 'secret' },
    });
    expect(reply.status).toBe(201);
    await console.call('DELETE', path(`/keys/${reply.body.id}`), { token: owner });
  });

  test('two rotations at once leave one valid key', async () => {
    const now = { kind: 'secret', expiresInSeconds: 0 };
    await Promise.all([rotate(now), rotate(now), rotate(now)]);
    expect((await keysNow()).secret).toHaveLength(1);
  });
});

describe('domains', () => {
  test('are claimed, listed and given up', async () => {
    const domain = `${uniqueWord('d')}.example.org`;
    const added = await console.call('POST', path('/domains'), {
      token: owner,
      body: { domain: `${domain.toUpperCase()}.` },
    });
    expect(added).toMatchObject({ status: 201, body: { domain } });
    const again = await console.call('POST', path('/domains'), { token: owner, body: { domain } });
    expect(again).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    const listed = await console.call('GET', path('/domains'), { token: viewer });
    expect(listed.body.domains).toContainEqual(expect.objectContaining({ domain }));
    const { token } = await addMember(console, neighbor, { role: 'owner' });
    const stolen = await console.call(
      'DELETE',
      `/platform/projects/${neighbor.ref}/domains/${domain}`,
      { token },
    );
    expect(stolen).toMatchObject({ status: 404, body: { code: 'DOMAIN_NOT_FOUND' } });
    const removed = await console.call('DELETE', path(`/domains/${domain}`), { token: owner });
    expect(removed.status).toBe(204);
    const after = await console.call('GET', path('/domains'), { token: viewer });
    expect(after.text).not.toContain(domain);
  });

  test.each(['rows.test', 'x.rows.test', '10.0.0.1', 'a b.org', 'localhost'])(
    '%s is refused',
    async (domain) => {
      const reply = await console.call('POST', path('/domains'), {
        token: owner,
        body: { domain },
      });
      expect(reply).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } });
    },
  );
});
