// What the owner of a project can plant in its database for the moment when a superuser works there, and who has
// called it.
import pg from 'pg';

import { asSuperuser } from './deployment.js';

// For each function of pg_catalog a sibling in public for the types that literals and names have, and operators of
// the common names for pairs of types that PostgreSQL itself converts. Each notes who has called it.
export const overloads = `
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

/**
 * Code that runs when rows are read, written, loaded or counted, and names that would be lines of their own in a dump.
 * Needs {@link overloads}; the tables have rows.
 */
export const traps = `
set search_path = pg_catalog;
create function public.noted(what pg_catalog.text, word pg_catalog.text) returns pg_catalog.text
  language plpgsql immutable as $$begin perform public.note(what); return word; end$$;
create function public.is_noted(what pg_catalog.text) returns pg_catalog.bool
  language plpgsql immutable as $$begin perform public.note(what); return true; end$$;
create function public.note_trigger() returns trigger
  language plpgsql as $$begin perform public.note('trigger'); return new; end$$;
create domain public.checked as pg_catalog.int4 check (public.is_noted('check of a domain'));
create type public.mood as enum ('calm', 'wild');
create function public.mood_text(public.mood) returns pg_catalog.json
  language plpgsql as $$begin perform public.note('cast'); return '1'; end$$;
create cast (public.mood as pg_catalog.json) with function public.mood_text(public.mood) as implicit;
create table public.trapped (
  id pg_catalog.int4 primary key,
  word pg_catalog.text default public.noted('default', 'x') check (public.is_noted('check of a table')),
  same pg_catalog.text generated always as (public.noted('generated column', 'x')) stored,
  size public.checked default 1,
  mood public.mood default 'calm'
);
create index on public.trapped (public.noted('index', word));
create statistics public.counted on (public.noted('statistics', word)), id from public.trapped;
create policy trap on public.trapped using (public.is_noted('policy')) with check (public.is_noted('policy'));
alter table public.trapped force row level security;
create trigger trap before insert or update on public.trapped
  for each row execute function public.note_trigger();
create view public.looked_at as select id, public.noted('view', word) as word from public.trapped;
create materialized view public.kept as select id, public.noted('materialized view', word) as word from public.trapped;
create rule trap as on insert to public.looked_at do instead select public.noted('rule', 'x');
create table public.parted (id pg_catalog.int4, word pg_catalog.text)
  partition by list (public.noted('partition', word));
create table public.parted_x partition of public.parted for values in ('x');
create table public.owned (
  id pg_catalog.int4 primary key references public.trapped on delete cascade on update cascade);
do $$begin
  -- Of the type that the ids of users have.
  execute 'create table public.followers as select id from auth."user"';
end$$;
alter table public.followers add foreign key (id) references auth."user" (id) on delete cascade;
create trigger trap before delete on public.followers for each row execute function public.note_trigger();
insert into public.trapped (id) values (1), (2);
insert into public.parted values (1, 'x');
insert into public.owned values (1);
create table public."line
\\! echo break-out
;select public.note('name');--" ("column
\\! echo break-out
" pg_catalog.int4);
comment on table public.owned is 'line
\\! echo break-out';
truncate public.calls;`;

/** A migration that says nothing with its schema, as one that was written in a hurry. */
export const hurriedMigration = {
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
};

/** Runs `sql` on a connection of its own; each statement of {@link overloads} and {@link traps} is the owner's. */
export async function runAsOwner(databaseUrl: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** Which roles have called what was planted in a database. */
export function listCalls(database: string): Promise<readonly Record<string, unknown>[]> {
  return asSuperuser('select distinct who, what from public.calls order by 1, 2', { database });
}

/** The superusers of the test server. */
export function listSuperusers(): Promise<readonly Record<string, unknown>[]> {
  return asSuperuser('select rolname from pg_roles where rolsuper order by 1');
}
