// Keys with which programs act for a user, made and used by our own client.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Accounts, dataOf, openAccounts, type Person } from './support/accounts.js';

/** What everybody may read: a credential that nobody has is none at all. */
const asVisitor = [{ body: 'for visitors' }];
let accounts: Accounts;

beforeAll(async () => {
  accounts = await openAccounts({ settings: { 'auth.apiKey': { enabled: true, maxKeys: 4 } } });
  await accounts.project.sql(`
    create table notes (id serial primary key, owner text not null default auth.uid(), body text);
    grant select, insert on notes to anon, authenticated;
    grant usage on sequence notes_id_seq to anon, authenticated;
    create policy own on notes for all to authenticated
      using (owner = auth.uid()) with check (owner = auth.uid());
    insert into notes (owner, body) values ('nobody', 'for visitors');
    create policy visitors on notes for select to anon using (owner = 'nobody');
  `);
});
afterAll(() => accounts.close());

/** The client of a program that has this key and nothing else. */
const program = (key: string) =>
  accounts.open({ headers: { authorization: `Bearer ${key}` } }).client;

async function withKey(): Promise<Person & { readonly key: string; readonly keyId: string }> {
  const person = await accounts.signedUp();
  const made = await dataOf(person.auth.apiKey.create({ name: 'script' }));
  return { ...person, key: made.key, keyId: made.id };
}

/** What a program with this key reads: the bodies of the notes, or the status of the refusal. */
async function read(key: string): Promise<unknown> {
  const { data, error } = await program(key).from('notes').select('body');
  return error?.status ?? data;
}

describe('a key', () => {
  test('is shown when it is made, and never again', async () => {
    const { auth, key, keyId } = await withKey();
    expect(key).toMatch(/^uak_\w{20,}/);
    const listed = await dataOf(auth.apiKey.list());
    expect(listed).toMatchObject({
      apiKeys: [{ id: keyId, name: 'script', enabled: true }],
      total: 1,
    });
    const shown = await dataOf(auth.apiKey.get({ id: keyId }));
    expect(JSON.stringify([listed, shown])).not.toContain(key);
    expect(key.startsWith(shown.start ?? 'none')).toBe(true);
    const stored = JSON.stringify(await accounts.rows('select * from auth.apikey'));
    expect(stored).not.toContain(key);
  });

  test('acts as its user under row level security', async () => {
    const owner = await withKey();
    const other = await withKey();
    const written = await program(owner.key)
      .from('notes')
      .insert({ body: 'mine' })
      .select()
      .single();
    expect(written.data).toMatchObject({ owner: owner.id, body: 'mine' });
    expect(await read(owner.key)).toEqual([{ body: 'mine' }]);
    expect(await read(other.key)).toEqual([]);
    const bySession = await owner.client.from('notes').select('body');
    expect(bySession.data).toEqual([{ body: 'mine' }]);
  });

  test('works no more from the request after its deletion on', async () => {
    const { auth, key, keyId } = await withKey();
    expect(await read(key)).toEqual([]);
    expect(await dataOf(auth.apiKey.delete({ keyId }))).toEqual({ success: true });
    expect(await read(key)).toEqual(asVisitor);
    expect((await dataOf(auth.apiKey.list())).apiKeys).toEqual([]);
  });

  test('works not while it is turned off', async () => {
    const { auth, key, keyId } = await withKey();
    expect((await dataOf(auth.apiKey.update({ keyId, enabled: false }))).enabled).toBe(false);
    expect(await read(key)).toEqual(asVisitor);
    await dataOf(auth.apiKey.update({ keyId, enabled: true, name: 'renamed' }));
    expect(await read(key)).toEqual([]);
    expect((await dataOf(auth.apiKey.get({ id: keyId }))).name).toBe('renamed');
  });

  test('works until it expires', async () => {
    const { auth } = await accounts.signedUp();
    const { key, id, expiresAt } = await dataOf(auth.apiKey.create({ expiresIn: 86_400 }));
    expect(Date.parse(expiresAt ?? '')).toBeGreaterThan(Date.now());
    expect(await read(key)).toEqual([]);
    await accounts.rows(
      `update auth.apikey set "expiresAt" = now() - interval '1 second' where id = $1`,
      [id],
    );
    expect(await read(key)).toEqual(asVisitor);
  });

  test('works not for a user who was deactivated', async () => {
    const { key, id } = await withKey();
    const { auth } = accounts.open({}, accounts.project.secretKey);
    await dataOf(auth.admin.updateUserById(id, { status: 'inactive' }));
    expect(await read(key)).toBe(403);
  });

  test.each([
    { name: 'no other keys', call: ({ auth }: Client) => auth.apiKey.create({ name: 'more' }) },
    { name: 'no keys seen', call: ({ auth }: Client) => auth.apiKey.list() },
    {
      name: 'no password',
      call: ({ auth }: Client) =>
        auth.updateUser({ password: 'another one', currentPassword: 'correct horse battery' }),
    },
    { name: 'no account deleted', call: ({ auth }: Client) => auth.deleteUser() },
  ])('gives its program $name', async ({ call }) => {
    const { key, keyId, auth } = await withKey();
    const { error } = await call(program(key));
    expect(error?.status).toBeGreaterThanOrEqual(401);
    const { apiKeys } = await dataOf(auth.apiKey.list());
    expect(apiKeys.map(({ id }) => id)).toEqual([keyId]);
  });
});

type Client = Person['client'];

describe('keys', () => {
  test('are as many as the project allows', async () => {
    const { auth } = await accounts.signedUp();
    const answers = await Promise.all(Array.from({ length: 6 }, () => auth.apiKey.create()));
    expect(answers.filter(({ error }) => error === null)).toHaveLength(4);
    expect((await dataOf(auth.apiKey.list({ limit: 3, offset: 1 }))).apiKeys).toHaveLength(3);
  });

  test('of somebody else are neither seen, changed nor deleted', async () => {
    const owner = await withKey();
    const { keyId } = owner;
    const { apiKey } = (await accounts.signedUp()).auth;
    const answers = await Promise.all([
      apiKey.get({ id: keyId }),
      apiKey.update({ keyId, enabled: false }),
      apiKey.delete({ keyId }),
    ]);
    expect(answers.map(({ error }) => error?.status)).toEqual([404, 404, 404]);
    expect(await read(owner.key)).toEqual([]);
  });

  test('are for who is signed in', async () => {
    const answer = await accounts.open().auth.apiKey.create({ name: 'x' });
    expect(answer).toMatchObject({ data: null, error: { status: 401 } });
  });

  test.each(['uak_', 'uak_nobody', 'uak_x.y', `uak_${'a'.repeat(64)}`])(
    '%j, which nobody has, opens nothing',
    async (key) => {
      expect(await read(key)).toEqual(asVisitor);
    },
  );
});
