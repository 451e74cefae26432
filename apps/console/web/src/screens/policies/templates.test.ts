import { expect, test } from 'vitest';

import { saveSql } from './policy-sql.js';
import { policySentence } from './sentence.js';
import { templatesFor, type TemplateTable } from './templates.js';

const column = (name: string, type = 'uuid', table?: string) => ({
  name,
  type,
  references: table === undefined ? null : { schema: 'auth', table, column: 'id' },
});
const notes: TemplateTable = {
  schema: 'public',
  name: 'notes',
  columns: [
    column('id'),
    column('writer', 'uuid', 'user'),
    column('team_id'),
    column('public', 'boolean'),
  ],
};
const members: TemplateTable = {
  schema: 'public',
  name: 'members',
  columns: [column('team_id'), column('user_id')],
};

const sentences = (table: TemplateTable, tables: readonly TemplateTable[] = [table]) =>
  templatesFor({ table, tables, idType: 'uuid' }).map(
    ({ title, draft, lacks }) =>
      `${title}: ${policySentence({ ...draft, check: null })}${lacks === undefined ? '' : ' (lacks)'}`,
  );

test('a template names the columns of the table, and says in words what it does', () => {
  expect(sentences(notes, [notes, members])).toEqual([
    'Own rows: Signed-in users may read, add, change and delete rows whose writer is the caller.',
    'Members of an organization: Signed-in users may read, add, change and delete rows whose team_id is one of those that members has for the caller.',
    'Public read: Everyone may read rows whose public is true.',
    'A role in the claims: Signed-in users may read, add, change and delete every row if the claim app_metadata.role of the caller is “editor”.',
    'Signed-in users only: Signed-in users may read every row.',
    'Administrators: Signed-in users may read, add, change and delete every row if the claim user_role of the caller is “ADMIN”.',
  ]);
});

test('templates that the table has no column for come last', () => {
  const bare = { schema: 'public', name: 'bare', columns: [column('id')] };
  expect(sentences(bare).map((sentence) => sentence.split(':')[0])).toEqual([
    'Public read',
    'A role in the claims',
    'Signed-in users only',
    'Administrators',
    'Own rows',
    'Members of an organization',
  ]);
  expect(sentences(bare).filter((sentence) => sentence.endsWith('(lacks)'))).toHaveLength(2);
});

test('ids of users in a text column are compared as text', () => {
  const table = { schema: 'public', name: 't', columns: [column('user_id', 'text')] };
  const [own] = templatesFor({ table, tables: [table], idType: 'uuid' });
  expect(own?.draft.using).toBe('user_id = (select auth.uid()::text)');
});

test('a draft is shown as the SQL that saves it', () => {
  const draft = {
    name: 'Own rows',
    command: 'select',
    roles: ['anon', 'authenticated'],
    using: ' "Owner" = auth.uid() ',
    check: 'left over',
    isPermissive: false,
  } as const;
  expect(
    saveSql({ schema: 'public', name: 'user' }, draft, { replaces: 'old', comment: "it's" }),
  ).toBe(
    [
      'drop policy old on public."user";',
      'create policy "Own rows" on public."user"',
      '  as restrictive',
      '  for select to anon, authenticated',
      '  using ("Owner" = auth.uid());',
      `comment on policy "Own rows" on public."user" is 'it''s';`,
    ].join('\n'),
  );
});
