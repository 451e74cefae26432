// The owner of a project owns storage.files for its policies alone: nothing else about the schema storage
// can be changed by it, on any way, and its own tables are none of the guard's business.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from 'pg';
import { createStorageProject, oneOf, type StorageFixture } from './storage-fixture.js';

let project: StorageFixture;
let owner: Client;
let shape: unknown;

beforeAll(async () => {
  project = await createStorageProject();
  owner = await project.login('owner');
  await owner.query(`
    create schema if not exists mine;
    create table taken_in (like storage.files including all);
    create table decoy (id int);
    create function evil() returns trigger language plpgsql as $$begin return null; end$$;
    create function evil_text() returns text language sql as $$select 'evil'$$;
    create function is_evil(text) returns boolean language sql immutable as $$select true$$`);
  await project.admin.query(`
    insert into storage.buckets (slug, name) values ('docs', 'Docs');
    insert into storage.stored_files (bucket, key, upload_id, stored_key, driver)
    values ('docs', 'a.txt', gen_random_uuid(), 'a.txt', 'local')`);
  shape = await readShape();
});
afterAll(() => project.drop());

/** Everything about the schema that the guard keeps, and the rows of files. */
async function readShape(): Promise<unknown> {
  const { rows } = await project.admin.query(`
    select jsonb_object_agg(part.key, md5(part.value)) as shape from jsonb_each_text(jsonb_build_object(
      'relations', (select jsonb_agg(to_jsonb(c) - '{relpages,reltuples,relallvisible,relallfrozen,relfrozenxid,relminmxid}'::text[]
        order by c.oid) from pg_class c where relnamespace = 'storage'::regnamespace),
      'columns', (select jsonb_agg(to_jsonb(a) order by attrelid, attnum) from pg_attribute a
        where attrelid = any (array['storage.files', 'storage.stored_files']::regclass[])),
      'triggers', (select jsonb_agg(to_jsonb(t) order by t.oid) from pg_trigger t
        where tgrelid in (select oid from pg_class where relnamespace = 'storage'::regnamespace)),
      'rules', (select jsonb_agg(r.oid) from pg_rewrite r
        where ev_class in (select oid from pg_class where relnamespace = 'storage'::regnamespace)),
      'constraints', (select jsonb_agg(to_jsonb(c) order by c.oid) from pg_constraint c
        where connamespace = 'storage'::regnamespace or confrelid in (
          select oid from pg_class where relnamespace = 'storage'::regnamespace)),
      'inherits', (select jsonb_agg(to_jsonb(i)) from pg_inherits i
        where 'storage.files'::regclass in (inhrelid, inhparent)),
      'functions', (select jsonb_agg(to_jsonb(p) order by p.oid) from pg_proc p
        where pronamespace = 'storage'::regnamespace),
      'published', (select count(*) from pg_publication_rel),
      'statistics', (select count(*) from pg_statistic_ext),
      'of extensions', (select count(*) from pg_depend where refclassid = 'pg_extension'::regclass
        and objid in (select oid from pg_class where relnamespace = 'storage'::regnamespace)),
      'default rights', (select count(*) from pg_default_acl where defaclnamespace = 'storage'::regnamespace),
      'schema', (select to_jsonb(n) from pg_namespace n where nspname = 'storage'),
      'event triggers', (select jsonb_agg(to_jsonb(e) order by e.oid) from pg_event_trigger e),
      'rows', (select jsonb_agg(to_jsonb(f)) from storage.stored_files f)
    )) part`);
  return oneOf(rows);
}

const asFunction = (statement: string) =>
  `create or replace function run() returns void language plpgsql security definer as
     $run$begin execute $code$${statement}$code$; end$run$;
   select run()`;

describe('the owner of the project is refused', () => {
  afterEach(async () => {
    expect(await readShape()).toEqual(shape);
  });

  test.each([
    'create trigger t before insert on storage.files for each row execute function evil()',
    'create constraint trigger t after update on storage.files for each row execute function evil()',
    'create trigger t before insert on storage.stored_files for each row execute function evil()',
    'drop trigger refuse_write on storage.files',
    'alter trigger refuse_write on storage.files rename to other',
    'alter table storage.files disable trigger refuse_write',
    'alter table storage.files disable trigger all',
    'alter table storage.files disable row level security',
    'alter table storage.files force row level security',
    'create rule r as on insert to storage.files do instead nothing',
    'create rule r as on update to storage.files do also delete from decoy',
    'create index on storage.files (key)',
    'create index concurrently on storage.files (key)',
    'create index concurrently evil_idx on storage.stored_files (key) where is_evil(key)',
    'drop index concurrently storage.stored_files_owner_id_idx',
    'alter index storage.stored_files_pkey rename to other',
    'create statistics s on bucket, key from storage.files',
    'create statistics s on (is_evil(key)), key from storage.files',
    'alter table storage.files add column evil text default evil_text()',
    'alter table only storage.files alter column key set default evil_text()',
    'alter table storage.files alter column key drop not null',
    'alter table storage.files alter column size type text using evil_text()',
    'alter table storage.files alter column key set statistics 0',
    'alter table storage.files rename column key to path',
    'alter table storage.files drop column key cascade',
    'alter table storage.files drop column size cascade',
    'alter table storage.files add constraint c check (is_evil(key)) no inherit',
    'alter table storage.files add constraint c check (is_evil(key)) not valid',
    'alter table storage.files add constraint c unique (id)',
    'alter table storage.files drop constraint files_size_check cascade',
    'alter table storage.files rename to other',
    'alter table storage.files set schema public',
    'alter table storage.files set schema mine',
    'alter table storage.files set unlogged',
    'alter table storage.files set (fillfactor = 10)',
    'alter table storage.files replica identity nothing',
    'alter table storage.files owner to platform_engine',
    'alter table storage.files inherit taken_in',
    'alter table taken_in inherit storage.files',
    'alter table storage.stored_files no inherit storage.files',
    'create table child () inherits (storage.files)',
    'create table refers (file uuid references storage.stored_files (id) on delete cascade)',
    'drop table storage.files cascade',
    'drop table storage.stored_files',
    'drop table storage.buckets cascade',
    'drop schema storage cascade',
    'drop owned by current_user cascade',
    'truncate storage.files',
    'truncate only storage.files',
    'truncate storage.stored_files',
    'delete from storage.files',
    `update storage.files set key = 'other'`,
    `insert into storage.files (bucket, key) values ('docs', 'b.txt')`,
    `copy storage.files (bucket, key) from stdin`,
    `merge into storage.files f using decoy d on true when matched then delete`,
    'select from storage.files for update',
    'do $$begin lock table storage.files in access exclusive mode; end$$',
    'select from storage.stored_files',
    'select from storage.uploads',
    'update storage.buckets set quota_bytes = null',
    'grant all on storage.files to current_user',
    'grant delete on storage.files to current_user',
    'grant trigger on storage.files to authenticated',
    'grant update (key) on storage.files to current_user',
    'grant select on storage.files to public',
    'grant select on storage.files to anon with grant option',
    'revoke insert on storage.files from authenticated',
    'revoke select on storage.files from current_user',
    'alter default privileges in schema storage grant all on tables to current_user',
    'create table storage.mine (id int)',
    'create view storage.mine as select 1',
    'create function storage.mine() returns int language sql as $$select 1$$',
    'create or replace function storage.refuse_write() returns trigger language plpgsql as $$begin return null; end$$',
    'create or replace function storage.may_insert(bucket text, key text, size bigint, media_type text, visibility text, owner_id text, user_metadata jsonb) returns boolean language sql as $$select true$$',
    'drop function storage.refuse_write() cascade',
    'drop function storage.keep_shape() cascade',
    'alter function storage.keep_shape() rename to other',
    `select storage.commit_upload(gen_random_uuid(), 1)`,
    'alter schema storage rename to other',
    'create publication p for table storage.files',
    'create publication p for table only storage.files',
    'create publication p; alter publication p add table only storage.files',
    'create publication p for tables in schema storage',
    'alter event trigger storage_keep_shape disable',
    'drop event trigger storage_keep_shape_drop',
    'set session_replication_role = replica; drop table storage.files cascade',
    `comment on table storage.files is 'evil'`,
    `comment on trigger refuse_write on storage.files is 'evil'`,
    `comment on schema storage is 'evil'`,
    `comment on column storage.files.key is 'evil'`,
    'create policy p on storage.stored_files using (true)',
    'create policy p on storage.buckets using (true)',
    `create extension pgcrypto; alter extension pgcrypto add table storage.files`,
    'create extension pgcrypto; alter trigger refuse_write on storage.files depends on extension pgcrypto',
    'create extension pgcrypto schema storage',
    'create schema more create table child () inherits (storage.files)',
    'create materialized view storage.mine as select 1',
    'create table mine.copy (like storage.files including all); alter table mine.copy inherit storage.files',
    'reassign owned by current_user to authenticated',
  ])('%s', async (statement) => {
    await expect(owner.query(statement)).rejects.toMatchObject({ code: '42501' });
  });

  // PostgreSQL has other reasons to refuse these.
  test.each([
    { statement: 'create table refers (file uuid references storage.files (id))', code: '42830' },
    { statement: 'drop table storage.files', code: '2BP01' },
    { statement: 'drop owned by current_user', code: '2BP01' },
    { statement: 'import foreign schema storage from server s into mine', code: '42704' },
    { statement: 'create server s foreign data wrapper w', code: '42704' },
    { statement: 'create table part partition of storage.files default', code: '42P17' },
    {
      statement: `create schema more create trigger t before insert on storage.files
        for each row execute function evil()`,
      code: '42P15',
    },
  ])('$statement', async ({ statement, code }) => {
    await expect(owner.query(statement)).rejects.toMatchObject({ code });
  });

  test.each([
    'create trigger t before insert on storage.files for each row execute function evil()',
    'alter table storage.files disable row level security',
    'alter table taken_in inherit storage.files',
    'grant all on storage.files to current_user',
    'drop table storage.files cascade',
    'alter table storage.files set schema mine',
  ])('in every wrapping: %s', async (statement) => {
    const wrappings = [
      `do $do$begin ${statement}; end$do$`,
      `do $do$begin execute $code$${statement}$code$; end$do$`,
      `do $do$begin begin ${statement}; exception when others then raise; end; end$do$`,
      asFunction(statement),
      `create procedure p() language plpgsql as $do$begin ${statement}; commit; end$do$; call p()`,
      `set standard_conforming_strings = off; set transform_null_equals = on; set quote_all_identifiers = on; ${statement}`,
      `set search_path = mine, public, pg_catalog; ${statement}`,
    ];
    for (const wrapping of wrappings) {
      await expect(owner.query(wrapping)).rejects.toMatchObject({ code: '42501' });
      await owner.query('reset all');
    }
  });

  test('what a block swallows has not happened', async () => {
    await owner.query(`do $$begin
      grant all on storage.files to current_user;
    exception when others then null; end$$`);
    await owner.query(`do $$begin
      drop table storage.files cascade;
    exception when others then null; end$$`);
  });

  test('code that runs in the middle of a change', async () => {
    await owner.query(`create table rewritten (id int); insert into rewritten values (1);
      create function climb() returns int language plpgsql volatile as
        $$begin grant all on storage.files to current_user; return 1; end$$`);
    const rewrite = 'alter table rewritten alter column id type int using climb()';
    await expect(owner.query(rewrite)).rejects.toMatchObject({ code: '42501' });
  });

  test('a drop of its own that would take the platform along', async () => {
    await owner.query('drop extension if exists pgcrypto; drop table if exists refers');
  });
});

describe('the owner of the project may', () => {
  test.each([
    'create policy p on storage.files for select to anon using (is_evil(key))',
    'create policy q on storage.files as restrictive for insert to authenticated with check (size < 100)',
    `comment on policy p on storage.files is 'why'`,
    'alter policy p on storage.files using (false)',
    'alter policy p on storage.files rename to r',
    'drop policy r on storage.files',
    'do $$begin drop policy q on storage.files; end$$',
    'drop policy own_files_delete on storage.files',
    'create policy own_files_delete on storage.files for delete to authenticated using (owner_id = (select auth.uid()))',
    'select * from storage.files',
    'select * from storage.buckets',
    'analyze storage.files',
    'create view listed with (security_invoker) as select bucket, key from storage.files',
    'create materialized view kept as select count(*) from storage.files',
    'refresh materialized view kept',
    `create function in_policy() returns boolean language sql as 'select true'`,
    'create policy s on storage.files using (in_policy())',
    'drop function in_policy() cascade',
    'create table own (id int primary key, name text default evil_text())',
    'create index concurrently on own (name)',
    'create trigger t before insert on own for each row execute function evil()',
    'create table own_child () inherits (own)',
    'alter table own add column more int; alter table own disable row level security',
    'grant all on own to anon; revoke all on own from anon',
    'create rule r as on delete to own do instead nothing',
    'create publication p for table own; drop publication p',
    'create statistics st on id, name from own; drop statistics st',
    `comment on table own is 'mine'`,
    'create extension pgcrypto; drop extension pgcrypto',
    'alter default privileges in schema public grant select on tables to anon',
    'create temporary table storage (id int); drop table storage',
    'create schema also; create table also.files (id int); drop schema also cascade',
    'drop table own cascade',
    'truncate decoy',
  ])('%s', async (statement) => {
    await owner.query(statement);
  });

  test('and none of it has changed anything else', async () => {
    expect(await readShape()).toEqual(shape);
  });
});

test('a caller may make temporary tables', async () => {
  const api = await project.login('api');
  await project.admin.query(`grant temporary on database ${project.database} to authenticated`);
  await api.query('set role authenticated; create temporary table t (id int); drop table t');
});
