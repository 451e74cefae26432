import { expect, test } from 'vitest';

import { readScript } from '#libs/database';
import { finish } from '#libs/steps';

import { maskSql as maskScript } from './mask-sql.js';

const maskSql = (sql: string) => finish(maskScript(finish(readScript(sql))));

test.each([
  { name: 'the password of a role', sql: `alter role a password 'geheim'`, secret: 'geheim' },
  { name: 'in an escape string', sql: `alter role a password E'ge\\x41'`, secret: 'ge' },
  { name: 'in dollar quotes', sql: `alter role a password $x$geheim$x$`, secret: 'geheim' },
  {
    name: 'in a literal within a literal',
    sql: `do $$ begin execute 'alter role a password ''geheim'''; end $$`,
    secret: 'geheim',
  },
  { name: 'with a quote in it', sql: `create role a password 'ge''heim'`, secret: 'heim' },
  {
    name: 'a verifier',
    sql: `select 'SCRAM-SHA-256$4096:c2FsdA==$c3RvcmVk:c2VydmVy'`,
    secret: 'c3RvcmVk',
  },
  {
    name: 'a bearer token',
    sql: `select net('Authorization: Bearer abcdefgh1234')`,
    secret: 'abcd',
  },
  { name: 'a JWT', sql: `select 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.x'`, secret: 'eyJ' },
  { name: 'a named parameter', sql: `select f(secret => 'geheim')`, secret: 'geheim' },
  { name: 'a field of JSON', sql: `select '{"apiKey": "geheim"}'::jsonb`, secret: 'geheim' },
  { name: 'a key-like literal', sql: `select 'a8f3kd93jfk20dkfj39fkd02'`, secret: 'a8f3' },
  { name: 'a connection string', sql: `select 'postgres://u:geheim@h/d'`, secret: 'geheim' },
  {
    name: 'an escape string with a quote',
    sql: String.raw`alter role a set x.password = E'a\'s geheim2'`,
  },
  { name: 'behind a comment', sql: `alter role a password /* c */ 'geheim'` },
  { name: 'behind a comment of a line', sql: `alter role a password -- c\n 'geheim'` },
  { name: 'in parentheses', sql: `select password = ('geheim')` },
  { name: 'in a national string', sql: `select password = N'geheim'` },
  { name: 'in a Unicode string', sql: `select password = U&'geheim'` },
  { name: 'to be hashed', sql: `select crypt('geheim', gen_salt('bf'))` },
  { name: 'a hash', sql: `update a set password_hash = 'geheim'` },
  { name: 'for a format', sql: `select format('alter role a password %L', 'geheim')` },
  { name: 'in a key word string', sql: `select dblink_connect('host=a password=geheim')` },
  { name: 'in two parts', sql: `alter role a password 'x' || 'geheim'` },
  { name: 'over two lines', sql: `alter role a password 'x'\n 'geheim'` },
  { name: 'pwd', sql: `update a set pwd = 'geheim'` },
  { name: 'in a list of values', sql: `insert into a (name, password) values ('b', 'geheim')` },
  { name: 'before its name', sql: `select 'geheim' as secret` },
  { name: 'far from its name', sql: `select 'geheim', '${'x '.repeat(40_000)}' as token` },
  { name: 'a setting', sql: `set app.jwt_secret to 'geheim'` },
  { name: 'a setting without quotes', sql: `set app.jwt_secret = geheim` },
  { name: 'a setting in a quoted name', sql: `set app.jwt_secret to "geheim"` },
  { name: 'a setting of a role', sql: `alter role a set app.jwt_secret to geheim` },
  { name: 'a setting of a database', sql: `alter database a set app.jwt_secret = "geheim"` },
  { name: 'in a comment', sql: `select 1; -- alter role a password 'geheim'` },
  { name: 'an open literal', sql: `alter role a password 'geheim` },
  {
    name: 'a literal that begins in what is kept and ends behind it',
    sql: `${'select 1; '.repeat(400)} alter role a password 'geheim${'x'.repeat(9000)}'`,
  },
  {
    name: 'a function that names it',
    sql: `create function f() returns void language plpgsql as $a$ begin call g('password', 'geheim'); end $a$`,
  },
  {
    name: 'a private key that is cut off',
    sql: `select '-----BEGIN PRIVATE KEY-----\nMIIE`,
    secret: 'MIIE',
  },
])('$name is masked', ({ sql, secret = 'geheim' }: { sql: string; secret?: string }) => {
  expect(maskSql(sql)).not.toContain(secret);
  expect(maskSql(sql)).toContain('[masked]');
});

test.each([
  `select id, name from planets where name = 'Earth'`,
  `select * from users where id = '0e8400e2-9b41-4d4a-a716-446655440000'`,
  `select 'a-very-long-word-without-any-figure'`,
  `select monkey from zoo where name = 'keyboard'`,
  `create table a (id int primary key, name text default 'none')`,
  'create function check_password() returns text language sql as $$ select name from a $$',
  `alter table a add column password_hint text default 'none'`,
])('%s stays as it is', (sql) => {
  expect(maskSql(sql)).toBe(sql);
});

test('4 KB are kept, of whole characters', () => {
  const kept = maskSql(`select '${'ü'.repeat(5000)}'`);
  expect(Buffer.byteLength(kept)).toBeLessThan(4110);
  expect(kept).not.toContain('\uFFFD');
});

test.each([
  { name: 'quotes', sql: `select 1 -- token${"'".repeat(36_000)}${'x'.repeat(28_000)}` },
  { name: 'blanks', sql: `token${' '.repeat(64_000)}` },
  { name: 'names of secrets', sql: `"${'secret'.repeat(12_000)}` },
  { name: 'addresses', sql: '://a:'.repeat(12_000) },
])('a script of many $name is masked before the test times out', ({ sql }) => {
  expect(maskSql(sql).length).toBeLessThan(4200);
});

test.each([
  `password ''`,
  `'`,
  `password $$`,
  `-----BEGIN PRIVATE KEY-----`,
  'password   ',
  'a:b@',
])('a text of nothing but %s is masked before the test times out', (part) => {
  expect(maskSql(part.repeat(20_000)).length).toBeLessThan(4200);
});
