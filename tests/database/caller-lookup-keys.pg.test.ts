// Callers with an API key of a user, and callers with another issuer's token.
import { createHash } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { ProjectDatabase } from '#libs/database';
import type { Credential } from '#libs/wire';

import { createProject, ids, type ProjectFixture } from './project-fixture.js';

const seenQuery = {
  text: `select json_build_object('role', current_user, 'claims', auth.jwt(), 'uid', auth.uid())::text`,
  values: [],
};

interface Seen {
  readonly role: string;
  readonly uid: string | null;
  readonly claims: Readonly<Record<string, unknown>>;
}

async function seenBy(db: ProjectDatabase, credential: Credential): Promise<Seen> {
  const { results } = await db.runTable({ credential, queries: [seenQuery], readOnly: true });
  const seen: Seen = JSON.parse(results[0]?.rows.first(0).toString() ?? '');
  return seen;
}

const hashOf = (key: string) => createHash('sha256').update(key).digest('base64url');
const apiKey = (key: string, isCounted = false): Credential => ({
  kind: 'api-key',
  keyHash: hashOf(key),
  isCounted,
});

interface KeyRow {
  readonly key: string;
  readonly userId?: string;
  /** Further columns, as SQL expressions. */
  readonly columns?: Readonly<Record<string, string>>;
}

async function addKeys(project: ProjectFixture, rows: readonly KeyRow[]): Promise<void> {
  for (const { key, userId = ids.ada, columns = {} } of rows) {
    const all = { enabled: 'true', ...columns };
    await project.admin.query(
      `insert into auth.apikey (id, "configId", key, "referenceId", "createdAt", "updatedAt",
         ${Object.keys(all)
           .map((name) => `"${name}"`)
           .join(', ')})
       values ($1, 'default', $2, $3, now(), now(), ${Object.values(all).join(', ')})`,
      [`id-${key}`, hashOf(key), userId],
    );
  }
}

describe.each(['text', 'uuid'] as const)('in a project of %s ids', (idType) => {
  let project: ProjectFixture;
  let db: ProjectDatabase;
  beforeAll(async () => {
    project = await createProject(idType);
    db = project.open();
    await addKeys(project, [
      { key: 'ada' },
      { key: 'ada-reader', columns: { permissions: `'{"notes":["read"]}'` } },
      { key: 'bob-3', userId: ids.bob, columns: { remaining: '3' } },
      { key: 'bob-0', userId: ids.bob, columns: { remaining: '0' } },
      { key: 'later', columns: { expiresAt: `now() + interval '1 hour'` } },
      { key: 'expired', columns: { expiresAt: `now() - interval '1 second'` } },
      { key: 'disabled', columns: { enabled: 'false' } },
      { key: 'gone', userId: ids.gone },
      { key: 'orphan', userId: '44444444-4444-4444-8444-444444444444' },
      { key: 'no-id', userId: `' or true --` },
    ]);
  });
  afterAll(() => project.drop());

  const ada = { id: ids.ada, email: 'ada@example.test', role: 'ADMIN', isAnonymous: false };
  const bob = { id: ids.bob, email: 'bob@example.test', role: 'USER', isAnonymous: true };

  test.each([
    { name: 'a key is its user, without a session', credential: apiKey('ada'), user: ada },
    { name: 'a key that ends later', credential: apiKey('later'), user: ada },
    { name: 'a key with uses left', credential: apiKey('bob-3'), user: bob },
    { name: 'the last use, which was counted', credential: apiKey('bob-0', true), user: bob },
  ])('$name', async ({ credential, user }) => {
    const caller = { role: 'authenticated', via: 'api-key', user };
    expect((await db.resolveCaller(credential)).caller).toEqual(caller);
    expect(await db.runAs(credential, (tx) => Promise.resolve(tx.caller))).toEqual(caller);
  });

  test.each([
    { name: 'an unknown key', credential: apiKey('nobody') },
    { name: 'an expired key', credential: apiKey('expired') },
    { name: 'a disabled key', credential: apiKey('disabled') },
    { name: 'a key without uses left', credential: apiKey('bob-0') },
    { name: 'a key whose user was deleted', credential: apiKey('orphan') },
    { name: 'a key of what is no user id', credential: apiKey('no-id') },
    {
      name: 'the key itself in place of its hash',
      credential: { kind: 'api-key', keyHash: 'ada', isCounted: true },
    },
    {
      name: 'a hash with a zero byte',
      credential: { kind: 'api-key', keyHash: 'a\0', isCounted: true },
    },
  ] as { name: string; credential: Credential }[])('$name is anon', async ({ credential }) => {
    const { caller } = await db.resolveCaller(credential);
    expect(caller).toEqual({ role: 'anon', via: 'none' });
    expect(await seenBy(db, credential)).toEqual({
      role: 'anon',
      uid: null,
      claims: { role: 'anon' },
    });
  });

  test('a key of an inactive user is refused', async () => {
    await expect(db.resolveCaller(apiKey('gone'))).rejects.toMatchObject({ code: 'USER_INACTIVE' });
  });

  test.each([
    { key: 'ada', permissions: null },
    { key: 'ada-reader', permissions: { notes: ['read'] } },
  ])('policies see which key it is and what it may do: $key', async ({ key, permissions }) => {
    expect(await seenBy(db, apiKey(key))).toEqual({
      role: 'authenticated',
      uid: ids.ada,
      claims: {
        sub: ids.ada,
        role: 'authenticated',
        user_role: 'ADMIN',
        email: 'ada@example.test',
        is_anonymous: false,
        app_metadata: { plan: 'pro' },
        user_metadata: {},
        aal: 'aal1',
        session_id: null,
        org_id: null,
        org_role: null,
        team_id: null,
        api_key_id: `id-${key}`,
        api_key_permissions: permissions,
      },
    });
  });

  test('the role of requests reads the columns of keys that the lookup needs, and no others', async () => {
    const { rows } = await project.admin.query<{ columns: string[] }>(
      `select array_agg(column_name::text order by column_name) as columns
       from information_schema.columns
       where table_schema = 'auth' and table_name = 'apikey'
         and has_column_privilege($1, 'auth.apikey', column_name, 'select')`,
      [project.options.logins.api.user],
    );
    expect(rows[0]?.columns).toEqual(
      ['enabled', 'expiresAt', 'id', 'key', 'permissions', 'referenceId', 'remaining'].sort(),
    );
    const stolen = { text: 'select key from auth.apikey', values: [] };
    const asked = db.runTable({ credential: apiKey('ada'), queries: [stolen], readOnly: true });
    await expect(asked).rejects.toMatchObject({ status: 403 });
  });

  test('keys end with their user', async () => {
    const eve = '55555555-5555-4555-8555-555555555555';
    const { admin } = project;
    await admin.query(`insert into auth."user" (id, email) values ($1, 'eve@example.test')`, [eve]);
    await addKeys(project, [{ key: 'eve', userId: eve }]);
    expect((await db.resolveCaller(apiKey('eve'))).caller.role).toBe('authenticated');
    await admin.query('delete from auth."user" where id = $1', [eve]);
    const { rows } = await admin.query(`select from auth.apikey where id = 'id-eve'`);
    expect(rows).toHaveLength(0);
    expect((await db.resolveCaller(apiKey('ada'))).caller.role).toBe('authenticated');
  });

  const foreign = (subject: string, more: object = {}): Credential => ({
    kind: 'third-party',
    subject,
    claims: JSON.stringify({
      sub: subject,
      role: 'authenticated',
      user_role: 'USER',
      email: 'c@elsewhere.example',
      is_anonymous: false,
      session_id: null,
      ...more,
    }),
  });
  const stranger = '66666666-6666-4666-8666-666666666666';

  test.each([
    { name: 'an id', subject: stranger, uid: stranger },
    { name: 'any text', subject: `auth0|a'b"`, uid: idType === 'text' ? `auth0|a'b"` : null },
  ])("the subject of another issuer's token may be $name", async ({ subject, uid }) => {
    const credential = foreign(subject, { iss: 'https://id.example', tier: 'gold' });
    expect((await db.resolveCaller(credential)).caller).toEqual({
      role: 'authenticated',
      via: 'third-party',
      user: { id: subject, email: 'c@elsewhere.example', role: 'USER', isAnonymous: false },
    });
    const seen = await seenBy(db, credential);
    expect(seen).toMatchObject({ role: 'authenticated', uid });
    expect(seen.claims).toMatchObject({ sub: subject, iss: 'https://id.example', tier: 'gold' });
  });

  test.each([
    { name: 'an active account', subject: ids.ada },
    { name: 'an inactive account', subject: ids.gone },
  ])("another issuer's subject with the id of $name is refused", async ({ subject }) => {
    const refusal = { code: 'FOREIGN_SUBJECT_REFUSED', status: 403 };
    await expect(db.resolveCaller(foreign(subject))).rejects.toMatchObject(refusal);
    await expect(seenBy(db, foreign(subject))).rejects.toMatchObject(refusal);
  });
});

test('a key of one project is nobody in another', async () => {
  const [one, other] = await Promise.all([createProject(), createProject()]);
  await addKeys(one, [{ key: 'mine' }]);
  const callerIn = async (project: ProjectFixture) =>
    (await project.open().resolveCaller(apiKey('mine'))).caller.role;
  expect(await callerIn(one)).toBe('authenticated');
  expect(await callerIn(other)).toBe('anon');
  await Promise.all([one.drop(), other.drop()]);
});
