import { expect, test } from 'vitest';

import { lossesIn } from './destructive.js';

test.each([
  { sql: 'drop table planets', word: 'drop' },
  { sql: '/* a; */ DROP schema x cascade;', word: 'drop' },
  { sql: 'truncate planets, moons', word: 'truncate' },
  { sql: 'alter table planets drop column name', word: 'drop' },
  { sql: 'alter table planets alter column name drop default', word: 'drop' },
  { sql: 'delete from planets', word: 'delete' },
  { sql: 'delete from planets using moons', word: 'delete' },
  { sql: `update planets set name = 'where'`, word: 'update' },
  { sql: 'update planets set n = (select 1 from moons where id = 1)', word: 'update' },
  { sql: 'with gone as (delete from planets returning id) select * from gone', word: 'delete' },
  { sql: 'with a as (select 1 where true) delete from planets', word: 'delete' },
  { sql: 'explain analyze delete from planets', word: 'delete' },
  { sql: 'explain analyse delete from planets', word: 'delete' },
  { sql: 'explain (analyse) delete from planets', word: 'delete' },
  { sql: 'explain (analyze, format json) update planets set n = 1', word: 'update' },
  { sql: 'update planets set n = 1 -- where id = 1', word: 'update' },
])('$sql needs the word $word', ({ sql, word }) => {
  expect(lossesIn(sql).map((loss) => loss.word)).toEqual([word]);
});

test.each([
  'select * from planets',
  'delete from planets where id = 1',
  'update planets set n = 1 where id = 1',
  'update planets set n = (select 1) where id = 1',
  'with gone as (delete from planets where id = 1 returning id) select * from gone',
  `select 'drop table planets'`,
  `select $a$; drop table planets; $a$`,
  '-- drop table planets',
  '/* drop /* nested */ table planets */ select 1',
  'select * from planets for update',
  'select * from planets for no key update',
  'insert into planets values (1) on conflict (id) do update set n = 1',
  'grant update, delete on planets to anon',
  'create policy p on planets for delete using (true)',
  'create trigger t before update or delete on planets for each row execute function f()',
  'alter table planets add column dropped int',
  'alter table planets add constraint c foreign key (a) references moons on delete cascade',
  'explain delete from planets',
  'select "drop" from planets',
  'create function f() returns void language sql as $$ delete from planets $$',
])('%s goes on at once', (sql) => {
  expect(lossesIn(sql)).toEqual([]);
});

test('each loss has its own text', () => {
  const losses = lossesIn(`select 1; drop table a; select ';'; delete from b;`);
  expect(losses.map(({ sql }) => sql)).toEqual(['drop table a', 'delete from b']);
});
