import { getProjectRecord } from '#libs/control-plane';
import { hashProjectKey } from '#libs/secrets';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startConsole, type TestConsole } from './console-under-test.js';
import { uniqueWord } from './control-plane-fixture.js';
import { moveIn, openHouse, type House } from './members-fixture.js';

let console: TestConsole;
let house: House;
let neighbour: House;
let owner: string;
let viewer: string;

beforeAll(async () => {
  console = await startConsole({ rootDomain: 'rows.test' });
  [house, neighbour] = [await openHouse(console), await openHouse(console)];
  owner = (await moveIn(console, house, { role: 'owner' })).token;
  viewer = (await moveIn(console, house, { role: 'viewer' })).token;
}, 60_000);
afterAll(async () => {
  await console[Symbol.asyncDispose]();
}, 60_000);

const path = (rest = ''): string => `/platform/projects/${house.ref}${rest}`;
const lastPublished = (): unknown => console.fixture.published.at(-1);

describe('keys', () => {
  test.each(['publishable', 'secret'] as const)(
    'a %s key that is rotated is dead',
    async (kind) => {
      const before = await getProjectRecord(console.fixture.context, house.ref);
      const reply = await console.call('POST', path('/keys/rotate'), {
        token: owner,
        body: { kind },
      });
      expect(reply).toMatchObject({
        status: 201,
        body: { kind, key: expect.stringMatching(`^svc_${kind}_`) },
      });
      const after = await getProjectRecord(console.fixture.context, house.ref);
      const other = kind === 'secret' ? 'publishable' : 'secret';
      expect(after?.keys[kind]).toEqual([hashProjectKey(reply.body.key)]);
      expect(after?.keys[other]).toEqual(before?.keys[other]);
      expect(lastPublished()).toMatchObject({ data: { kind: 'record', version: after?.version } });
      const listed = await console.call('GET', path('/keys'), { token: owner });
      expect(listed.body.keys).toContainEqual(
        expect.objectContaining({ kind, hint: String(reply.body.key).slice(-4) }),
      );
      expect(listed.text).not.toContain(reply.body.key);
      expect(listed.text).not.toContain(hashProjectKey(reply.body.key));
    },
  );

  test('two rotations at once leave one valid key', async () => {
    const rotate = (): ReturnType<TestConsole['call']> =>
      console.call('POST', path('/keys/rotate'), { token: owner, body: { kind: 'secret' } });
    await Promise.all([rotate(), rotate(), rotate()]);
    const record = await getProjectRecord(console.fixture.context, house.ref);
    expect(record?.keys.secret).toHaveLength(1);
  });
});

describe('domains', () => {
  test('are added, found, listed and removed', async () => {
    const domain = `${uniqueWord('d')}.example.org`;
    const added = await console.call('POST', path('/domains'), {
      token: owner,
      body: { domain: `${domain.toUpperCase()}.` },
    });
    expect(added).toMatchObject({ status: 201, body: { domain } });
    const record = await getProjectRecord(console.fixture.context, house.ref);
    expect(record?.domains).toContain(domain);
    const listed = await console.call('GET', path('/domains'), { token: viewer });
    expect(listed.body.domains).toContainEqual(expect.objectContaining({ domain }));
    const removed = await console.call('DELETE', path(`/domains/${domain}`), { token: owner });
    expect(removed.status).toBe(204);
    const after = await getProjectRecord(console.fixture.context, house.ref);
    expect(after?.domains).not.toContain(domain);
  });

  test('belong to one project only', async () => {
    const domain = `${uniqueWord('d')}.example.org`;
    await console.call('POST', path('/domains'), { token: owner, body: { domain } });
    const { token } = await moveIn(console, neighbour, { role: 'owner' });
    const target = `/platform/projects/${neighbour.ref}/domains`;
    const taken = await console.call('POST', target, { token, body: { domain } });
    expect(taken).toMatchObject({ status: 409, body: { code: 'DOMAIN_TAKEN' } });
    const stolen = await console.call('DELETE', `${target}/${domain}`, { token });
    expect(stolen).toMatchObject({ status: 404, body: { code: 'DOMAIN_NOT_FOUND' } });
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
