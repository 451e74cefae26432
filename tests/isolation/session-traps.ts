// Code of a project that changes every session in which it runs: it makes temporary types and tables of the names of
// built-in ones, and leaves a search path on which planted functions and operators come first.
import { asSuperuser } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { saveSettings } from './neighbors.js';

/** Traps in all tables of a project where `plant` has made `public.spoil`, and in what hooks call. */
export async function setTraps(project: ProjectUnderTest, hooks: readonly string[]): Promise<void> {
  await project.sql(traps);
  const call = { enabled: true, target: 'function', functionName: 'public.on_event' };
  await saveSettings(project, 'auth.hooks', Object.fromEntries(hooks.map((name) => [name, call])));
  const [version] = await asSuperuser(
    `select current_setting('server_version_num')::int as number`,
  );
  if (Number(version?.['number']) >= 170_000)
    await asSuperuser(atLogin, { database: project.database });
}

const traps = `
set search_path = pg_catalog;
create function public.spring() returns trigger language plpgsql as
  $$begin perform public.spoil(); return coalesce(new, old); end$$;
create function public.on_event(event pg_catalog.jsonb) returns pg_catalog.jsonb language plpgsql as $$begin
  insert into public.followers select id from auth."user" on conflict do nothing;
  perform public.spoil();
  return '{}';
end$$;
-- Of the type that the ids of users have.
create table public.followers as select id from auth."user";
alter table public.followers add primary key (id),
  add foreign key (id) references auth."user" (id) on delete cascade;
create type public.mood as enum ('calm', 'wild');
create function public.mood_json(public.mood) returns pg_catalog.json language plpgsql as
  $$begin perform public.spoil(); return '1'; end$$;
create cast (public.mood as pg_catalog.json) with function public.mood_json(public.mood);
do $$
declare
  target pg_catalog.regclass;
begin
  for target in
    select oid from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'calls'
  loop
    execute format('create trigger spring before insert or update or delete on %s
      for each row execute function public.spring()', target);
    execute format('create policy spoil on %s as restrictive using (public.spoil()) with check (public.spoil())', target);
    execute format('alter table %s add column mood public.mood default ''calm''', target);
  end loop;
end
$$;`;

/** Not the owner's: every session begins as if code of the project had run in it. PostgreSQL 17 and later. */
const atLogin = `
create function public.at_login() returns event_trigger language plpgsql as
  $$begin perform public.make_decoys(); end$$;
create event trigger decoys_at_login on login execute function public.at_login();`;
