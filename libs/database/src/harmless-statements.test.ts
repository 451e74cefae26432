import { expect, test } from '@jest/globals';

import { leavesNothing } from './harmless-statements.js';

test.each([
  'select "primary".* from (select * from "auth"."user" where "auth"."user"."id" = $1) as "primary"',
  'select u.status from auth."user" u where u.id = $1 and u.until > now()',
  '\n  SELECT id FROM auth.account WHERE id IN ($1, $2) AND (a or b)',
  'select count(*) from auth.session where lower(name) = lower($1)',
  'insert into "auth"."session" ("expiresAt", "token") values ($1, $2) returning *',
  'insert into "auth"."verification" ("id") values ($1)',
])('leaves nothing: %s', (statement) => {
  expect(leavesNothing(statement)).toBe(true);
});

test.each([
  'select auth.delete_user($1)',
  'select auth.delete_user ($1)',
  "select set_config('search_path', 'public', false)",
  'select public.now()',
  'select "now"()',
  'select known()',
  'select id from public.count(1)',
  'select 1; set search_path to public',
  'with gone as (delete from auth.session returning id) select id from gone',
  'insert into "public"."notes" ("id") values ($1) returning *',
  'insert into "auth"."session" ("id") values (public.f($1))',
  'insert into "auth"."session" ("id") values ($1); select 1',
  'insert into "auth"."session" ("id") select $1',
  'update auth.session set id = $1',
  'begin',
  '',
])('may leave something: %s', (statement) => {
  expect(leavesNothing(statement)).toBe(false);
});
