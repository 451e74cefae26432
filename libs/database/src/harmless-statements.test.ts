import { expect, test } from 'vitest';

import { leavesNothing } from './harmless-statements.js';

test.each([
  'select "primary".* from (select * from "auth"."user" where "auth"."user"."id" = $1) as "primary"',
  'select u.status from auth."user" u where u.id = $1 and u.until > now()',
  '\n  SELECT id FROM auth.account WHERE id IN ($1, $2) AND (a or b)',
  'select count(*) from auth.session where lower(name) = lower($1)',
  'insert into "auth"."session" ("expiresAt", "token") values ($1, $2) returning *',
  'insert into "auth"."verification" ("id") values ($1)',
  `select storage.reserve_upload(\n    $1, now() + make_interval(secs => $2), decode($3, 'hex')) as outcome`,
  `select c.outcome, json_build_object('id', (c.file).id, 'sha256', encode((c.file).sha256, 'hex')) as file
    from storage.commit_upload($1, decode($2, 'hex')) c left join storage.buckets b on b.slug = (c.file).bucket`,
  `select v.version::pg_catalog.text, pg_catalog.current_setting('server_version_num'), coalesce(
    pg_catalog.json_agg(pg_catalog.json_build_object('name', name)), '[]') from platform.schema_version v`,
  `select l.seq, pg_catalog.sum(least(l.bytes, 2)) over () as bytes from realtime.run cross join lateral realtime.read(
    pg_catalog.concat($1::pg_catalog.text, '/', realtime.current_position(), '/0'), $2, $3, $4) l`,
  `select realtime.current_position() as "position", pg_catalog.rowhouse_running(
    array(select pg_catalog.pg_snapshot_xip(pg_catalog.pg_current_snapshot()))) as running`,
])('leaves nothing: %s', (statement) => {
  expect(leavesNothing(statement)).toBe(true);
});

test.each([
  'select auth.delete_user($1)',
  'select auth.delete_user ($1)',
  "select set_config('search_path', 'public', false)",
  'select public.now()',
  'select public.json_agg(n) from auth.session',
  "select pg_catalog.set_config('search_path', 'public', false)",
  'select public.reserve_upload($1)',
  'select storage.may_insert($1)',
  'select 1, (select known())',
  'select known((a))',
  'select sum(a) from auth.session',
  'select public.current_position()',
  'select now(known(a))',
  'select public.storage.reserve_upload($1)',
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
