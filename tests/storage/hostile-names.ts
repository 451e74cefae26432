// A project whose owner has planted a sibling of everything that statements of the platform name, and sessions in which
// the siblings come first: as if a function had left a search path behind.
import { readdirSync, readFileSync } from 'node:fs';

import pg from 'pg';

import { asSuperuser } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';

const folders = ['apps', 'bin', 'libs'];

/** The functions and operators of pg_catalog that statements in the source tree name. */
function namedInStatements(): {
  readonly functions: readonly string[];
  readonly operators: readonly string[];
} {
  const text = folders
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts') && !/node_modules|\.test\.ts$/.test(name))
        .map((name) => readFileSync(`${folder}/${name}`, 'utf8')),
    )
    .join('\n');
  const all = (pattern: RegExp) => [
    ...new Set([...text.matchAll(pattern)].flatMap(([, name]) => name ?? [])),
  ];
  return {
    functions: all(/pg_catalog\.(\w+)\(/g),
    operators: all(/operator\(pg_catalog\.([^)]+)\)/g),
  };
}

/** Makes every session of the platform in a project's database begin with the owner's schema. Undone by the result. */
export function misleadSessions(): () => void {
  const connect: unknown = Reflect.get(pg.Client.prototype, 'connect');
  if (!(connect instanceof Function)) throw new Error('pg has no connect');
  const mislead = function (this: pg.Client, ...given: readonly never[]): unknown {
    const parameters: unknown = Reflect.get(this, 'connectionParameters');
    if (typeof parameters === 'object' && parameters && this.database?.startsWith('p_')) {
      const options = String(Reflect.get(parameters, 'options') ?? '');
      const misled = options.replace(/search_path=\S+/, 'search_path="public","pg_catalog","auth"');
      Reflect.set(parameters, 'options', misled);
    }
    return Reflect.apply(connect, this, given);
  };
  Reflect.set(pg.Client.prototype, 'connect', mislead);
  return () => Reflect.set(pg.Client.prototype, 'connect', connect);
}

/** Plants the siblings as the owner of the project. Each does what it should, and notes who has called it. */
export async function plant(project: ProjectUnderTest): Promise<void> {
  const { functions, operators } = namedInStatements();
  const client = new pg.Client({ connectionString: project.databaseUrl });
  await client.connect();
  try {
    await client.query('set search_path = pg_catalog');
    await client.query(notes);
    await client.query(plantFunctions(functions));
    await client.query(aggregates);
    await client.query(plantOperators(operators));
    await client.query(domains);
    await client.query(policies);
  } finally {
    await client.end();
  }
}

/** A call of something that was planted. */
export interface PlantedCall {
  readonly who: string;
  /** The login of the session. */
  readonly session: string;
  readonly what: string;
  readonly query: string;
  /** The functions that were running, the innermost first. */
  readonly stack: string;
}

/** All calls, each kind once. */
export async function callsOf(project: ProjectUnderTest): Promise<readonly PlantedCall[]> {
  const rows = await asSuperuser(
    'select distinct who, session, what, query, stack from public.calls order by 1, 2, 3',
    { database: project.database },
  );
  // The columns are texts.
  return rows as unknown as readonly PlantedCall[];
}

/** Who has called what from statements on files. */
export function callsFromFiles(
  project: ProjectUnderTest,
): Promise<readonly Record<string, unknown>[]> {
  return project.sql(`select distinct who, what from public.calls
    where query ~ 'storage\\.|platform\\.(app_settings|settings_version|inbox)'
      and query !~ '^create policy' order by 1, 2`);
}

const notes = `
create table public.calls (who text, session text, what text, query text, stack text);
alter table public.calls disable row level security;
grant insert on public.calls to public;
grant usage on schema public to public;
create function public.note(what text) returns void language plpgsql
  set search_path = pg_catalog, pg_temp as $$
declare
  stack text;
begin
  get diagnostics stack = pg_context;
  insert into public.calls values (current_user, session_user, what, current_query(), stack);
end$$;`;

const list = (names: readonly string[]): string => `array['${names.join("','")}']`;

const plantFunctions = (names: readonly string[]): string => `do $plant$
declare
  victim record;
  element text;
  signature text;
  given text;
begin
  for victim in
    select p.proname, pg_get_function_arguments(p.oid) as arguments, pg_get_function_result(p.oid) as result,
      p.proretset, p.pronargs
    from pg_proc p
    where p.pronamespace = 'pg_catalog'::regnamespace and p.prokind = 'f' and p.provariadic = 0
      and p.proname = any (${list(names)})
  loop
    foreach element in array array['text', 'uuid', 'integer', 'json'] loop
      signature := replace(replace(victim.arguments, 'anyarray', element || '[]'), 'anyelement', element);
      signature := replace(signature, '"any"', element);
      given := coalesce((select string_agg('$' || n, ', ' order by n) from generate_series(1, victim.pronargs) n), '');
      begin
        execute format('create function public.%I(%s) returns %s language plpgsql as %L', victim.proname, signature,
          replace(replace(victim.result, 'anyelement', element), 'anyarray', element || '[]'),
          format('begin perform public.note(%L); %s; end', victim.proname,
            case when victim.result = 'SETOF record' then 'return'
            when victim.result = 'void' then format('perform pg_catalog.%I(%s)', victim.proname, given)
            else format('return %s pg_catalog.%I(%s)', case when victim.proretset then 'query select * from' else '' end,
              victim.proname, given) end));
      exception when duplicate_function or invalid_function_definition then null;
      end;
    end loop;
  end loop;
end
$plant$;
create function public.json_build_object(text, boolean, text, boolean) returns json language plpgsql as
  $$begin perform public.note('json_build_object'); return '{}'; end$$;`;

const aggregates = `
create function public.count_step(bigint) returns bigint language plpgsql as
  $$begin perform public.note('count'); return $1 operator(pg_catalog.+) 1; end$$;
create aggregate public.count(*) (sfunc = public.count_step, stype = bigint, initcond = '0');
create function public.sum_step(numeric, bigint) returns numeric language plpgsql as
  $$begin perform public.note('sum'); return coalesce($1, 0) operator(pg_catalog.+) $2; end$$;
create aggregate public.sum(bigint) (sfunc = public.sum_step, stype = numeric);
create function public.min_step(timestamptz, timestamptz) returns timestamptz language plpgsql as
  $$begin perform public.note('min'); return least($1, $2); end$$;
create aggregate public.min(timestamptz) (sfunc = public.min_step, stype = timestamptz);
create function public.json_end(jsonb) returns json language sql as 'select $1::pg_catalog.json';
do $plant$
declare
  element text;
begin
  foreach element in array array['text', 'uuid', 'json'] loop
    execute format($$create function public.json_step(jsonb, %1$s) returns jsonb language plpgsql as
      'begin perform public.note(''json_agg'');
        return coalesce($1, ''[]'') operator(pg_catalog.||) pg_catalog.jsonb_build_array($2); end';
      create aggregate public.json_agg(%1$s) (sfunc = public.json_step, stype = jsonb, finalfunc = public.json_end)$$,
      element);
  end loop;
end
$plant$;`;

const plantOperators = (names: readonly string[]): string =>
  `do $plant$
declare
  victim record;
begin
  for victim in
    select o.oid, o.oprname, format_type(o.oprleft, null) as l, format_type(o.oprright, null) as r,
      format_type(o.oprresult, null) as result
    from pg_operator o
    where o.oprnamespace = 'pg_catalog'::regnamespace and o.oprkind = 'b' and o.oprname = any (${list(names)})
      and o.oprleft = any (planted.types) and o.oprright = any (planted.types)
  loop
    execute format('create function public.%I(%s, %s) returns %s language plpgsql as %L', 'operator_' || victim.oid,
      victim.l, victim.r, victim.result,
      format('begin perform public.note(%L); return $1 operator(pg_catalog.%s) $2; end', victim.oprname, victim.oprname));
    execute format('create operator public.%s (leftarg = %s, rightarg = %s, function = public.%I)', victim.oprname,
      victim.l, victim.r, 'operator_' || victim.oid);
  end loop;
end
$plant$;`.replaceAll(
    'planted.types',
    `array['text', 'name', 'uuid', 'integer', 'bigint', 'numeric', 'double precision', 'timestamptz', 'interval',
    'jsonb', 'bytea', 'boolean']::regtype[]`,
  );

const domains = `
create function public.check_value(anyelement) returns boolean language plpgsql as
  $$begin perform public.note('domain'); return true; end$$;
create domain public.text as pg_catalog.text check (public.check_value(value));
create domain public.jsonb as pg_catalog.jsonb check (public.check_value(value));
create domain public.uuid as pg_catalog.uuid check (public.check_value(value));
create domain public.int8 as pg_catalog.int8 check (public.check_value(value));
create domain public.bool as pg_catalog.bool check (public.check_value(value));
create domain public.float8 as pg_catalog.float8 check (public.check_value(value));`;

/**
 * Policies that leave a search path, and temporary types and tables: those are found before all others where a search
 * path does not name pg_temp.
 */
const policies = `
create function public.make_decoys() returns void language plpgsql security definer set search_path = pg_catalog as $$begin
  create domain pg_temp.text as pg_catalog.text check (public.check_value(value));
  create domain pg_temp.uuid as pg_catalog.uuid check (public.check_value(value));
  create domain pg_temp.json as pg_catalog.json check (public.check_value(value));
  create domain pg_temp.jsonb as pg_catalog.jsonb check (public.check_value(value));
  create domain pg_temp.bool as pg_catalog.bool check (public.check_value(value));
  create domain pg_temp.int4 as pg_catalog.int4 check (public.check_value(value));
  create domain pg_temp.int8 as pg_catalog.int8 check (public.check_value(value));
  create domain pg_temp.bytea as pg_catalog.bytea check (public.check_value(value));
  create domain pg_temp.timestamptz as pg_catalog.timestamptz check (public.check_value(value));
  create table pg_temp."user" (id pg_catalog.text);
  create table pg_temp.session (id pg_catalog.text);
  create table pg_temp.files (id pg_catalog.uuid);
  create table pg_temp.app_settings (name pg_catalog.text);
  create table pg_temp.pg_class (oid pg_catalog.oid);
  create table pg_temp.pg_proc (oid pg_catalog.oid);
exception when duplicate_object or duplicate_table or read_only_sql_transaction or insufficient_privilege then null;
end$$;
create function public.spoil() returns boolean language plpgsql as $$begin
  perform public.make_decoys();
  perform pg_catalog.set_config('search_path', 'pg_temp, public, pg_catalog', false);
  return true;
end$$;
create policy spoil on storage.files as restrictive for all using (public.spoil()) with check (public.spoil());`;
