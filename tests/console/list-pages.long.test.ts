// Lists of the console that grow come in pages: `limit`, a cursor, and `next` in the answer.
import { createOrganization } from '#libs/control-plane';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startConsole, type TestConsole } from './console-under-test.js';
import { uniqueWord } from './control-plane-fixture.js';
import { addMember, openOwnedProject, type OwnedProject } from './members-fixture.js';

let site: TestConsole;
let token: string;
let owned: OwnedProject;
beforeAll(async () => {
  site = await startConsole();
  token = await site.signIn(site.admin.email, site.admin.password);
  owned = await openOwnedProject(site);
  const { organizationId, ref } = owned;
  for (const email of [
    'b+c@test.example',
    'a@test.example',
    '"d e"@test.example',
    'z@test.example',
  ]) {
    const { id } = await site.addOperator(email);
    const row = [uniqueWord('m'), id, organizationId];
    const add = `insert into membership (id, operator_id, organization_id, project_ref, role) values ($1, $2, $3, $4, 'viewer')`;
    await site.fixture.controlPlane.dataSource.query(add, [...row, null]);
    await site.fixture.controlPlane.dataSource.query(add, [`${row[0]}p`, id, organizationId, ref]);
    const body = { email: `for-${email.replaceAll(/[" ]/g, '')}`, organizationId, role: 'viewer' };
    await site.call('POST', '/platform/operators/invitations', { token, body });
  }
  const { actor } = site.fixture;
  const ownerId = (await site.addOperator()).id;
  for (const name of ['Same', 'Same', 'Other']) {
    const { manager } = site.fixture.controlPlane.dataSource;
    await createOrganization(manager, actor, { name, slug: uniqueWord('s'), ownerId });
  }
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
});

/** The members of each list in the test of pages without `limit`: one more than a page has. */
const addMany = async (): Promise<void> => {
  const { manager } = site.fixture.controlPlane.dataSource;
  const words = "select 'many' || n as word from pg_catalog.generate_series(1, 51) n";
  await manager.query(
    `with words as (${words}), added as (
       insert into organization (id, name, slug) select word, word, word from words
     ), operators as (
       insert into operator (id, email) select word, word || '@many.example' from words
     )
     insert into operator_invitation (
       id, email, organization_id, role, token_hash, invited_by, created_at, expires_at
     )
     select word, word || '@many.example', $1, 'viewer', word, $2, pg_catalog.now(), 'infinity'
     from words`,
    [owned.organizationId, site.fixture.actor.operatorId],
  );
  await manager.query(
    `insert into membership (id, operator_id, organization_id, role)
     select word, word, $1, 'viewer' from (${words}) words`,
    [owned.organizationId],
  );
};

const lists = [
  { list: 'organizations', cursor: 'after', path: () => '/platform/organizations?' },
  { list: 'operators', cursor: 'after', path: () => '/platform/operators?' },
  {
    list: 'members',
    cursor: 'after',
    path: () => `/platform/organizations/${owned.organizationId}/members?`,
  },
  {
    list: 'invitations',
    cursor: 'before',
    path: () => `/platform/operators/invitations?organizationId=${owned.organizationId}&`,
  },
];

interface Row {
  readonly id: string;
  readonly email?: string;
}

describe.each(lists)('$list', ({ list, cursor, path }) => {
  const read = async (query: string): Promise<{ rows: Row[]; next: string | null }> => {
    const { status, body, text } = await site.call('GET', path() + query, { token });
    expect(status, text).toBe(200);
    return { rows: body[list], next: body.next };
  };

  test('have in pages what they have in one', async () => {
    const whole = await read('limit=200');
    expect(whole.next).toBeNull();
    expect(whole.rows.length).toBeGreaterThan(2);
    const paged: Row[] = [];
    let next: string | null = '';
    while (next !== null) {
      const page = await read(`limit=1${next === '' ? '' : `&${cursor}=${next}`}`);
      expect(page.rows).toHaveLength(1);
      paged.push(...page.rows);
      ({ next } = page);
    }
    expect(paged).toEqual(whole.rows);
  });

  test('have 50 rows in a page unless the request says otherwise, and 200 at most', async () => {
    const { body } = await site.call('GET', '/docs/json');
    const route = path().replace(owned.organizationId, '{organizationId}').split('?')[0] ?? '';
    const described = body.paths[route].get.parameters;
    expect(described).toContainEqual(
      expect.objectContaining({
        name: 'limit',
        schema: expect.objectContaining({ default: 50, maximum: 200 }),
      }),
    );
    for (const refused of ['limit=0', 'limit=201', 'limit=x']) {
      const reply = await site.call('GET', path() + refused, { token });
      expect(reply).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } });
    }
  });

  test.each([
    { name: 'no cursor', text: 'x' },
    { name: 'a cursor of another list', text: encode(['a', 'b', 'c']) },
    { name: 'values that are no texts', text: encode([1, 2]) },
    { name: 'the character 0', text: encode(list === 'operators' ? ['\0'] : ['\0', '\0']) },
  ])('refuse $name as their cursor', async ({ text }) => {
    const reply = await site.call('GET', `${path()}${cursor}=${text}`, { token });
    expect(reply).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } });
    expect(reply.body.message).toContain(cursor);
  });
});

test.each([
  { name: 'a day that no month has', at: '2024-02-30T00:00:00.000Z' },
  { name: 'the year 0', at: '0000-01-01T00:00:00.000Z' },
])('invitations refuse $name in their cursor', async ({ at }) => {
  const path = `/platform/operators/invitations?organizationId=${owned.organizationId}`;
  const reply = await site.call('GET', `${path}&before=${encode([at, 'x'])}`, { token });
  expect(reply).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } });
  expect(reply.body.message).toContain('before');
});

function encode(key: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url');
}

test('a page of members continues after a member who was removed meanwhile', async () => {
  const path = `/platform/organizations/${owned.organizationId}/members`;
  const gone = await addMember(site, owned, { role: 'viewer' });
  const whole = await site.call('GET', `${path}?limit=200`, { token });
  const emails: string[] = whole.body.members.map(({ email }: Row) => email);
  const place = emails.indexOf(gone.email);
  const first = await site.call('GET', `${path}?limit=${place + 1}`, { token });
  expect(first.body.members.at(-1)).toMatchObject({ email: gone.email });
  const id = String(first.body.members.at(-1).id);
  expect((await site.call('DELETE', `${path}/${id}`, { token })).status).toBe(204);
  const second = await site.call('GET', `${path}?after=${first.body.next}`, { token });
  expect(second.body.members).toEqual(whole.body.members.slice(place + 1));
});

describe('a list with more than 50 rows', () => {
  beforeAll(addMany);

  test.each(lists)('of $list has 50 and a `next` without `limit`', async ({ list, path }) => {
    const { body } = await site.call('GET', path(), { token });
    expect(body[list]).toHaveLength(50);
    expect(body.next).toEqual(expect.any(String));
  });
});
