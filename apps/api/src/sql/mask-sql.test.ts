import { expect, test } from '@jest/globals';

import { maskSql } from './mask-sql.js';

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
    name: 'a private key that is cut off',
    sql: `select '-----BEGIN PRIVATE KEY-----\nMIIE`,
    secret: 'MIIE',
  },
])('$name is masked', ({ sql, secret }) => {
  expect(maskSql(sql)).not.toContain(secret);
  expect(maskSql(sql)).toContain('[masked]');
});

test.each([
  `select id, name from planets where name = 'Earth'`,
  `select * from users where id = '0e8400e2-9b41-4d4a-a716-446655440000'`,
  `select 'a-very-long-word-without-any-figure'`,
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
  { name: 'quotes', sql: `select 1 -- token${"'".repeat(9000)}${'x'.repeat(7000)}` },
  { name: 'blanks', sql: `token${' '.repeat(16_000)}` },
  { name: 'names of secrets', sql: `"${'secret'.repeat(3000)}` },
  { name: 'addresses', sql: '://a:'.repeat(3000) },
])('a script of many $name is masked in a moment', ({ sql }) => {
  const begun = process.cpuUsage();
  maskSql(sql);
  // Quotes took 8 seconds.
  expect(process.cpuUsage(begun).user).toBeLessThan(500_000);
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
