import { describe, expect, test } from '@jest/globals';
import { checkScript } from './script-rules.js';
import { openingWords } from './split-statements.js';

describe('statements of a script', () => {
  test.each([
    { name: 'nothing', script: ' ;; -- only a comment\n /* and /* nested */ one */ ;', words: [] },
    { name: 'two', script: 'select 1; update t set a = 2', words: ['select', 'update'] },
    {
      name: 'in strings',
      script: `select 'a;commit;b', 'it''s;'; delete`,
      words: ['select', 'delete'],
    },
    { name: 'in quoted names', script: 'select 1 as "a;""b"; drop', words: ['select', 'drop'] },
    {
      name: 'in dollar quotes',
      script: 'do $$ begin; end; $$; do $a$ $$; $b$ $a$; x',
      words: ['do', 'do', 'x'],
    },
    {
      name: 'a dollar inside a name opens nothing',
      script: 'a$b$ ; commit; $b$',
      words: ['a$b$', 'commit', ''],
    },
    { name: 'parameters', script: 'select $1; commit', words: ['select', 'commit'] },
    {
      name: 'a plain string ends at a backslash quote',
      script: `select 'a\\'; commit`,
      words: ['select', 'commit'],
    },
    {
      name: 'an escape string does not',
      script: `select E'a\\'; commit'; x`,
      words: ['select', 'x'],
    },
    {
      name: 'an escape string goes on in the next line',
      script: `select E'a' -- note\n '\\'' ; commit; select '`,
      words: ['select', 'commit', 'select'],
    },
    {
      name: 'in parentheses, as in rules',
      script: 'create rule r as do (a; b); x',
      words: ['create', 'x'],
    },
    {
      name: 'in a function body',
      script: `create or replace function f() returns int begin atomic
        select case when true then 1 end; select 2; end; commit`,
      words: ['create', 'commit'],
    },
    { name: 'an open string runs to the end', script: `select 'a; commit`, words: ['select'] },
    { name: 'an open comment too', script: 'select 1 /* a; commit', words: ['select'] },
  ])('$name', ({ script, words }) => {
    expect(openingWords(script).map(([first]) => first ?? '')).toEqual(words);
  });
});

describe('transaction control is refused', () => {
  test.each([
    'begin',
    'BEGIN; select 1',
    'select 1; commit',
    'select 1;;/* x */ -- y\n Commit ;select 2',
    'start transaction',
    'rollback',
    'rollback to savepoint a',
    'abort',
    'end',
    `prepare transaction 'x'`,
    `select E'a'\n'\\'' ; commit; select '`,
  ])('%s', (script) => {
    expect(() => checkScript(script)).toThrow(/one transaction/);
  });
});

describe('and nothing else is', () => {
  test.each([
    `select 'commit'`,
    'prepare a as select 1',
    'do $$ begin perform 1; end $$',
    'select 1 as begin',
    'create table commit_log (a int)',
    'create function f() returns int begin atomic select 1; end',
    'vacuum',
  ])('%s', (script) => {
    expect(() => checkScript(script)).not.toThrow();
  });
});

test('a zero character is refused', () => {
  expect(() => checkScript('select 1\0; drop')).toThrow(/zero character/);
});

test('a long script is read in reasonable time', () => {
  const script = `insert into t values ('${'x'.repeat(1_000_000)}'); ${'select 1; '.repeat(50_000)}`;
  expect(openingWords(script)).toHaveLength(50_001);
});
