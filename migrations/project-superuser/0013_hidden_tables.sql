-- The tables and indexes that all databases share move to a schema that no role of a project may use, in this database
-- only. PostgreSQL locks a table that a statement names before it asks who owns it, and a lock on such a table keeps
-- every new connection of the server waiting. It refuses the name of a schema before that.

-- The schema has the number that information_schema has in all databases, and information_schema gets a new one here.
-- The databases of a server share what PostgreSQL keeps of these tables in global/pg_internal.init, the number of their
-- schema with it. An error about a table whose schema a database does not know ends the whole server, and changes to a
-- table of the schema pg_toast reach no cache.
do $$
declare
  statement text;
begin
  -- Happens when the record of the steps is lost.
  if to_regnamespace('pg_rowhouse') is not null then return; end if;
  alter schema information_schema rename to pg_rowhouse;
  create schema information_schema;
  execute format('alter schema information_schema owner to %I',
    (select rolname from pg_authid join pg_namespace on nspowner = pg_authid.oid where nspname = 'pg_rowhouse'));
  grant usage on schema information_schema to public;
  revoke all on schema pg_rowhouse from public;
  grant usage on schema pg_rowhouse to platform_catalog;
  for statement in
    select format('alter %s %s set schema information_schema', case relkind when 'v' then 'view' else 'table' end,
      oid::regclass)
    from pg_class where relnamespace = 'pg_rowhouse'::regnamespace and relkind in ('r', 'v')
    union all
    select format('alter domain %s set schema information_schema', oid::regtype)
    from pg_type where typnamespace = 'pg_rowhouse'::regnamespace and typtype = 'd'
    union all
    select format('alter routine %s set schema information_schema', oid::regprocedure)
    from pg_proc where pronamespace = 'pg_rowhouse'::regnamespace
  loop
    execute statement;
  end loop;
end
$$;

-- Renews the system's views and SQL functions, as in the first step, for tables of this schema.
create or replace procedure pg_catalog.rowhouse_renew_users() language plpgsql as $$
declare
  needles text[] := array(
    select ':relid ' || oid || ' ' from pg_class
    where relnamespace = 'pg_rowhouse'::regnamespace and relisshared
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
    execute replace(replace(definition, 'hidden_', ''), 'pg_rowhouse.', 'pg_catalog.');
  end loop;
end
$$;

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
  update pg_rowhouse.pg_shdepend set objid = new_oid
  where dbid = rowhouse_own_database() and classid = 'pg_class'::regclass and objid = old_oid;
  update pg_class set oid = new_oid where oid = old_oid;
end
$$;

-- Moves a table, its row type or an index to another schema and name. ALTER TABLE would lock it in all databases; the
-- name is no more than this row.
create or replace procedure pg_catalog.rowhouse_move_relation(relation oid, schema regnamespace, name name)
  language plpgsql as $$
begin
  update pg_type set typname = '_' || name, typnamespace = schema
  where oid = (select typarray from pg_type where typrelid = relation);
  update pg_type set typname = name, typnamespace = schema where typrelid = relation;
  update pg_class set relname = name, relnamespace = schema where oid = relation;
end
$$;

-- Puts the shared tables back where the first steps expect them. Called before all steps run again, which happens when
-- the record of them is lost.
create or replace procedure pg_catalog.rowhouse_expose_tables() language plpgsql as $$
declare
  shared record;
begin
  if to_regclass('pg_rowhouse.pg_authid') is null then return; end if;
  alter view pg_catalog.pg_authid rename to rowhouse_authid;
  for shared in
    select oid, relname, relkind from pg_class
    where relnamespace = 'pg_rowhouse'::regnamespace and relisshared
  loop
    call rowhouse_move_relation(shared.oid, 'pg_catalog',
      case when shared.relkind = 'i' or shared.relname = 'pg_authid' then '' else 'hidden_' end || shared.relname);
  end loop;
end
$$;

revoke all on procedure pg_catalog.rowhouse_move_relation, pg_catalog.rowhouse_expose_tables from public;

do $$
declare
  shared record;
begin
  for shared in
    select oid, regexp_replace(relname, '^hidden_', '') as name from pg_class
    where relnamespace = 'pg_catalog'::regnamespace and relisshared
  loop
    call rowhouse_move_relation(shared.oid, 'pg_rowhouse', shared.name);
  end loop;
  if to_regclass('pg_catalog.rowhouse_authid') is not null then
    alter view pg_catalog.rowhouse_authid rename to pg_authid;
  end if;
end
$$;

-- Only the functions in PL/pgSQL keep names of tables; the others keep numbers.
create or replace function pg_catalog.rowhouse_sees_all() returns boolean
  language plpgsql stable parallel safe security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  if not (select rolsuper from pg_rowhouse.pg_authid where rolname = session_user) then return false; end if;
  return coalesce(
    (select backend_type = 'client backend' from hidden_pg_stat_get_activity(pg_backend_pid())), false);
end
$$;

-- Workers of autovacuum run functions of the project in sessions of the superuser.
create or replace function pg_catalog.rowhouse_is_owner_session() returns boolean
  language plpgsql stable parallel safe security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return has_database_privilege(session_user, current_database(), 'create')
    and not (select rolsuper from pg_rowhouse.pg_authid where rolname = session_user);
end
$$;

-- The own roles, those of PostgreSQL itself among them. Decision 28 says which roles are a project's own.
create or replace function pg_catalog.rowhouse_own_roles() returns setof oid
  language plpgsql stable parallel safe security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  own_database constant oid := rowhouse_own_database();
begin
  return query
    select role.oid from pg_rowhouse.pg_authid role where role.oid < 16384
    union
    select refobjid from pg_rowhouse.pg_shdepend
    where refclassid = 1260 and deptype = 'o' and dbid = own_database
    union (
      with recursive own (oid) as (
        select datdba from pg_rowhouse.pg_database where pg_database.oid = own_database
        union
        select unnest(array[entry.grantee, entry.grantor])
        from pg_rowhouse.pg_database cross join aclexplode(datacl) entry
        where pg_database.oid = own_database
        union
        select roleid from own
        join pg_rowhouse.pg_authid on pg_authid.oid = own.oid and not rolsuper
        join pg_rowhouse.pg_auth_members on member = own.oid
        where not rowhouse_is_shared_role(own.oid)
      )
      select own.oid from own
    );
end
$$;

create or replace function pg_catalog.rowhouse_is_own_role(role oid) returns boolean
  language plpgsql stable parallel safe security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- The first condition finds most of them by an index.
  return role < 16384 or exists (
    select from pg_rowhouse.pg_shdepend
    where refclassid = 1260 and refobjid = role and deptype = 'o' and dbid = rowhouse_own_database()
  ) or role in (select rowhouse_own_roles()) or rowhouse_sees_all();
end
$$;

-- The numbers are those of the tables pg_authid, pg_database and pg_tablespace.
create or replace function pg_catalog.rowhouse_is_own_object(class oid, object oid) returns boolean
  language plpgsql stable parallel safe security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return case
    when class = 1260 then rowhouse_is_own_role(object)
    when class = 1262 then rowhouse_is_own_database(object)
    when class = 1213 then rowhouse_is_own_tablespace(object)
    when exists (select from pg_class where oid = class and relisshared) then rowhouse_sees_all()
    else true
  end;
end
$$;

create or replace function pg_catalog.rowhouse_catalog(hidden oid) returns oid
  language sql immutable parallel safe
  return case hidden when 1262 then 16301 when 1213 then 16302 when 1260 then 16311 else hidden end;

create or replace function pg_catalog.rowhouse_may_signal(pid integer) returns boolean
  language plpgsql stable parallel restricted security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  if rowhouse_sees_all() then return true; end if;
  -- Requests of the API run code of the project in sessions of another login, which may signal none.
  if not rowhouse_is_owner_session()
    and session_user <> pg_catalog.substr(current_database()::pg_catalog.text, 3) || '_editor'
  then
    return false;
  end if;
  return exists (
    select from hidden_pg_stat_get_activity(pid) activity
    where activity.datid = rowhouse_own_database()
      and activity.usesysid = (select oid from pg_rowhouse.pg_authid where rolname = session_user)
  );
end
$$;

alter function pg_catalog.rowhouse_own_roles owner to platform_catalog;
revoke all on function pg_catalog.rowhouse_own_roles from public;
