import { expect, test } from 'vitest';

import { policySentence, rowsOf, type SpokenPolicy } from './sentence.js';

test.each([
  ['true', 'every row'],
  ['false', 'no row'],
  ['(owner = auth.uid())', 'rows whose owner is the caller'],
  ['(owner = ( SELECT auth.uid() AS uid))', 'rows whose owner is the caller'],
  ['owner = (select auth.uid())', 'rows whose owner is the caller'],
  ['(auth.uid() = user_id)', 'rows whose user_id is the caller'],
  ['((owner)::text = (auth.uid())::text)', 'rows whose owner is the caller'],
  ['(owner = (select auth.uid()::text))', 'rows whose owner is the caller'],
  ['is_public', 'rows whose is_public is true'],
  ['(NOT locked)', 'rows whose locked is false'],
  [`(status = 'it''s'::text)`, `rows whose status is “it's”`],
  ['(deleted_at IS NULL)', 'rows without deleted_at'],
  ['(auth.uid() IS NOT NULL)', 'every row if the caller is signed in'],
  [
    `((auth.jwt() ->> 'user_role'::text) = 'ADMIN'::text)`,
    'every row if the claim user_role of the caller is “ADMIN”',
  ],
  [
    `(( SELECT (auth.jwt() ->> 'user_role'::text)) = 'ADMIN'::text)`,
    'every row if the claim user_role of the caller is “ADMIN”',
  ],
  [
    `(((auth.jwt() -> 'app_metadata'::text) ->> 'role'::text) = 'editor'::text)`,
    'every row if the claim app_metadata.role of the caller is “editor”',
  ],
  [
    `(organization_id = (auth.jwt() ->> 'org_id'::text))`,
    'rows whose organization_id is the claim org_id of the caller',
  ],
  [
    `(organization_id = ( SELECT (auth.jwt() ->> 'org_id'::text)))`,
    'rows whose organization_id is the claim org_id of the caller',
  ],
  [
    `((owner = auth.uid()) AND (NOT locked))`,
    'rows whose owner is the caller and whose locked is false',
  ],
  [
    `((owner = auth.uid()) OR is_public)`,
    'rows whose owner is the caller or whose is_public is true',
  ],
  [
    `((owner = auth.uid()) OR ((auth.jwt() ->> 'user_role'::text) = 'ADMIN'::text))`,
    'rows whose owner is the caller, or every row if the claim user_role of the caller is “ADMIN”',
  ],
  [
    `(team_id IN ( SELECT members.team_id FROM public.members WHERE (members.user_id = ( SELECT auth.uid() AS uid))))`,
    'rows whose team_id is one of those that members has for the caller',
  ],
  [
    `(EXISTS ( SELECT 1 FROM public.members m WHERE ((m.team_id = docs.team_id) AND (m.user_id = auth.uid()))))`,
    'rows for which EXISTS ( SELECT 1 FROM public.members m WHERE ((m.team_id = docs.team_id) AND (m.user_id = auth.uid()))) is true',
  ],
  [
    `(EXISTS ( SELECT 1\n   FROM public.admins\n  WHERE (admins.user_id = ( SELECT auth.uid() AS uid))))`,
    'every row if admins has a row of the caller',
  ],
  [
    `(EXISTS ( SELECT 1 FROM admins a WHERE (docs.owner = auth.uid())))`,
    'rows for which EXISTS ( SELECT 1 FROM admins a WHERE (docs.owner = auth.uid())) is true',
  ],
  [
    `EXISTS (SELECT 1 FROM members WHERE user_id = auth.uid() AND role = 'admin')`,
    `rows for which EXISTS (SELECT 1 FROM members WHERE user_id = auth.uid() AND role = 'admin') is true`,
  ],
  [
    `EXISTS (SELECT 1 FROM members WHERE user_id <> auth.uid())`,
    'rows for which EXISTS (SELECT 1 FROM members WHERE user_id <> auth.uid()) is true',
  ],
  [
    `team_id IN (SELECT team_id FROM members WHERE user_id = auth.uid() AND role = 'admin')`,
    `rows for which team_id IN (SELECT team_id FROM members WHERE user_id = auth.uid() AND role = 'admin') is true`,
  ],
  [
    `team_id NOT IN (SELECT team_id FROM members WHERE user_id = auth.uid())`,
    'rows for which team_id NOT IN (SELECT team_id FROM members WHERE user_id = auth.uid()) is true',
  ],
  [
    `team_id IN (SELECT max(team_id) FROM members WHERE user_id = auth.uid())`,
    'rows for which team_id IN (SELECT max(team_id) FROM members WHERE user_id = auth.uid()) is true',
  ],
  ['NOT owner = auth.uid()', 'rows for which NOT owner = auth.uid() is true'],
  ['(length(body) < 10)', 'rows for which length(body) < 10 is true'],
  [`(body = 'a) OR (b'::text)`, 'rows whose body is “a) OR (b”'],
])('%s: %s', (expression, words) => {
  expect(rowsOf(expression)).toBe(words);
});

const policy: SpokenPolicy = {
  command: 'select',
  roles: ['authenticated'],
  using: '(owner = auth.uid())',
  check: null,
  isPermissive: true,
};

test.each([
  [{}, 'Signed-in users may read rows whose owner is the caller.'],
  [{ roles: ['public'], using: 'true' }, 'Everyone may read every row.'],
  [
    { roles: ['anon', 'authenticated'] },
    'Visitors and signed-in users may read rows whose owner is the caller.',
  ],
  [{ roles: ['editor'] }, 'The role editor may read rows whose owner is the caller.'],
  [
    { command: 'all' },
    'Signed-in users may read, add, change and delete rows whose owner is the caller.',
  ],
  [
    { command: 'insert', using: null, check: '(owner = auth.uid())' },
    'Signed-in users may add rows whose owner is the caller.',
  ],
  [
    { command: 'update', check: '(NOT locked)' },
    'Signed-in users may change rows whose owner is the caller into rows whose locked is false.',
  ],
  [
    { command: 'all', check: 'true' },
    'Signed-in users may read, change and delete rows whose owner is the caller, and write every row.',
  ],
  [
    { isPermissive: false, roles: ['public'], using: '(NOT locked)' },
    'Everyone may read nothing but rows whose locked is false, whatever other policies say.',
  ],
] as const)('%o', (change, sentence) => {
  expect(policySentence({ ...policy, ...change })).toBe(sentence);
});

test('a very long expression is quoted in part', () => {
  const using = `${'(auth.uid() IS NOT NULL) OR ('.repeat(2_000)}true${')'.repeat(2_000)}`;
  const sentence = policySentence({
    command: 'select',
    roles: ['anon'],
    using,
    check: null,
    isPermissive: true,
  });
  expect(sentence).toBe(`Visitors may read rows for which ${using.slice(0, 200)}… is true.`);
});
