import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import type { JSONWebKeySet } from 'jose';
import { buildAuth, rotateSigningKeys } from '#libs/auth-engine';
import { createMemoryLimiter } from '#libs/rate-limit';
import { resolveAll } from '#libs/settings';
import {
  noMessages,
  openAuthProject,
  signUp,
  type AuthProject,
  type Reply,
} from './auth-project.js';
import { at, bearer, textAt } from '../support/replies.js';

const audience = 'authenticated';

describe('signing keys', () => {
  let project: AuthProject;
  let session: string;
  beforeAll(async () => {
    project = await openAuthProject();
    session = textAt((await signUp(project, 'ada@example.com')).body, 'token');
  });
  afterAll(() => project.close());

  const mint = async (via = project.auth): Promise<string> =>
    textAt((await project.get('/token', { via, headers: bearer(session) })).body, 'token');
  const keyOf = (token: string) => decodeProtectedHeader(token).kid;
  const published = async (via = project.auth): Promise<Reply> => project.get('/jwks', { via });
  const keyIds = (reply: Reply): readonly unknown[] => {
    const keys = at(reply.body, 'keys');
    return Array.isArray(keys) ? keys.map((key: unknown) => at(key, 'kid')) : [];
  };
  // The answer is a key set by what these tests are about.
  const verify = async (token: string) =>
    jwtVerify(token, createLocalJWKSet((await published()).body as JSONWebKeySet), { audience });
  const storedKeys = async () =>
    project.sql('select id, "privateKey", "expiresAt" from auth.jwks order by "createdAt"');

  test('a token of a replaced key still verifies, and new ones are of the new key', async () => {
    const old = await mint();
    const { keyId, oldKeysUntil } = await rotateSigningKeys(project.pool, { graceDays: 2 });
    const young = await mint();
    expect(keyOf(young)).toBe(keyId);
    expect(keyOf(young)).not.toBe(keyOf(old));
    expect(keyIds(await published())).toEqual([keyId, keyOf(old)]);
    expect((await verify(old)).payload.sub).toBe(decodeJwt(young).sub);
    expect((await verify(young)).payload.sub).toBe(decodeJwt(young).sub);
    expect((oldKeysUntil?.getTime() ?? 0) - Date.now()).toBeGreaterThan(1.9 * 86_400_000);
  });

  test('of a replaced key only the public half is kept', async () => {
    const keys = await storedKeys();
    expect(keys.map(({ privateKey }) => privateKey === '')).toEqual([true, false]);
  });

  test('a published key has no private part, and may be kept for minutes only', async () => {
    const reply = await published();
    expect(reply.headers.get('cache-control')).toBe('public, max-age=300');
    for (const key of [at(reply.body, 'keys')].flat()) {
      expect(Object.keys(Object(key)).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'x', 'y']);
    }
  });

  test('a key goes at the end of its grace, and with it what it has signed', async () => {
    const old = await mint();
    const { keyId } = await rotateSigningKeys(project.pool, { graceDays: 30 });
    await project.sql(
      `update auth.jwks set "expiresAt" = now() - interval '1 s' where "expiresAt" is not null`,
    );
    expect(keyIds(await published())).toEqual([keyId]);
    await expect(verify(old)).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
  });

  test('a rotation without grace ends the keys before it at once', async () => {
    const { keyId, oldKeysUntil } = await rotateSigningKeys(project.pool, { graceDays: 0 });
    expect(oldKeysUntil).toBeUndefined();
    expect(keyIds(await published())).toEqual([keyId]);
  });

  test('rotations at the same time make one key', async () => {
    const before = (await published()).body;
    const other = await project.pool.connect();
    await other.query('begin');
    await other.query('lock table auth.jwks in share row exclusive mode');
    const rotations = Array.from({ length: 12 }, () =>
      rotateSigningKeys(project.pool, { graceDays: 1 }),
    );
    // All have been asked for when the first can make its key, a second later at the earliest.
    await other.query('select pg_sleep(1)');
    await other.query('rollback');
    other.release();
    const results = await Promise.all(rotations);
    const made = new Set(results.map(({ keyId }) => keyId));
    expect(made.size).toBe(1);
    expect(JSON.stringify(before)).not.toContain([...made][0]);
  });

  test('a rotation that waits too long for another one is refused, and the keys stay as they are', async () => {
    const before = keyIds(await published());
    const other = await project.pool.connect();
    try {
      await other.query('begin');
      await other.query('lock table auth.jwks in share row exclusive mode');
      const rotation = rotateSigningKeys(project.pool, { graceDays: 1 });
      await expect(rotation).rejects.toMatchObject({ code: 'CONCURRENT_CHANGE', status: 409 });
    } finally {
      await other.query('rollback');
      other.release();
    }
    expect(keyIds(await published())).toEqual(before);
  }, 20_000);

  test('a key that has had its time is replaced once, by whoever comes first', async () => {
    const rotating = await project.rebuild({ 'auth.tokens': { rotateAfterDays: 7 } });
    const before = keyOf(await mint(rotating));
    await project.sql(
      `update auth.jwks set "createdAt" = now() - interval '6 days' where "expiresAt" is null`,
    );
    expect(keyOf(await mint(rotating))).toBe(before);
    await project.sql(
      `update auth.jwks set "createdAt" = now() - interval '8 days' where "expiresAt" is null`,
    );
    const minted = await Promise.all(Array.from({ length: 8 }, () => mint(rotating)));
    const keys = new Set(minted.map(keyOf));
    expect(keys.size).toBe(1);
    expect(keys.has(before)).toBe(false);
    expect(keyIds(await published(rotating))).toContain(before);
  });

  test('another auth secret changes nothing about keys: the private key is stored as it is', async () => {
    const [key] = (await storedKeys()).filter(({ expiresAt }) => expiresAt === null);
    expect(JSON.parse(String(key?.['privateKey']))).toMatchObject({ kty: 'EC', crv: 'P-256' });
    const before = await mint();
    const other = await buildAuth({
      settings: resolveAll({}, {}),
      ref: 'abc',
      secret: 'another secret of the same project',
      baseUrl: 'http://abc.localhost:8000',
      messages: noMessages,
      hooks: {},
      call: () => Promise.reject(new Error('no server answers in this test')),
      pool: project.pool,
      idType: 'text',
      rateLimiter: createMemoryLimiter(() => performance.now()),
      deleteUser: () => Promise.resolve(false),
      log: () => undefined,
    });
    const after = await mint(other);
    expect(keyOf(after)).toBe(keyOf(before));
    expect((await verify(before)).payload).toMatchObject({ role: 'authenticated' });
  });
});

test('a token has the claims of the active organization as far as the membership is there', async () => {
  const project = await openAuthProject();
  try {
    const owner = await signUp(project, 'ada@example.com');
    const member = await signUp(project, 'bob@example.com');
    const claimsOf = async ({ body }: Reply) => {
      const headers = bearer(textAt(body, 'token'));
      return decodeJwt(textAt((await project.get('/token', { headers })).body, 'token'));
    };
    expect(await claimsOf(owner)).toMatchObject({ org_id: null, org_role: null, team_id: null });
    const made = await project.post('/organization/create', {
      headers: bearer(textAt(owner.body, 'token')),
      body: { name: 'Acme', slug: 'acme' },
    });
    const org = textAt(made.body, 'id');
    expect(await claimsOf(owner)).toMatchObject({ org_id: org, org_role: 'owner', team_id: null });
    const memberId = textAt(member.body, 'user', 'id');
    await project.sql(
      `insert into auth.member (id, "organizationId", "userId", role, "createdAt")
       values ('m', $1, $2, 'member', now())`,
      [org, memberId],
    );
    await project.sql('update auth.session set "activeOrganizationId" = $1 where "userId" = $2', [
      org,
      memberId,
    ]);
    expect(await claimsOf(member)).toMatchObject({ org_id: org, org_role: 'member' });
    await project.sql(`delete from auth.member where id = 'm'`);
    expect(await claimsOf(member)).toMatchObject({ org_id: null, org_role: null });
  } finally {
    await project.close();
  }
});

test('the hook of access tokens adds claims and changes none that says who somebody is', async () => {
  const events: unknown[] = [];
  const project = await openAuthProject({
    hooks: {
      accessToken: async ({ userId, claims }) => {
        events.push(userId);
        return { ...claims, plan: 'gold' };
      },
    },
  });
  try {
    const signedUp = await signUp(project, 'ada@example.com');
    const headers = bearer(textAt(signedUp.body, 'token'));
    const token = textAt((await project.get('/token', { headers })).body, 'token');
    const userId = textAt(signedUp.body, 'user', 'id');
    expect(events).toEqual([userId]);
    expect(decodeJwt(token)).toMatchObject({
      plan: 'gold',
      sub: userId,
      role: 'authenticated',
      aud: audience,
      iss: 'http://abc.localhost:8000',
    });
  } finally {
    await project.close();
  }
});
