import { expect, test } from 'vitest';

import { dropSql, rlsSql, saveSql } from './policy-sql.js';

const draft = {
  name: 'join',
  command: 'select',
  roles: ['public', 'authorization'],
  using: 'true',
  check: '',
  isPermissive: true,
} as const;
const left = { schema: 'public', name: 'left' };

test('a policy whose names are key words is written with quotes', () => {
  expect(saveSql(left, draft)).toBe(
    'create policy "join" on public."left"\n  for select to public, "authorization"\n  using (true);',
  );
  expect(dropSql(left, 'is')).toBe('drop policy "is" on public."left";');
  expect(rlsSql({ schema: 'full', name: 'notes' }, true)).toBe(
    'alter table "full".notes enable row level security;',
  );
});
