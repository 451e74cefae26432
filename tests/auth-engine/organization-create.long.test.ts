import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuthProject } from './auth-project.js';
import {
  bring,
  claimsOf,
  found,
  join,
  openOrganizations,
  outcome,
  store,
  type Person,
} from './organization-people.js';

let project: AuthProject;
let owner: Person;
let other: Person;

beforeAll(async () => {
  project = await openOrganizations();
  owner = await join(project, 'owner@x.dev');
  other = await join(project, 'other@x.dev');
});
afterAll(() => project.close());

describe('create', () => {
  test('answers the organization with its owner, in one shape', async () => {
    const reply = await owner.post('create', {
      name: 'Acme',
      slug: 'acme',
      logo: 'https://x.dev/logo.png',
      metadata: { plan: 'pro' },
    });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      name: 'Acme',
      slug: 'acme',
      metadata: { plan: 'pro' },
      members: [{ userId: owner.id, role: 'owner' }],
    });
    expect(reply.body).not.toHaveProperty('creatorId');
    const listed = await owner.get('list');
    expect(listed.body).toMatchObject([{ slug: 'acme', metadata: { plan: 'pro' } }]);
  });

  test('makes the new one active unless keepCurrentActiveOrganization is set', async () => {
    const first = await found(owner, 'first');
    expect(await claimsOf(project, owner)).toMatchObject({ org_id: first, org_role: 'owner' });
    const body = { name: 'Second', slug: 'second', keepCurrentActiveOrganization: true };
    expect((await owner.post('create', body)).status).toBe(200);
    expect(await claimsOf(project, owner)).toMatchObject({ org_id: first });
  });

  test('leaves nothing behind when the member cannot be made', async () => {
    await project.sql(`
      create function public.no_member() returns trigger language plpgsql as
        $$ begin raise exception 'no member today'; end $$;
      create trigger no_member before insert on auth.member
        for each row execute function public.no_member()`);
    const reply = await owner.post('create', { name: 'Orphan', slug: 'orphan' });
    await project.sql('drop trigger no_member on auth.member; drop function public.no_member()');
    expect(reply.status).toBe(500);
    expect(await project.sql(`select from auth.organization where slug = 'orphan'`)).toEqual([]);
  });

  test.each([
    { name: 'no name', body: { slug: 'aa' }, outcome: '400 VALIDATION_ERROR' },
    { name: 'a name of spaces', body: { name: '  ', slug: 'aa' }, outcome: '400 INVALID_INPUT' },
    {
      name: 'a long name',
      body: { name: 'n'.repeat(201), slug: 'aa' },
      outcome: '400 INVALID_INPUT',
    },
    { name: 'a name with NUL', body: { name: 'a\0b', slug: 'aa' }, outcome: '400 INVALID_INPUT' },
    {
      name: 'a line break in the name',
      body: { name: 'a\nb', slug: 'aa' },
      outcome: '400 INVALID_INPUT',
    },
    { name: 'capitals in the slug', body: { name: 'A', slug: 'Aa' }, outcome: '400 INVALID_INPUT' },
    { name: 'a slash in the slug', body: { name: 'A', slug: 'a/b' }, outcome: '400 INVALID_INPUT' },
    {
      name: 'a long slug',
      body: { name: 'A', slug: 'a'.repeat(64) },
      outcome: '400 INVALID_INPUT',
    },
    {
      name: 'a long logo',
      body: { name: 'A', slug: 'aa', logo: 'l'.repeat(2001) },
      outcome: '400 INVALID_INPUT',
    },
    {
      name: 'much metadata',
      body: { name: 'A', slug: 'aa', metadata: { a: 'm'.repeat(8192) } },
      outcome: '400 INVALID_INPUT',
    },
    {
      name: 'metadata that is a list',
      body: { name: 'A', slug: 'aa', metadata: [1] },
      outcome: '400 INVALID_INPUT',
    },
    {
      name: 'another owner',
      body: { name: 'A', slug: 'aa', userId: 'x' },
      outcome: '400 FIELD_NOT_ALLOWED',
    },
    { name: 'an id', body: { name: 'A', slug: 'aa', id: 'x' }, outcome: '400 FIELD_NOT_ALLOWED' },
    {
      name: 'a creator',
      body: { name: 'A', slug: 'aa', creatorId: 'x' },
      outcome: '400 FIELD_NOT_ALLOWED',
    },
  ])('refuses $name', async ({ body, outcome: expected }) => {
    expect(outcome(await owner.post('create', body))).toBe(expected);
    expect(await project.sql(`select from auth.organization where slug = 'aa'`)).toEqual([]);
  });

  test('refuses a slug that is taken, also for creations at the same moment', async () => {
    await found(owner, 'taken');
    const taken = { name: 'Taken', slug: 'taken' };
    expect(outcome(await other.post('create', taken))).toBe('400 ORGANIZATION_SLUG_ALREADY_TAKEN');
    const race = { name: 'Race', slug: 'race' };
    const replies = await Promise.all([1, 2, 3, 4].map(() => owner.post('create', race)));
    expect(replies.map(outcome).sort()).toEqual([
      '200',
      ...Array<string>(3).fill('400 ORGANIZATION_SLUG_ALREADY_TAKEN'),
    ]);
  });

  test('checkSlug tells taken slugs by status 400', async () => {
    await found(owner, 'checked');
    expect(outcome(await other.post('check-slug', { slug: 'checked' }))).toBe(
      '400 ORGANIZATION_SLUG_ALREADY_TAKEN',
    );
    const free = await other.post('check-slug', { slug: 'unchecked' });
    expect(free).toMatchObject({ status: 200, body: { status: true } });
    expect(outcome(await other.post('check-slug', { slug: 'Not a slug' }))).toBe(
      '400 INVALID_INPUT',
    );
  });

  test('is for signed-in users', async () => {
    const reply = await project.post('/organization/create', { body: { name: 'A', slug: 'none' } });
    expect(outcome(reply)).toBe('401 UNAUTHORIZED');
  });
});

describe('update and delete', () => {
  test('an owner changes name, slug, logo and metadata; nothing else can be set', async () => {
    const organizationId = await found(owner, 'before');
    const data = { name: 'After', slug: 'after', logo: null, metadata: { a: 1 } };
    const reply = await owner.post('update', { organizationId, data });
    expect(reply).toMatchObject({ status: 200, body: { slug: 'after', metadata: { a: 1 } } });
    const refused = { organizationId, data: { creatorId: other.id } };
    expect(outcome(await owner.post('update', refused))).toBe('400 FIELD_NOT_ALLOWED');
    expect(outcome(await owner.post('update', { organizationId, data: {} }))).toBe(
      '400 INVALID_INPUT',
    );
    const takenSlug = { organizationId, data: { slug: 'acme' } };
    expect(outcome(await owner.post('update', takenSlug))).toBe(
      '400 ORGANIZATION_SLUG_ALREADY_TAKEN',
    );
  });

  test('without organizationId the active organization is meant', async () => {
    const organizationId = await found(owner, 'active-one');
    const reply = await owner.post('update', { data: { name: 'Changed' } });
    expect(reply.body).toMatchObject({ id: organizationId, name: 'Changed' });
  });

  test('an admin updates and does not delete; a member does neither; a stranger learns nothing', async () => {
    const organizationId = await found(owner, 'roles');
    const admin = await join(project, 'roles-admin@x.dev');
    const member = await join(project, 'roles-member@x.dev');
    await bring(owner, organizationId, { person: admin, role: 'admin' });
    await bring(owner, organizationId, { person: member });
    const update = { organizationId, data: { name: 'By admin' } };
    expect((await admin.post('update', update)).status).toBe(200);
    expect((await admin.post('delete', { organizationId })).status).toBe(403);
    expect((await member.post('update', update)).status).toBe(403);
    expect((await member.post('delete', { organizationId })).status).toBe(403);
    const strange = await other.post('update', update);
    expect(outcome(strange)).toBe(
      outcome(await other.post('update', { ...update, organizationId: 'none' })),
    );
  });

  test('an owner deletes the organization with all that belongs to it', async () => {
    const organizationId = await found(owner, 'deleted');
    const member = await join(project, 'deleted-member@x.dev');
    await bring(owner, organizationId, { person: member });
    expect((await owner.post('delete', { organizationId })).status).toBe(200);
    expect(
      await project.sql('select from auth.member where "organizationId" = $1', [organizationId]),
    ).toEqual([]);
    expect(await claimsOf(project, owner)).toBeUndefined();
    expect(await claimsOf(project, member)).toBeUndefined();
  });
});

test('delete and leave mean the active organization when they name none', async () => {
  const deleted = await found(owner, 'active-deleted');
  expect(await owner.post('delete')).toMatchObject({ status: 200, body: { id: deleted } });
  expect(outcome(await owner.post('delete'))).toBe('400 NO_ACTIVE_ORGANIZATION');
  const left = await found(owner, 'active-left');
  await bring(owner, left, { person: other, role: 'admin' });
  expect(await other.post('leave')).toMatchObject({ status: 200, body: { organizationId: left } });
  expect(outcome(await other.post('leave'))).toBe('400 NO_ACTIVE_ORGANIZATION');
  expect(outcome(await project.post('/organization/delete', { body: {} }))).toBe(
    '401 UNAUTHORIZED',
  );
});

describe('who may create, and how many', () => {
  test('allowUserToCreateOrganization off refuses with 403', async () => {
    const via = await project.rebuild({
      'auth.organization': { allowUserToCreateOrganization: false },
    });
    const reply = await project.post('/organization/create', {
      via,
      headers: { authorization: `Bearer ${owner.token}` },
      body: { name: 'No', slug: 'not-allowed' },
    });
    expect(outcome(reply)).toBe('403 YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION');
  });

  test('maxOrganizations counts what the user created, exactly under concurrency', async () => {
    const creator = await join(project, 'creator@x.dev');
    await bring(owner, await found(owner, 'joined-only'), { person: creator, role: 'owner' });
    await store(project, { maxOrganizations: 2 });
    const replies = await Promise.all(
      [1, 2, 3, 4, 5].map((n) => creator.post('create', { name: 'N', slug: `many-${n}` })),
    );
    await store(project, {});
    expect(replies.map(outcome).sort()).toEqual([
      '200',
      '200',
      ...Array<string>(3).fill('403 YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS'),
    ]);
  });
});

test('enabled off: every route of organizations is 404', async () => {
  const closed = await openOrganizations({ enabled: false, teamsEnabled: true });
  try {
    const person = await join(closed, 'a@x.dev');
    const replies = await Promise.all([
      person.post('create', { name: 'A', slug: 'a' }),
      person.get('list'),
      person.post('create-team', { name: 'A' }),
      person.get('list-user-invitations'),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  } finally {
    await closed.close();
  }
});

test('the same slugs and ids in two projects never meet', async () => {
  const second = await openOrganizations();
  try {
    const theirs = await join(second, 'owner@x.dev');
    const organizationId = await found(theirs, 'shared');
    const ours = await found(owner, 'shared');
    expect(organizationId).not.toBe(ours);
    for (const reply of [
      await owner.get('get-full-organization', { organizationId }),
      await owner.post('set-active', { organizationId }),
      await owner.get('list-members', { organizationId }),
    ]) {
      expect(reply.status).toBeGreaterThanOrEqual(400);
    }
    const crossed = await second.get('/organization/list', {
      headers: { authorization: `Bearer ${owner.token}` },
    });
    expect(crossed.status).toBe(401);
    // Even one and the same id is another organization.
    await second.sql(
      `insert into auth.organization (id, name, slug) values ($1, 'Theirs', 'copy')`,
      [ours],
    );
    await second.sql(
      `insert into auth.member (id, "organizationId", "userId", role) values ('m', $1, $2, 'owner')`,
      [ours, theirs.id],
    );
    const [here, there] = await Promise.all(
      [owner, theirs].map((each) => each.get('get-full-organization', { organizationId: ours })),
    );
    expect(here?.body).toMatchObject({ slug: 'shared', members: [{ userId: owner.id }] });
    expect(there?.body).toMatchObject({ slug: 'copy', members: [{ userId: theirs.id }] });
  } finally {
    await second.close();
  }
});
