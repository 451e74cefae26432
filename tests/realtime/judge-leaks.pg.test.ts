// Visibility is decided on the row of the event: what a row was or became later neither shows nor hides it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProject, type ProjectFixture } from '../database/project-fixture.js';
import { audience, openStage, type Stage } from './support.js';

let project: ProjectFixture;
let stage: Stage;
beforeAll(async () => {
  project = await createProject();
  stage = await openStage(project);
  await project.admin.query(`
    create table public.docs (id int primary key, owner text, secret text, published bool default false);
    grant select on public.docs to authenticated, service_role;
    create policy own on public.docs for select to authenticated using (owner = auth.uid() or published);
    create table public.parents (id int primary key, owner text);
    grant select on public.parents to authenticated;
    create policy own on public.parents for select using (owner = auth.uid());
    create table public.children (id int primary key, parent int);
    grant select on public.children to authenticated;
    create policy of_parent on public.children for select using (
      exists (select from public.parents p where p.id = parent and p.owner = auth.uid()));`);
});
afterAll(() => project.drop());

const on = (sql: string) => stage.changes('public.docs', sql);

describe('the leak table', () => {
  test('the insert of a private row is hidden, also after it was published without its secret', async () => {
    const [inserted] = await on(`insert into public.docs values (1, 'u1', 'secret')`);
    const updated = await on(`update public.docs set published = true, secret = null where id = 1`);
    if (!inserted) throw new Error('Nothing was captured');
    const verdict = await stage.ask([inserted, ...updated], ['u1', 'u5000']);
    expect(verdict.newVisible).toEqual(['11', '01']);
    expect(verdict.oldVisible).toEqual(['01', '00']);
  });

  test('the insert of a row that is deleted already is visible', async () => {
    const changes = await on(
      `insert into public.docs values (2, 'u5000', 'x'); delete from public.docs where id = 2`,
    );
    const verdict = await stage.ask(changes, ['u5000', 'u1']);
    expect(verdict.newVisible).toEqual(['10', '00']);
    expect(verdict.oldVisible).toEqual(['01', '00']);
    expect(JSON.parse(verdict.oldTexts[1] ?? '')).toEqual({
      id: 2,
      owner: 'u5000',
      secret: 'x',
      published: false,
    });
  });

  test('the old row of an update that hides it is visible, the new one is not', async () => {
    await on(`insert into public.docs values (3, 'u1', 'x', true)`);
    const verdict = await stage.ask(
      await on(`update public.docs set published = false where id = 3`),
      ['u5000'],
    );
    expect([verdict.newVisible, verdict.oldVisible]).toEqual([['0'], ['1']]);
  });

  test('a child that is deleted with its parent is hidden', async () => {
    await project.admin.query(`insert into public.parents values (1, 'u1')`);
    const inserted = await stage.changes(
      'public.children',
      `insert into public.children values (1, 1)`,
    );
    expect((await stage.ask(inserted, ['u1', 'u2'])).newVisible).toEqual(['1', '0']);
    const deleted = await stage.changes(
      'public.children',
      `delete from public.parents; delete from public.children`,
    );
    expect((await stage.ask(deleted, ['u1'])).oldVisible).toEqual(['0']);
  });
});

describe('policies without USING', () => {
  test.each([
    {
      name: 'a permissive one lets nobody read',
      policies: ['for all to authenticated with check (owner = auth.uid())'],
      seen: ['0', '0'],
    },
    {
      name: 'beside another it adds nothing',
      policies: [
        'for all to authenticated with check (owner = auth.uid())',
        'for select to authenticated using (owner = auth.uid())',
      ],
      seen: ['1', '0'],
    },
    {
      name: 'a restrictive one restricts nothing',
      policies: [
        'as restrictive for all to authenticated with check (false)',
        'for select to authenticated using (owner = auth.uid())',
      ],
      seen: ['1', '0'],
    },
  ])('$name', async ({ policies, seen }) => {
    await project.admin.query(`
      drop table if exists public.checked; create table public.checked (id int primary key, owner text);
      grant select on public.checked to authenticated;
      ${policies.map((policy, n) => `create policy p${n} on public.checked ${policy};`).join('\n')}`);
    const changes = await stage.changes(
      'public.checked',
      `insert into public.checked values (1, 'u1')`,
    );
    expect((await stage.ask(changes, ['u1', 'u2'])).newVisible).toEqual(seen);
  });
});

describe('rights that change', () => {
  test('a policy that is changed holds for the next changes, also of rows that are older', async () => {
    const changes = await on(`insert into public.docs values (10, 'u1', 'x')`);
    expect((await stage.ask(changes, ['u1'])).newVisible).toEqual(['1']);
    await project.admin.query(`alter policy own on public.docs using (false)`);
    expect((await stage.ask(changes, ['u1'])).newVisible).toEqual(['0']);
    await project.admin.query(
      `alter policy own on public.docs using (owner = auth.uid() or published)`,
    );
    expect((await stage.ask(changes, ['u1'])).newVisible).toEqual(['1']);
  });

  test.each([
    { name: 'a revoked table', sql: 'revoke select on public.docs from authenticated', seen: '0' },
    {
      name: 'a policy for another role',
      sql: 'alter policy own on public.docs to anon',
      seen: '0',
    },
    { name: 'a policy for everybody', sql: 'alter policy own on public.docs to public', seen: '1' },
    {
      name: 'a restrictive policy',
      sql: 'create policy r on public.docs as restrictive using (false)',
      seen: '0',
    },
    { name: 'no policy left', sql: 'drop policy own on public.docs', seen: '0' },
    {
      name: 'row level security switched off',
      sql: 'drop policy own on public.docs; alter table public.docs disable row level security',
      seen: '1',
    },
    {
      name: 'a function with another body',
      sql: `create function public.yes() returns bool language sql as 'select false'; alter policy own on public.docs using (public.yes())`,
      seen: '0',
    },
    {
      name: 'a schema that is closed',
      sql: 'revoke usage on schema public from public, authenticated',
      seen: '0',
    },
  ])('$name: $seen', async ({ sql, seen }) => {
    const changes = await on(
      `delete from public.docs where id = 11; insert into public.docs values (11, 'u1', 'x')`,
    );
    const [last] = changes.slice(-1);
    if (!last) throw new Error('Nothing was captured');
    expect((await stage.ask([last], ['u1'])).newVisible).toEqual(['1']);
    await project.admin.query(sql);
    expect((await stage.ask([last], ['u1'])).newVisible).toEqual([seen]);
    await project.admin.query(`
      grant usage on schema public to public, authenticated;
      grant select on public.docs to authenticated; alter table public.docs enable row level security;
      drop policy if exists r on public.docs; drop policy if exists own on public.docs;
      drop function if exists public.yes();
      create policy own on public.docs for select to authenticated using (owner = auth.uid() or published);`);
  });

  test('a table of another name under the old one is not taken for it', async () => {
    await project.admin.query(`insert into public.parents values (5, 'u1')`);
    const changes = await stage.changes(
      'public.children',
      'insert into public.children values (5, 5)',
    );
    expect((await stage.ask(changes, ['u1', 'u2'])).newVisible).toEqual(['1', '0']);
    await project.admin.query(`
      alter table public.parents rename to elders;
      create table public.parents (id int, owner text);
      grant select on public.parents to authenticated; alter table public.parents disable row level security;
      insert into public.parents values (5, 'u2');`);
    expect((await stage.ask(changes, ['u1', 'u2'])).newVisible).toEqual(['1', '0']);
  });
});

describe('columns', () => {
  beforeAll(() =>
    project.admin.query(`
      create table public.people (id int primary key, name text, salary numeric, big int8);
      create policy all_see on public.people for select using (true);
      grant select (id, name, big) on public.people to authenticated;`),
  );

  test('those that the role may not read are cut from new and old, and numbers keep their digits', async () => {
    const changes = await stage.changes(
      'public.people',
      `insert into public.people values (1, 'Ada "A"', 1.50, 9007199254740993);
       update public.people set salary = 2`,
    );
    const { newTexts, oldTexts } = await stage.ask(changes, ['u1']);
    const expected = '{"id":1,"name":"Ada \\"A\\"","big":9007199254740993}';
    expect([newTexts, oldTexts]).toEqual([
      [expected, expected],
      [null, expected],
    ]);
  });

  test('a column that was dropped or renamed since is cut, too', async () => {
    const changes = await stage.changes(
      'public.people',
      `insert into public.people values (2, 'b', 7)`,
    );
    await project.admin.query(`
      grant select on public.people to authenticated; alter table public.people drop column salary`);
    const { newTexts } = await stage.ask(changes, ['u1']);
    expect(JSON.parse(newTexts[0] ?? '')).toEqual({ id: 2, name: 'b', big: null });
  });

  test('a row without a column that the policy reads is hidden', async () => {
    const changes = await stage.changes(
      'public.people',
      `insert into public.people values (3, 'c')`,
    );
    await project.admin.query(`
      alter table public.people add column private bool;
      alter policy all_see on public.people using (private is not true)`);
    expect((await stage.ask(changes, ['u1'])).newVisible).toEqual(['0']);
    const later = await stage.changes('public.people', `insert into public.people values (4, 'd')`);
    expect((await stage.ask(later, ['u1'])).newVisible).toEqual(['1']);
  });

  test('a row that does not fit the table any more is hidden, and no other', async () => {
    const text = await stage.changes(
      'public.people',
      `insert into public.people values (5, 'five')`,
    );
    const digits = await stage.changes(
      'public.people',
      `insert into public.people values (6, '6')`,
    );
    await project.admin.query(`
      delete from public.people; alter table public.people alter column name type int using name::int`);
    expect((await stage.ask([...text, ...digits], ['u1'])).newVisible).toEqual(['01']);
  });
});

test('service_role sees everything, an unknown table nobody', async () => {
  const changes = await on(`insert into public.docs values (20, 'u1', 'x')`);
  const question = { changes, audiences: [audience('')], filters: [] };
  const table = changes[0]?.table ?? 0;
  const all = await stage.visibility.decide({ ...question, table, role: 'service_role' });
  expect([all.newVisible, all.newTexts]).toEqual([['1'], [changes[0]?.newText]]);
  const none = await stage.visibility.decide({ ...question, table: 1, role: 'anon' });
  expect([none.newVisible, none.hasGap]).toEqual([['0'], true]);
});
