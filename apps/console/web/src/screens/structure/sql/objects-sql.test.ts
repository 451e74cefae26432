import { expect, test } from 'vitest';

import { scriptOf } from '../change.js';
import { changeEnum, createEnum, dropEnum, enumProblem } from './enum-sql.js';
import { defineFunction, dropFunction, grantFunction } from './function-sql.js';
import {
  addCheck,
  addForeignKey,
  addUnique,
  createIndex,
  dropConstraint,
  dropIndex,
} from './keys-sql.js';
import { createTrigger, dropTrigger, switchTrigger } from './trigger-sql.js';

const table = { schema: 'public', name: 'Notes' };
const index = {
  name: '',
  columns: ['a', 'Odd name'],
  expression: '',
  method: 'btree',
  isUnique: false,
  where: '',
} as const;
const mood = { schema: 'public', name: 'mood', values: ['calm', 'odd'], comment: null };
const value = (text: string, before?: string) => ({ key: text, before, value: text });
const add = {
  schema: 'public',
  name: 'add',
  identityArguments: 'a integer, "Odd" text',
  kind: 'function',
} as const;

test.each([
  {
    name: 'an index on columns',
    change: createIndex(table, index),
    sql: 'create index on public."Notes" using btree (a, "Odd name");',
  },
  {
    name: 'a unique index on an expression of some rows',
    change: createIndex(table, {
      ...index,
      name: 'By',
      expression: 'lower(a)',
      isUnique: true,
      where: 'a > 1',
    }),
    sql: 'create unique index "By" on public."Notes" using btree (lower(a)) where a > 1;',
  },
  {
    name: 'a dropped index',
    change: dropIndex(table, 'By'),
    sql: 'drop index public."By";',
  },
  {
    name: 'a foreign key of two columns',
    change: addForeignKey(table, {
      name: 'of_place',
      pairs: [
        { column: 'y', foreignColumn: 'b' },
        { column: 'x', foreignColumn: 'a' },
      ],
      schema: 'public',
      table: 'places',
      onUpdate: 'cascade',
      onDelete: 'set null',
    }),
    sql: 'alter table public."Notes" add constraint of_place foreign key (y, x) references public.places (b, a) on update cascade on delete set null;',
  },
  {
    name: 'a unique constraint',
    change: addUnique(table, '', ['a', 'b']),
    sql: 'alter table public."Notes" add unique (a, b);',
  },
  {
    name: 'a check',
    change: addCheck(table, 'positive', ' a > 0 '),
    sql: 'alter table public."Notes" add constraint positive check (a > 0);',
  },
  {
    name: 'a dropped constraint',
    change: dropConstraint(table, 'positive', 'check'),
    sql: 'alter table public."Notes" drop constraint positive;',
  },
  {
    name: 'a trigger',
    change: createTrigger(table, {
      name: 'touch',
      timing: 'before',
      events: ['update', 'insert'],
      level: 'row',
      when: 'new.a > 0',
      function: { schema: 'public', name: 'touch it' },
    }),
    sql: 'create trigger touch before insert or update on public."Notes"\n  for each row\n  when (new.a > 0)\n  execute function public."touch it"();',
  },
  {
    name: 'a trigger that is switched off',
    change: switchTrigger(table, 'touch', false),
    sql: 'alter table public."Notes" disable trigger touch;',
  },
  {
    name: 'a dropped trigger',
    change: dropTrigger(table, 'touch'),
    sql: 'drop trigger touch on public."Notes";',
  },
  {
    name: 'a new enum',
    change: createEnum('public', {
      name: 'mood',
      comment: 'How',
      values: [value('calm'), value(`it's`)],
    }),
    sql: `create type public.mood as enum ('calm', 'it''s');\ncomment on type public.mood is 'How';`,
  },
  {
    name: 'an enum with new values first, between and last, and one renamed',
    change: changeEnum(mood, {
      name: 'moods',
      comment: '',
      values: [
        value('first'),
        value('quiet', 'calm'),
        value('between'),
        value('odd', 'odd'),
        value('last'),
      ],
    }),
    sql: [
      `alter type public.mood rename value 'calm' to 'quiet';`,
      `alter type public.mood add value 'first' before 'quiet';`,
      `alter type public.mood add value 'between' after 'quiet';`,
      `alter type public.mood add value 'last' after 'odd';`,
      'alter type public.mood rename to moods;',
    ].join('\n'),
  },
  {
    name: 'a dropped enum',
    change: dropEnum(mood, []),
    sql: 'drop type public.mood;',
  },
  {
    name: 'a function as it was written',
    change: defineFunction(
      'create function f() returns int language sql as $$ select 1; $$; ',
      'f',
    ),
    sql: 'create function f() returns int language sql as $$ select 1; $$;',
  },
  {
    name: 'a dropped function',
    change: dropFunction(add),
    sql: 'drop function public.add(a integer, "Odd" text);',
  },
  {
    name: 'a function for one role',
    change: grantFunction(add, ['authenticated']),
    sql: 'revoke execute on function public.add(a integer, "Odd" text) from public, anon, authenticated, service_role;\ngrant execute on function public.add(a integer, "Odd" text) to authenticated;',
  },
])('$name', ({ change, sql }) => {
  expect(scriptOf(change)).toBe(sql);
  expect(change.confirm === undefined).toBe(change.losses.length === 0);
});

test.each([
  { name: 'an enum without values', draft: { name: 'a', comment: '', values: [] } },
  { name: 'an enum without a name', draft: { name: '', comment: '', values: [value('x')] } },
  { name: 'an empty value', draft: { name: 'a', comment: '', values: [value('')] } },
  { name: 'a value twice', draft: { name: 'a', comment: '', values: [value('x'), value('x')] } },
])('$name is refused', ({ draft }) => {
  expect(enumProblem(draft)).toBeTruthy();
  expect(enumProblem({ name: 'a', comment: '', values: [value('x')] })).toBeUndefined();
});

test.each([
  {
    change: createIndex(table, index),
    title: 'Create an index on Notes',
    done: 'The index on Notes was created.',
  },
  {
    change: createEnum('public', { name: 'mood', comment: '', values: [value('calm')] }),
    title: 'Create the enum mood',
    done: 'The enum mood was created.',
  },
  {
    change: grantFunction(add, []),
    title: 'Change who may call add',
    done: 'The rights on add are changed.',
  },
  {
    change: dropTrigger(table, 'touch'),
    title: 'Drop the trigger touch',
    done: 'The trigger touch was dropped.',
  },
])('$title: $done', ({ change, title, done }) => {
  expect(change).toMatchObject({ title, done });
});

test('a column that uses an enum is named among what prevents dropping it', () => {
  const tables = [{ ...table, columns: [{ name: 'mood', baseType: 'public.mood' }] }];
  expect(dropEnum(mood, tables).losses).toContain(
    'The column Notes.mood uses the enum, so the enum cannot be dropped without CASCADE.',
  );
});
