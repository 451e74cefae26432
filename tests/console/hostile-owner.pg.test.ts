// A project's owner prepares its database for the moment when the platform works there: with functions, operators and
// types that fit better than the built-in ones, and with locks.
import {
  createProject,
  deleteProject,
  ensureMigrated,
  projectCondition,
  type ProjectsContext,
} from '#libs/control-plane';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import pg from 'pg';
import {
  asAdmin,
  databaseIdOf,
  openFixture,
  tracesOf,
  uniqueWord,
  type ControlPlaneFixture,
} from './control-plane-fixture.js';

let fixture: ControlPlaneFixture;
beforeAll(async () => {
  fixture = await openFixture();
}, 60_000);
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
}, 60_000);

interface Hostile {
  readonly ref: string;
  readonly url: string;
}

async function newProject(idType: 'text' | 'uuid' = 'text'): Promise<Hostile> {
  const { organizationId } = fixture;
  const { ref, databaseUrl } = await createProject(fixture.context, fixture.actor, {
    name: 'Hostile',
    ref: uniqueWord('h'),
    idType,
    organizationId,
  });
  return { ref, url: databaseUrl };
}

/** The next release: a migration that says nothing with its schema, as one that was written in a hurry. */
const newer = (): ProjectsContext => ({
  ...fixture.context,
  release: {
    ...fixture.context.release,
    migrations: [
      ...fixture.context.release.migrations,
      {
        name: '9999_hurried',
        sql: `
create table if not exists platform.hurried (id int primary key, word text default lower('A'), at timestamptz default now());
do $$ begin
  if exists (select from pg_class where relname = 'hurried' and length(relname) > 1 and 2 + 2 = 4) then
    execute format('insert into platform.hurried (id, word) values (%s, %L)', abs(-1), left(concat('a', 'b'), 1));
  end if;
  perform count(*), max(id), string_agg(word, ','), coalesce(min(word), 'x') || 'y', hashtextextended('a', 0)
  from platform.hurried where word like 'a%' and id = any (array[1, 2]) and word <> 'b';
end $$;`,
      },
    ],
    hash: 'fffffffffff0',
  },
});

// For each function of pg_catalog a sibling in public for the types that literals and names have, and operators of
// the common names for pairs of types that PostgreSQL itself converts. Each notes who has called it.
const overloads = `
create table public.calls (who text, what text);
alter table public.calls disable row level security;
grant insert on public.calls to public;
grant usage on schema public to public;
create function public.note(what text) returns void language plpgsql security invoker as $$begin
  insert into public.calls values (current_user, what);
end$$;
do $plant$
declare
  victim record;
  arguments text;
begin
  for victim in
    select p.proname, p.prorettype::regtype::text as result, p.proretset,
      array(
        select case t::regtype::text
          when 'bigint' then 'integer' when 'name' then 'text' when 'oid' then 'integer'
          when 'anyelement' then 'text' when '"any"' then 'text' when 'anyarray' then 'integer[]'
          when 'anycompatible' then 'text' when 'text' then 'name' when 'double precision' then 'integer'
          else t::regtype::text end
        from unnest(p.proargtypes) with ordinality as a(t, n) order by n
      ) as types
    from pg_proc p
    where p.pronamespace = 'pg_catalog'::regnamespace and p.prokind in ('f', 'a') and p.pronargs between 1 and 4
      and p.prorettype::regtype::text !~ '^any|trigger|internal|cstring|handler|"any"|^pg_|^reg|record'
  loop
    arguments := array_to_string(victim.types, ', ');
    if arguments ~ 'any|internal|cstring|"any"|pg_|trigger|handler' then continue; end if;
    begin
      execute format('create function public.%I(%s) returns %s language plpgsql as %L', victim.proname, arguments,
        case when victim.proretset then 'setof ' || victim.result else victim.result end,
        format('begin perform public.note(%L); return%s; end', victim.proname,
          case when victim.proretset then '' else ' null' end));
    exception when others then null;
    end;
  end loop;
end
$plant$;
create function public.equal_names(name, text) returns boolean language plpgsql as
  $$begin perform public.note('='); return true; end$$;
create operator public.= (leftarg = name, rightarg = text, function = public.equal_names);
create function public.join_texts(text, name) returns text language plpgsql as
  $$begin perform public.note('||'); return ''; end$$;
create operator public.|| (leftarg = text, rightarg = name, function = public.join_texts);
create function public.check_word(text) returns boolean language plpgsql as
  $$begin perform public.note('domain'); return true; end$$;
create domain public.text as pg_catalog.text check (public.check_word(value));
create domain public.jsonb as pg_catalog.jsonb;
create domain public.timestamptz as pg_catalog.timestamptz;
alter role current_user set search_path = public, pg_catalog;`;

describe('overloads of everything', () => {
  let hostile: Hostile;
  beforeAll(async () => {
    hostile = await newProject();
    await asAdmin(hostile.url, (client) => client.query(overloads));
  }, 60_000);

  const callers = () =>
    asAdmin(hostile.url, async (client) => {
      const { rows } = await client.query<{ who: string; what: string }>(
        'select distinct who, what from public.calls',
      );
      return rows;
    });
  const superusers = () =>
    asAdmin(fixture.databaseUrl, async (client) => {
      const { rows } = await client.query<{ rolname: string }>(
        'select rolname from pg_roles where rolsuper order by 1',
      );
      return rows;
    });

  test('there are many, and they are called where the search path leads to them', async () => {
    await asAdmin(hostile.url, async (client) => {
      const { rows } = await client.query<{ n: number }>(
        `select pg_catalog.count(*)::int as n from pg_catalog.pg_proc where pronamespace = 'public'::regnamespace`,
      );
      expect(rows[0]?.n).toBeGreaterThan(500);
      await client.query(`select hashtextextended('a'::name, 0)`);
      await client.query('begin; select lower(current_user); rollback');
    });
    expect((await callers()).length).toBeGreaterThan(0);
    await asAdmin(hostile.url, (client) => client.query('truncate public.calls'));
  });

  test('are not called when the project is upgraded, looked at and deleted', async () => {
    const before = await superusers();
    await ensureMigrated(newer(), hostile.ref);
    expect(await projectCondition(newer(), hostile.ref)).toMatchObject({
      migrations: { isCurrent: true },
    });
    expect(await callers()).toEqual([]);
    expect(await superusers()).toEqual(before);
    await deleteProject(fixture.context, fixture.actor, hostile.ref);
    expect(await tracesOf(fixture, hostile.ref)).toEqual([]);
  });
});

test('the schemas of the platform and all in them belong to a role that is no superuser', async () => {
  const { ref } = await newProject();
  const inside = new URL(fixture.databaseUrl);
  inside.pathname = `/p_${await databaseIdOf(fixture, ref)}`;
  const { rows } = await asAdmin(inside.href, (client) =>
    client.query<{ kind: string; name: string; isSuper: boolean }>(`
      select kind, name, rolsuper as "isSuper" from (
        select 'schema' as kind, nspname::text as name, nspname as schema, nspowner as owner from pg_namespace
        union all
        select 'relation', oid::regclass::text, relnamespace::regnamespace::name, relowner from pg_class
        union all
        select 'routine', oid::regprocedure::text, pronamespace::regnamespace::name, proowner from pg_proc
      ) found join pg_authid on pg_authid.oid = owner
      where schema in ('auth', 'storage', 'platform')`),
  );
  expect(rows.length).toBeGreaterThan(100);
  expect(rows.filter(({ isSuper }) => isSuper)).toEqual([]);
});

test.each([
  {
    name: 'with a type of its own, whose cast would run in the check',
    sql: `create type r as enum ('x');
      create function go(r) returns uuid language sql as 'select gen_random_uuid()';
      create cast (r as uuid) with function go(r) as implicit;
      create table t (r r references auth."user" (id))`,
    code: 'PT403',
  },
  {
    name: 'when a column changes its type later',
    sql: `create type r as enum ('x');
      create function go(r) returns uuid language sql as 'select gen_random_uuid()';
      create cast (r as uuid) with function go(r) as implicit;
      create table t (r uuid references auth."user" (id));
      alter table t alter column r type r using 'x'::r`,
    code: 'PT403',
  },
  {
    name: 'to an address, which the platform changes',
    sql: 'create table t (email text references auth."user" (email) on update cascade)',
    code: '42501',
  },
])('a table may not refer to users $name', async ({ sql, code }) => {
  const { url } = await newProject('uuid');
  await asAdmin(url, async (client) => {
    await expect(client.query(sql)).rejects.toMatchObject({ code });
    await client.query('create table t (id uuid references auth."user" (id) on delete cascade)');
  });
});

test('the superuser reads nothing that belongs to a role of the project', async () => {
  const { ref } = await newProject();
  const inside = new URL(fixture.databaseUrl);
  inside.pathname = `/p_${await databaseIdOf(fixture, ref)}`;
  // As if the platform role of the project had fallen.
  await asAdmin(inside.href, (client) =>
    client.query(`
      create table public.calls (who text);
      grant insert on public.calls to public;
      alter table public.calls disable row level security;
      create function platform.boom() returns boolean language plpgsql as
        $$begin insert into public.calls values (current_user); return true; end$$;
      alter table platform.schema_migrations rename to kept;
      create view platform.schema_migrations as select * from platform.kept where platform.boom();
      grant all on platform.schema_migrations, platform.kept to public;
      grant usage on schema public to public`),
  );
  await ensureMigrated(newer(), ref);
  const { rows } = await asAdmin(inside.href, (client) =>
    client.query<{ who: string }>('select distinct who from public.calls'),
  );
  expect(rows).toEqual([{ who: expect.stringMatching(/_platform$/) }]);
});

test('locks that an owner takes in its database do not hold an upgrade up', async () => {
  const { ref, url } = await newProject();
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  try {
    for (const name of [
      'migrate project',
      'migrations platform.schema_migrations',
      `rowhouse upgrade ${ref}`,
      `rowhouse project ${ref}`,
    ]) {
      await holder.query('select pg_advisory_lock(hashtextextended($1, 0))', [name]);
    }
    await ensureMigrated(newer(), ref);
    expect((await projectCondition(newer(), ref)).migrations.isCurrent).toBe(true);
  } finally {
    await holder.end();
  }
});
