import { describe, expect, test } from 'vitest';

import { finish } from '#libs/steps';

import { readScript } from './read-script.js';
import { checkRowsOnly, checkTransaction } from './script-rules.js';

const splitStatements = (script: string) => finish(readScript(script)).statements;
const checkScript = (script: string) => checkTransaction(finish(readScript(script)));
const rowStatements = (script: string) => checkRowsOnly(finish(readScript(script)), 'here');

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
    {
      name: 'white space beyond ASCII is part of a name, as for PostgreSQL',
      script: 'select 1 as \u00a0$$; commit; select 2 as \ufeff$$; x',
      words: ['select', 'commit', 'select', 'x'],
    },
    {
      name: 'a comment of dashes behind an escape string',
      script: `select e'a' ${'-'.repeat(10_000)}\n; commit`,
      words: ['select', 'commit'],
    },
    { name: 'an open comment too', script: 'select 1 /* a; commit', words: ['select'] },
  ])('$name', ({ script, words }) => {
    expect(splitStatements(script).map(({ words: [first] }) => first ?? '')).toEqual(words);
  });
});

describe('text that PostgreSQL gets as another', () => {
  test.each([
    { name: 'a tag of half a character', script: 'select $\ud800$ $\ud801$; commit; $\ud800$' },
    { name: 'the other half', script: "select '\udc00'" },
    { name: 'a zero character', script: 'select \0' },
  ])('$name is refused', ({ script }) => {
    expect(() => splitStatements(script)).toThrow(/^query: /);
  });
});

test('more statements than the limit are refused', () => {
  expect(splitStatements('a;'.repeat(10_000))).toHaveLength(10_000);
  expect(() => splitStatements('a;'.repeat(10_001))).toThrow('more than 10000 statements');
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
    // Names and labels that are words of bodies.
    `create function begin() returns int language sql as 'select 1'; commit; select 1`,
    'create function f() returns int begin atomic select 1 as case; end; commit; select 1',
    'create function f() returns int begin atomic select 1 case; end; commit; select 1',
    'create function f(begin atomic) returns int language sql return 1; commit',
    'create function f() returns int begin atomic end; commit',
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
  const script = `insert into t values ('${'x'.repeat(1_000_000)}'); ${'select 1; '.repeat(9_000)}`;
  expect(splitStatements(script)).toHaveLength(9_001);
});

describe('a script on rows', () => {
  test.each([
    'select 1',
    '(select 1) union (select 2)',
    'with a as (select 1) insert into t select * from a returning *',
    'update t set a = 1; delete from t; merge into t using s on true when matched then delete',
    "insert into t values ('do; alter role x')",
    'values (1); table t; explain analyze select 1; show timezone',
    ' -- nothing',
  ])('may be %s', (script) => {
    expect(() => rowStatements(script)).not.toThrow();
  });

  test.each([
    ['do', `do $$ begin execute 'alter role current_user password ''x''' ; end $$`],
    ['alter', `select 1; alter role current_user password 'x'`],
    ['alter', `select E'\\''; alter user a; select '`],
    ['set', 'set role none'],
    ['reset', 'reset role'],
    ['create', 'create table t (a int)'],
    ['drop', 'drop table t'],
    ['grant', 'grant select on t to public'],
    ['call', 'call p()'],
    ['copy', 'copy t from stdin'],
    ['prepare', 'prepare a as select 1'],
    ['execute', 'execute a'],
    ['declare', 'declare c cursor for select 1'],
    ['lock', 'lock t'],
    ['listen', 'listen a'],
    ['discard', 'discard all'],
    ['this', '"select" 1'],
  ])('may not begin with %s: %s', (word, script) => {
    expect(() => rowStatements(script)).toThrow(`not with ${word}`);
  });
});
