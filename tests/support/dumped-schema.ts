// A schema in which rights are taken away and row level security is off, the same as pg_dump writes it, and what roles
// may do to it.
import type { ProjectUnderTest } from './project.js';

/** The statements of the owner. */
export const openSchema = `
  create table prices (id int primary key, cents int, cost int);
  create policy everybody on prices using (true) with check (true);
  revoke select, insert on prices from anon;
  grant select (id, cents), insert (id) on prices to anon;
  insert into prices values (1, 100, 60);
  create table board (id int generated always as identity primary key, text text);
  alter table board disable row level security;
  select realtime.disable('board');
  insert into board (text) values ('hello');
  create table "Odd ""name" (id serial primary key);
  revoke all on "Odd ""name" from anon, authenticated, service_role;
  grant select on "Odd ""name" to public;
  revoke usage on "Odd ""name_id_seq" from anon;
  create table days (day date) partition by range (day);
  create table days_2026 partition of days for values from ('2026-01-01') to ('2027-01-01');
  revoke all on days_2026 from anon;
  alter table days force row level security;
  create view costs with (security_invoker = true) as select id, cost from prices;
  revoke all on costs from anon, authenticated;
  create materialized view total as select sum(cost) as sum from prices;
  revoke all on total from anon;
  create function salary() returns int language sql security definer as 'select 7';
  revoke execute on function salary from public, anon;
  create function shout(text) returns text language sql as 'select upper($1)';
  create function quiet() returns int language sql as 'select 1';
  revoke execute on function quiet from public, anon, authenticated;
  create function by_public() returns int language sql as 'select 1';
  revoke execute on function by_public from anon, authenticated, service_role;
  create procedure settle() language sql as 'select 1';
  revoke execute on procedure settle from public, anon, authenticated;
  create aggregate longest (text) (sfunc = textcat, stype = text);
  revoke execute on function longest(text) from public, service_role;`;

const head = `
SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;`;

const objects = `
CREATE FUNCTION public.by_public() RETURNS integer
    LANGUAGE sql
    AS $$select 1$$;
CREATE FUNCTION public.quiet() RETURNS integer
    LANGUAGE sql
    AS $$select 1$$;
CREATE FUNCTION public.salary() RETURNS integer
    LANGUAGE sql SECURITY DEFINER
    AS $$select 7$$;
CREATE PROCEDURE public.settle()
    LANGUAGE sql
    AS $$select 1$$;
CREATE FUNCTION public.shout(text) RETURNS text
    LANGUAGE sql
    AS $_$select upper($1)$_$;
CREATE AGGREGATE public.longest(text) (
    SFUNC = textcat,
    STYPE = text
);
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE public."Odd ""name" (
    id integer NOT NULL
);
CREATE SEQUENCE public."Odd ""name_id_seq"
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public."Odd ""name_id_seq" OWNED BY public."Odd ""name".id;
CREATE TABLE public.board (
    id integer NOT NULL,
    text text
);
ALTER TABLE public.board ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.board_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.prices (
    id integer NOT NULL,
    cents integer,
    cost integer
);
CREATE VIEW public.costs WITH (security_invoker='true') AS
 SELECT prices.id,
    prices.cost
   FROM public.prices;
CREATE TABLE public.days (
    day date
)
PARTITION BY RANGE (day);
ALTER TABLE ONLY public.days FORCE ROW LEVEL SECURITY;
CREATE TABLE public.days_2026 (
    day date
);
CREATE MATERIALIZED VIEW public.total AS
 SELECT sum(prices.cost) AS sum
   FROM public.prices
  WITH NO DATA;
ALTER TABLE ONLY public.days ATTACH PARTITION public.days_2026 FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');
ALTER TABLE ONLY public."Odd ""name" ALTER COLUMN id SET DEFAULT nextval('public."Odd ""name_id_seq"'::regclass);
INSERT INTO public.board OVERRIDING SYSTEM VALUE VALUES (1, 'hello');
INSERT INTO public.prices VALUES (1, 100, 60);
SELECT pg_catalog.setval('public."Odd ""name_id_seq"', 1, false);
SELECT pg_catalog.setval('public.board_id_seq', 1, true);
ALTER TABLE ONLY public."Odd ""name"
    ADD CONSTRAINT "Odd ""name_pkey" PRIMARY KEY (id);
ALTER TABLE ONLY public.board
    ADD CONSTRAINT board_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.prices
    ADD CONSTRAINT prices_pkey PRIMARY KEY (id);
CREATE TRIGGER realtime_insert_dfd2b2aa0bea AFTER INSERT ON public.prices REFERENCING NEW TABLE AS realtime_new FOR EACH STATEMENT EXECUTE FUNCTION realtime.capture_insert('33554432');
CREATE TRIGGER realtime_off_020ee3ef65d8 AFTER TRUNCATE ON public.board FOR EACH STATEMENT EXECUTE FUNCTION realtime.capture_off();
ALTER TABLE public."Odd ""name" ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.days ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.days_2026 ENABLE ROW LEVEL SECURITY;
CREATE POLICY everybody ON public.prices USING (true) WITH CHECK (true);
ALTER TABLE public.prices ENABLE ROW LEVEL SECURITY;`;

const rights = `
GRANT ALL ON FUNCTION public.shout(text) TO anon;
GRANT ALL ON FUNCTION public.shout(text) TO authenticated;
GRANT ALL ON FUNCTION public.shout(text) TO service_role;
REVOKE ALL ON FUNCTION public.quiet() FROM PUBLIC;
GRANT ALL ON FUNCTION public.quiet() TO service_role;
REVOKE ALL ON FUNCTION public.salary() FROM PUBLIC;
GRANT ALL ON FUNCTION public.salary() TO authenticated;
GRANT ALL ON FUNCTION public.salary() TO service_role;
REVOKE ALL ON PROCEDURE public.settle() FROM PUBLIC;
GRANT ALL ON PROCEDURE public.settle() TO service_role;
REVOKE ALL ON FUNCTION public.longest(text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.longest(text) TO anon;
GRANT ALL ON FUNCTION public.longest(text) TO authenticated;
GRANT SELECT ON TABLE public."Odd ""name" TO PUBLIC;
GRANT SELECT ON SEQUENCE public."Odd ""name_id_seq" TO anon;
GRANT SELECT,USAGE ON SEQUENCE public."Odd ""name_id_seq" TO authenticated;
GRANT SELECT,USAGE ON SEQUENCE public."Odd ""name_id_seq" TO service_role;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.board TO anon;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.board TO authenticated;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.board TO service_role;
GRANT SELECT,USAGE ON SEQUENCE public.board_id_seq TO anon;
GRANT SELECT,USAGE ON SEQUENCE public.board_id_seq TO authenticated;
GRANT SELECT,USAGE ON SEQUENCE public.board_id_seq TO service_role;
GRANT DELETE,UPDATE ON TABLE public.prices TO anon;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.prices TO authenticated;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.prices TO service_role;
GRANT SELECT(id),INSERT(id) ON TABLE public.prices TO anon;
GRANT SELECT(cents) ON TABLE public.prices TO anon;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.costs TO service_role;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.days TO anon;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.days TO authenticated;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.days TO service_role;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.days_2026 TO authenticated;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.days_2026 TO service_role;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.total TO authenticated;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.total TO service_role;
REFRESH MATERIALIZED VIEW public.total;`;

/** The schema as `pg_restore --no-owner` reads it from a dump, with and without `--no-privileges`. */
export const dumps = { withRights: head + objects + rights, withoutRights: head + objects };

const rightsOfRoles = `
  with roles as (select unnest(array['anon', 'authenticated', 'service_role']) as role),
  relations as (select * from pg_class where relnamespace = 'public'::regnamespace)
  select format('%s: %s %s.%s', role, word, relname, attname) as "right"
  from roles, unnest(array['select', 'insert', 'update', 'references']) word,
    relations c join pg_attribute on attrelid = c.oid and attnum > 0
  where relkind in ('r', 'p', 'v', 'm', 'f') and has_column_privilege(role, c.oid, attnum, word)
  union all
  select format('%s: %s %s', role, word, relname)
  from roles, unnest(array['delete', 'truncate', 'trigger']) word, relations c
  where relkind in ('r', 'p', 'v', 'm', 'f') and has_table_privilege(role, c.oid, word)
  union all
  select format('%s: %s %s', role, word, relname)
  from roles, unnest(array['select', 'usage', 'update']) word, relations c
  where relkind = 'S' and has_sequence_privilege(role, c.oid, word)
  union all
  select format('%s: execute %s', role, proname)
  from roles, pg_proc p
  where pronamespace = 'public'::regnamespace and has_function_privilege(role, p.oid, 'execute')
  union all
  select 'all: rows without policies of ' || relname from relations where relkind in ('r', 'p') and not relrowsecurity
  union all
  select 'owner: rows without policies of ' || relname from relations where relkind in ('r', 'p') and not relforcerowsecurity
  order by 1`;

type Query = (sql: string) => Promise<readonly Record<string, unknown>[]>;

/** What each role of requests may do in `public`, one line for each right. */
export async function rightsIn(query: Query): Promise<readonly string[]> {
  return (await query(rightsOfRoles)).map((row) => String(row['right']));
}

/** What requests of a visitor, a user and the service role get from {@link openSchema}, one line for each request. */
export async function answersOf(project: ProjectUnderTest): Promise<readonly string[]> {
  const saved = await project.asService({
    method: 'PUT',
    path: '/api/admin/settings/api.rest',
    body: { definerFunctions: ['salary'] },
  });
  if (saved.status !== 200) throw new Error(saved.text);
  const user = await project.signUp('ann@example.org');
  const calls = [
    { path: '/rest/v1/prices?select=cents' },
    { path: '/rest/v1/prices?select=cost' },
    { path: '/rest/v1/board' },
    { path: '/rest/v1/rpc/salary', method: 'POST', body: {} },
    { path: '/rest/v1/prices', method: 'POST', body: { id: 1, cost: 1 } },
  ];
  const answers: string[] = [];
  for (const call of calls) {
    const replies = [
      await project.send(call),
      await project.as(user, call),
      await project.asService(call),
    ];
    for (const { status, text } of replies) {
      answers.push(`${call.path}: ${status < 300 ? text : `refused with ${status}`}`);
    }
  }
  return answers;
}
