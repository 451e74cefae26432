// Asks PostgreSQL everything that its catalogs and functions could tell of another project. A value of the
// neighbor is compared with a value that does not exist any more: whatever answers differently tells of it.
import { randomBytes } from 'node:crypto';

import pg from 'pg';

import { asSuperuser } from '../support/deployment.js';

/** Numbers of one project on the server. */
export interface Numbers {
  readonly database: string;
  readonly role: string;
  /** The process of a session. */
  readonly session: string;
}

/** An answer that depends on whether the number is a neighbor's. */
export interface Difference {
  readonly call: string;
  readonly neighbor: string;
  readonly nothing: string;
}

/** The roles of a project by name, without those that all projects share. */
export async function rolesOf(database: string): Promise<{ name: string; oid: string }[]> {
  const rows = await asSuperuser(
    `select distinct r.rolname as name, r.oid::text from pg_database d
     cross join aclexplode(d.datacl) entry join pg_roles r on r.oid = entry.grantee
     where d.datname = $1 and not r.rolsuper`,
    { values: [database] },
  );
  return rows.map((row) => ({ name: String(row['name']), oid: String(row['oid']) }));
}

/** Numbers that the server has given and taken back. */
export async function abandonedNumbers(): Promise<Numbers> {
  const name = `gone_${randomBytes(6).toString('hex')}`;
  await asSuperuser(`create database ${name}`);
  await asSuperuser(`create role ${name}`);
  const [row] = await asSuperuser(
    `select (select oid::text from pg_database where datname = $1) as database,
            (select oid::text from pg_roles where rolname = $1) as role`,
    { values: [name] },
  );
  await asSuperuser(`drop database ${name}`);
  await asSuperuser(`drop role ${name}`);
  return { database: String(row?.['database']), role: String(row?.['role']), session: '3999999' };
}

// Functions that wait, that write, or whose answer is a matter of chance.
const notCalled =
  '^(pg_sleep|lo_|lowrite|loread|pg_advisory|pg_try_advisory|pg_cancel|pg_terminate|set_config|pg_notify|cursor_to|binary_upgrade|random|money|pg_stat_reset|.*_to_xml)';

const callAll = `
do $do$
declare
  f record; given jsonb; kind text; call text; calls text[]; longer text[]; value text; answers text[]; i int;
begin
  for f in
    select oid, proname, proargtypes::oid[] as types, pronargs from pg_catalog.pg_proc
    where pronamespace in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace) and prokind = 'f'
      and pronargs between 1 and 4 and has_function_privilege(oid, 'execute')
      and prorettype not in ('internal'::regtype, 'trigger'::regtype, 'event_trigger'::regtype)
      -- Arithmetic tells nothing but what it was given; rights as values show names of roles.
      and (provolatile <> 'i' or prorettype in ('aclitem'::regtype, 'aclitem[]'::regtype))
      and proname !~ current_setting('probe.not_called')
  loop
    calls := array[''];
    for i in 0 .. f.pronargs - 1 loop
      kind := f.types[i]::regtype::text;
      given := case
        when kind = 'oid' then '["@D@", "@R@", "1262", "1260"]'
        when kind = 'regrole' then '["@R@"]'
        when kind in ('name', 'text') then '["connect", "database", "usage"]'
        when kind in ('text[]', 'name[]') then '["{}"]'
        when kind = 'integer' then '["0", "1", "@S@"]'
        when kind = 'bigint' then '["0", "@D@"]'
        when kind = 'boolean' then '["false"]'
        when kind = '"char"' then '["r", "d"]'
        when kind = 'regclass' then '["1262"]'
      end::jsonb;
      longer := '{}';
      foreach call in array calls loop
        for value in select jsonb_array_elements_text(given) loop
          longer := longer || (case when call = '' then '' else call || ', ' end || quote_literal(value) || '::' || kind);
        end loop;
      end loop;
      calls := longer;
    end loop;
    foreach call in array calls loop
      continue when call !~ '@[DRS]@';
      answers := '{}';
      for i in 1 .. 2 loop
        given := current_setting('probe.numbers')::jsonb -> (i - 1);
        begin
          execute format('select string_agg(z::text, %L) from pg_catalog.%I(%s) z', ',', f.proname,
            replace(replace(replace(call, '@D@', given ->> 'database'), '@R@', given ->> 'role'), '@S@', given ->> 'session'))
          into value;
        exception when others then value := sqlstate || ' ' || sqlerrm;
        end;
        answers := answers || replace(replace(replace(coalesce(value, 'null'),
          given ->> 'database', '#'), given ->> 'role', '#'), given ->> 'session', '#');
      end loop;
      if answers[1] is distinct from answers[2] then
        insert into pg_temp.differences values (f.proname || '(' || call || ')', answers[1], answers[2]);
      end if;
    end loop;
  end loop;
end
$do$`;

/** Calls every function that `client` may call with the numbers of a neighbor and with abandoned ones. */
export async function probeFunctions(
  client: pg.Client,
  neighbor: Numbers,
  nothing: Numbers,
): Promise<Difference[]> {
  await client.query(`create temporary table differences (call text, neighbor text, nothing text)`);
  await client.query(
    `select set_config('probe.numbers', $1, false), set_config('probe.not_called', $2, false)`,
    [JSON.stringify([neighbor, nothing]), notCalled],
  );
  await client.query(callAll);
  const reply = await client.query<Difference>('select * from pg_temp.differences order by call');
  return reply.rows;
}

// Reads a thousand files of time zones, which takes a while and says nothing of projects.
const slow = ['pg_timezone_names', 'pg_timezone_abbrevs'];

/** What the functions without arguments and the relations say now, by name; refused ones are left out. */
export async function readEverything(client: pg.Client): Promise<Map<string, string>> {
  const sources = await client.query<{ source: string }>(
    `select format('pg_catalog.%I()', proname) as source from pg_proc
     where pronamespace = 'pg_catalog'::regnamespace and prokind = 'f' and pronargs = 0
       and prorettype not in ('internal'::regtype, 'trigger'::regtype, 'event_trigger'::regtype)
       and has_function_privilege(oid, 'execute')
     union all
     select format('%I.%I', nspname, relname) from pg_class join pg_namespace n on n.oid = relnamespace
     where nspname in ('pg_catalog', 'information_schema') and relkind in ('r', 'v')
       and (has_table_privilege(pg_class.oid, 'select') or has_any_column_privilege(pg_class.oid, 'select'))`,
  );
  const said = new Map<string, string>();
  for (const { source } of sources.rows) {
    if (slow.some((name) => source.startsWith(`pg_catalog.${name}`))) continue;
    try {
      const reply = await client.query<{ text: string }>(
        `select coalesce(string_agg(z::text, e'\\n' order by z::text), '') as text from ${source} z`,
      );
      said.set(source, reply.rows[0]?.text ?? '');
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) throw error;
    }
  }
  return said;
}
