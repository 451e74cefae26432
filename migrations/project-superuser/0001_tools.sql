-- Tools for the next steps. Only the superuser may call them. They change pg_catalog of this database alone:
-- each database has its own pg_class and pg_proc, even for the tables that all databases share.

-- Creates the system's own views and SQL functions again that use a hidden table or function (hidden_...), so
-- that they use what stands in its place. The views of the next steps mention rowhouse_ and stay as they are.
create or replace procedure pg_catalog.rowhouse_renew_users() language plpgsql as $$
declare
  needles text[] := array(
    select ':relid ' || oid || ' ' from pg_class
    where relname like 'hidden\_%' and relnamespace = 'pg_catalog'::regnamespace
    union all
    select ':funcid ' || oid || ' ' from pg_proc
    where proname like 'hidden\_%' and pronamespace = 'pg_catalog'::regnamespace
  );
  definition text;
begin
  for definition in
    select format('create or replace view %s %s as %s', class.oid::regclass,
      coalesce('with (' || array_to_string(class.reloptions, ', ') || ')', ''), pg_get_viewdef(class.oid))
    from pg_rewrite rule
    join pg_class class on class.oid = rule.ev_class
    where class.oid < 16384 and class.relkind = 'v'
      and exists (select from unnest(needles) needle where strpos(rule.ev_action::text, needle) > 0)
    union all
    select pg_get_functiondef(proc.oid)
    from pg_proc proc
    where proc.oid < 16384
      and exists (select from unnest(needles) needle where strpos(proc.prosqlbody::text, needle) > 0)
  loop
    continue when strpos(definition, 'rowhouse_') > 0;
    execute replace(definition, 'hidden_', '');
  end loop;
end
$$;

-- Gives a view another object identifier. pg_dump refuses to read views with the identifiers of ordinary
-- objects (its setting restrict_nonsystem_relation_kind, from 16384), so a view that takes the place of a
-- system table needs the identifier of a system object.
create or replace procedure pg_catalog.rowhouse_renumber_view(old_oid oid, new_oid oid) language plpgsql as $$
begin
  if old_oid = new_oid then return; end if;
  if exists (select from pg_class where oid = new_oid) then
    raise exception 'The object identifier % is in use', new_oid;
  end if;
  -- The stored form of a view names the view itself, and its type has no input function.
  create cast (text as pg_node_tree) without function;
  execute format($update$
    update pg_rewrite
    set ev_class = %2$s, ev_action = replace(ev_action::text, ':relid %1$s ', ':relid %2$s ')::pg_node_tree
    where ev_class = %1$s$update$, old_oid, new_oid);
  drop cast (text as pg_node_tree);
  update pg_attribute set attrelid = new_oid where attrelid = old_oid;
  update pg_type set typrelid = new_oid where typrelid = old_oid;
  update pg_depend set objid = new_oid where classid = 'pg_class'::regclass and objid = old_oid;
  update pg_depend set refobjid = new_oid where refclassid = 'pg_class'::regclass and refobjid = old_oid;
  update hidden_pg_shdepend set objid = new_oid
  where dbid = rowhouse_own_database() and classid = 'pg_class'::regclass and objid = old_oid;
  update pg_class set oid = new_oid where oid = old_oid;
end
$$;

-- Renames a shared table to hidden_<name>, in this database only. ALTER TABLE would lock the table in all
-- databases and keep every new connection waiting; the name is no more than this row.
create or replace procedure pg_catalog.rowhouse_hide_table(name name) language plpgsql as $$
declare
  hidden oid := (
    select oid from pg_class
    where relname = name and relnamespace = 'pg_catalog'::regnamespace and relisshared and relkind = 'r'
  );
begin
  if hidden is null then return; end if;
  update pg_type set typname = '_hidden_' || name
  where oid = (select typarray from pg_type where typrelid = hidden);
  update pg_type set typname = 'hidden_' || name where typrelid = hidden;
  update pg_class set relname = 'hidden_' || name where oid = hidden;
  execute format('revoke all on pg_catalog.%I from public', 'hidden_' || name);
end
$$;

-- Renames a function to hidden_<name> and puts one with its old name and signature in front of it, which
-- answers with what the function says where `condition` holds, and otherwise with `otherwise` or no row.
-- $1, $2, ... are the arguments and `r` the row of a function that returns rows.
create or replace procedure pg_catalog.rowhouse_narrow_function(
  hidden oid, condition text, otherwise text default 'null'
) language plpgsql as $$
declare
  proc pg_proc;
  head text;
  call text;
begin
  select * into strict proc from pg_proc where oid = hidden;
  head := format('create function pg_catalog.%I(%s) returns %s language sql security definer %s %s',
    proc.proname, pg_get_function_arguments(hidden), pg_get_function_result(hidden),
    case proc.provolatile when 'v' then 'volatile' else 'stable' end,
    case when proc.proisstrict then 'strict' end);
  execute format('alter function %s rename to %I', hidden::regprocedure, 'hidden_' || proc.proname);
  execute format('revoke all on function %s from public', hidden::regprocedure);
  call := format('pg_catalog.%I(%s)', 'hidden_' || proc.proname,
    (select string_agg('$' || n, ', ') from generate_series(1, proc.pronargs) n));
  if proc.prorettype = 'record'::regtype then
    execute format('%s begin atomic select r.* from %s r where %s; end', head, call, condition);
  else
    execute format('%s return case when %s then %s else %s end', head, condition, call, otherwise);
  end if;
end
$$;

-- Tells pg_dump that the present rights on the system's objects are those they were made with. It would
-- otherwise write them into each dump, and only the superuser could restore it.
create or replace procedure pg_catalog.rowhouse_note_rights() language plpgsql as $$
begin
  delete from pg_init_privs
  where privtype = 'i' and classoid in ('pg_class'::regclass, 'pg_proc'::regclass);
  insert into pg_init_privs (objoid, classoid, objsubid, privtype, initprivs)
  select oid, 'pg_class'::regclass, 0, 'i', relacl from pg_class
  where relnamespace in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace) and relacl is not null
  union all
  select attrelid, 'pg_class'::regclass, attnum, 'i', attacl from pg_attribute
  join pg_class on pg_class.oid = attrelid
  where relnamespace in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace) and attacl is not null
  union all
  select oid, 'pg_proc'::regclass, 0, 'i', proacl from pg_proc
  where pronamespace in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace) and proacl is not null;
end
$$;

revoke all on procedure pg_catalog.rowhouse_renew_users, pg_catalog.rowhouse_renumber_view, pg_catalog.rowhouse_hide_table,
  pg_catalog.rowhouse_narrow_function, pg_catalog.rowhouse_note_rights from public;
