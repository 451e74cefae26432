import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKeyUses } from '#libs/auth-engine';
import { openAuthProject, signUp, type AuthProject, type Reply } from './auth-project.js';
import { keyGroup, keySettings, openKeyProject, type KeyProject } from './api-key-people.js';
import { at, bearer, textAt } from '../support/replies.js';

let project: AuthProject;
let newPerson: KeyProject['newPerson'];
let create: KeyProject['create'];
let keysOf: KeyProject['keysOf'];
beforeAll(async () => {
  ({ project, newPerson, create, keysOf } = await openKeyProject());
});
afterAll(() => project.close());

const list = (token: string, query = ''): Promise<Reply> =>
  project.get(`/api-key/list${query}`, { headers: bearer(token) });

describe('making a key', () => {
  test('shows it this once; stored is a hash that the lookup of requests finds', async () => {
    const { id, token } = await newPerson();
    const reply = await create(token, { name: 'robot' });
    expect(reply.status).toBe(200);
    const key = textAt(reply.body, 'key');
    expect(key).toMatch(/^abc_[A-Za-z]{64}$/);
    const [row] = await keysOf(id);
    expect(row?.['key']).toBe(createHash('sha256').update(key).digest('base64url'));
    expect(JSON.stringify(row)).not.toContain(key);
    const uses = createKeyUses({ pool: project.pool, now: () => 0 });
    expect(await uses.count(String(row?.['key']))).toBe('unlimited');
    const keyId = textAt(reply.body, 'id');
    for (const later of [
      (await list(token)).body,
      (await project.get(`/api-key/get?id=${keyId}`, { headers: bearer(token) })).body,
    ]) {
      expect(JSON.stringify(later)).toContain('"robot"');
      expect(JSON.stringify(later)).not.toContain(key);
      expect(JSON.stringify(later)).not.toContain(String(row?.['key']));
    }
  });

  test('keeps what the key is for: permissions, metadata and how often it may be used', async () => {
    const { id, token } = await newPerson();
    const wanted = {
      permissions: { orders: ['read', 'write'] },
      metadata: { machine: 'm1' },
      remaining: 10,
      refillAmount: 10,
      refillInterval: 60_000,
      expiresIn: 3600,
    };
    const reply = await create(token, wanted);
    const { expiresIn: _life, ...shown } = wanted;
    expect(reply.body).toMatchObject(shown);
    expect(at((await list(token)).body, 'apiKeys', '0')).toMatchObject(shown);
    const [row] = await keysOf(id);
    expect(row).toMatchObject({ permissions: '{"orders":["read","write"]}', remaining: 10 });
    const life = new Date(String(row?.['expiresAt'])).getTime() - Date.now();
    expect(life / 1000).toBeCloseTo(3600, -1);
  });

  test('is for whoever is signed in, and not for guests', async () => {
    expect((await project.post('/api-key/create', { body: {} })).status).toBe(401);
    const guest = await project.post('/sign-in/anonymous', { body: {} });
    expect(await create(textAt(guest.body, 'token'))).toMatchObject({
      status: 403,
      body: { code: 'PERMANENT_ACCOUNT_REQUIRED' },
    });
  });

  test.each([
    { name: 'another prefix', body: { prefix: 'xyz_' }, code: 'FIELD_NOT_ALLOWED' },
    { name: 'another user', body: { userId: 'x' }, code: 'FIELD_NOT_ALLOWED' },
    { name: 'an organization', body: { organizationId: 'x' }, code: 'FIELD_NOT_ALLOWED' },
    { name: 'a limit by time', body: { rateLimitMax: 5 }, code: 'FIELD_NOT_ALLOWED' },
    { name: 'an empty name', body: { name: '' }, code: 'INVALID_INPUT' },
    { name: 'a name with a NUL', body: { name: 'a\0' }, code: 'INVALID_INPUT' },
    { name: 'a life of no time', body: { expiresIn: 0 }, code: 'INVALID_INPUT' },
    { name: 'a life of parts of seconds', body: { expiresIn: 99.5 }, code: 'INVALID_INPUT' },
    { name: 'a life beyond dates', body: { expiresIn: 1e300 }, code: 'INVALID_INPUT' },
    { name: 'permissions in a list', body: { permissions: ['a'] }, code: 'INVALID_INPUT' },
    {
      name: 'permissions that are no words',
      body: { permissions: { a: ['"\ud800'] } },
      code: 'INVALID_INPUT',
    },
    { name: 'metadata as a text', body: { metadata: 'x' }, code: 'INVALID_INPUT' },
    {
      name: 'a mountain of metadata',
      body: { metadata: { a: 'x'.repeat(5000) } },
      code: 'INVALID_INPUT',
    },
    { name: 'no uses', body: { remaining: 0 }, code: 'INVALID_INPUT' },
    { name: 'more uses than a number has', body: { remaining: 2 ** 31 }, code: 'INVALID_INPUT' },
    { name: 'a refill without its time', body: { refillAmount: 5 }, code: 'INVALID_INPUT' },
  ])('with $name is refused', async ({ body, code }) => {
    const { id, token } = await newPerson();
    expect(await create(token, body)).toMatchObject({ status: 400, body: { code } });
    expect(await keysOf(id)).toEqual([]);
  });

  test('is refused beyond the number of keys, however many are made at once', async () => {
    const { id, token } = await newPerson();
    const replies = await Promise.all(Array.from({ length: 8 }, () => create(token)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(3);
    const refused = replies.filter(({ status }) => status !== 200);
    expect(new Set(refused.map(({ body }) => at(body, 'code')))).toEqual(
      new Set(['API_KEY_LIMIT_REACHED']),
    );
    expect(await keysOf(id)).toHaveLength(3);
    await project.sql(`update auth.apikey set "expiresAt" = now() where "referenceId" = $1`, [id]);
    expect((await create(token)).status).toBe(200);
  });
});

describe('the longest life of a key', () => {
  const limited = { 'auth.apiKey': { ...keyGroup, maxLifetimeDays: 10 } };
  const day = 86_400;

  test.each([
    { name: 'is the life of one without', body: {}, status: 200 },
    { name: 'may be asked for', body: { expiresIn: 10 * day }, status: 200 },
    { name: 'may not be exceeded', body: { expiresIn: 10 * day + 1 }, status: 400 },
    { name: 'is the life of one for ever', body: { expiresIn: null }, status: 200 },
  ])('$name', async ({ body, status }) => {
    const { id, token } = await newPerson();
    expect((await create(token, body, await project.rebuild(limited))).status).toBe(status);
    const [row] = await keysOf(id);
    if (status === 200) {
      const life = new Date(String(row?.['expiresAt'])).getTime() - Date.now();
      expect(life / 1000 / day).toBeCloseTo(10, 1);
    } else expect(row).toBeUndefined();
  });

  test.each([
    { name: 'nor for ever', expiresIn: null, status: 400 },
    { name: 'nor beyond ten days from its making', expiresIn: 6 * day, status: 400 },
    { name: 'but within', expiresIn: 4 * day, status: 200 },
  ])('a key is not prolonged $name', async ({ expiresIn, status }) => {
    const { token } = await newPerson();
    const via = await project.rebuild(limited);
    const keyId = textAt((await create(token, {}, via)).body, 'id');
    await project.sql(
      `update auth.apikey set "createdAt" = now() - interval '5 days' where id = $1`,
      [keyId],
    );
    const body = { keyId, expiresIn };
    const reply = await project.post('/api-key/update', { via, headers: bearer(token), body });
    expect(reply.status).toBe(status);
  });
});

describe('the keys of a user', () => {
  test('are listed, changed and deleted by it', async () => {
    const { id, token } = await newPerson();
    const keyId = textAt((await create(token, { name: 'one' })).body, 'id');
    await create(token, { name: 'two' });
    const page = await list(token, '?limit=1&offset=1&sortBy=createdAt&sortDirection=asc');
    expect(page.body).toMatchObject({ total: 2, apiKeys: [{ name: 'two' }] });
    const change = { keyId, name: 'first', enabled: false };
    const changed = await project.post('/api-key/update', { headers: bearer(token), body: change });
    expect(changed).toMatchObject({ status: 200, body: { name: 'first', enabled: false } });
    const gone = await project.post('/api-key/delete', { headers: bearer(token), body: { keyId } });
    expect(gone).toMatchObject({ status: 200, body: { success: true } });
    expect((await keysOf(id)).map(({ name }) => name)).toEqual(['two']);
  });

  test('are nobody else’s', async () => {
    const owner = await newPerson();
    const stranger = await newPerson();
    const keyId = textAt((await create(owner.token)).body, 'id');
    const headers = bearer(stranger.token);
    const replies = [
      await project.get(`/api-key/get?id=${keyId}`, { headers }),
      await project.post('/api-key/update', { headers, body: { keyId, name: 'mine' } }),
      await project.post('/api-key/delete', { headers, body: { keyId } }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect((await list(stranger.token)).body).toMatchObject({ total: 0, apiKeys: [] });
    expect(await keysOf(owner.id)).toMatchObject([{ name: null }]);
  });

  test.each([
    { path: '/api-key/list?sortBy=key', status: 400 },
    { path: '/api-key/list?sortBy=nothing', status: 400 },
    { path: '/api-key/list?organizationId=x', status: 400 },
    { path: '/api-key/list?limit=-1', status: 400 },
    { path: '/api-key/get?id=%00', status: 400 },
    { path: '/api-key/get?id=nothing', status: 404 },
  ])('$path answers $status', async ({ path, status }) => {
    const { token } = await newPerson();
    expect((await project.get(path, { headers: bearer(token) })).status).toBe(status);
  });

  test.each([
    { body: { remaining: 100 } },
    { body: { permissions: { a: ['b'] } } },
    { body: { rateLimitEnabled: false } },
    { body: { userId: 'x' } },
  ])('do not get $body later', async ({ body }) => {
    const { id, token } = await newPerson();
    const keyId = textAt((await create(token)).body, 'id');
    const before = await keysOf(id);
    const reply = await project.post('/api-key/update', {
      headers: bearer(token),
      body: { keyId, ...body },
    });
    expect(reply).toMatchObject({ status: 400, body: { code: 'FIELD_NOT_ALLOWED' } });
    expect(await keysOf(id)).toEqual(before);
  });
});

test('while keys are off their routes are not there and a key is nobody', async () => {
  const { token } = await newPerson();
  const key = textAt((await create(token)).body, 'key');
  const via = await project.rebuild({ 'auth.apiKey': { enabled: false } });
  expect((await create(token, {}, via)).status).toBe(404);
  expect((await project.get('/get-session', { via, headers: bearer(key) })).body).toBeNull();
  expect((await project.get('/token', { via, headers: bearer(key) })).status).toBe(401);
});

test('a key goes with its user, and with whoever made it before the owner of the address came', async () => {
  const { id, email, token } = await newPerson();
  await create(token);
  await project.post('/email-otp/send-verification-otp', { body: { email, type: 'sign-in' } });
  const otp = textAt(project.mails.findLast(({ to }) => to === email)?.values, 'code');
  const owner = await project.post('/sign-in/email-otp', { body: { email, otp } });
  expect(owner.status).toBe(200);
  expect(await keysOf(id)).toEqual([]);
  expect((await create(textAt(owner.body, 'token'))).status).toBe(200);
  await project.deleteUser(id);
  expect(await keysOf(id)).toEqual([]);
});

test('keys work in a project whose users have UUIDs', async () => {
  const own = await openAuthProject({ idType: 'uuid', settings: keySettings });
  try {
    const { body } = await signUp(own, 'ada@example.com');
    const headers = bearer(textAt(body, 'token'));
    const made = await own.post('/api-key/create', { headers, body: {} });
    const who = await own.get('/get-session', { headers: bearer(textAt(made.body, 'key')) });
    expect(at(who.body, 'user', 'id')).toBe(textAt(body, 'user', 'id'));
  } finally {
    await own.close();
  }
});
