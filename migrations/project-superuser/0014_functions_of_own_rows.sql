-- The planner moves conditions with leakproof operators into a view, even one with a security barrier, and EXPLAIN counts
-- the rows that they remove. So each view in place of a shared table reads a function that gives the own rows. The
-- planner does not look into the function, and conditions see no other rows.

-- The columns that only the superuser reads. The functions run with the rights of the caller.
create or replace function pg_catalog.rowhouse_role_password(role oid) returns text
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if not rowhouse_sees_all() then return null; end if;
  return (select rolpassword from pg_rowhouse.pg_authid where oid = role);
end
$$;

create or replace function pg_catalog.rowhouse_connection_string(subscription oid) returns text
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if not rowhouse_sees_all() then return null; end if;
  return (select subconninfo from pg_rowhouse.pg_subscription where oid = subscription);
end
$$;

-- Creates rowhouse_<name>_rows(), which gives the rows of a shared table for which `condition` holds, and the view over
-- it. The columns are read from the server, because versions of PostgreSQL differ in them.
create or replace procedure pg_catalog.rowhouse_show_rows(name name, number oid, condition text) language plpgsql as $$
declare
  columns record;
  query text;
begin
  select
    string_agg(quote_ident(attname), ', ') filter (where secret is null) as readable,
    string_agg(format('%I %s', attname, format_type(atttypid, atttypmod)), ', ' order by attnum)
      filter (where secret is null) as typed,
    string_agg(format(case when attname ~ '^(ref)?class(o)?id$' then 'rowhouse_catalog(r.%I)' else 'r.%I' end, attname),
      ', ' order by attnum) filter (where secret is null) as taken,
    string_agg(format('%s%s as %I', coalesce(secret || '(r.oid)', format('r.%I', attname)),
      case when attcollation <> 0 then format(' collate %s', attcollation::regcollation) end, attname),
      ', ' order by attnum) as shown
  into strict columns
  from pg_attribute cross join lateral (
    select case attname
      when 'rolpassword' then 'pg_catalog.rowhouse_role_password'
      when 'subconninfo' then 'pg_catalog.rowhouse_connection_string'
    end as secret
  ) secrets
  where attrelid = format('pg_rowhouse.%I', name)::regclass and attnum > 0 and not attisdropped;

  execute format('grant select (%s) on pg_rowhouse.%I to platform_catalog', columns.readable || ', xmin', name);
  query := format('return query select %s, %s::oid, r.xmin from pg_rowhouse.%I r', columns.taken, number, name);
  execute format($create$
    create or replace function pg_catalog.%I() returns table (%s, tableoid oid, xmin xid)
      language plpgsql stable parallel safe security definer rows 20
      set search_path = pg_catalog, pg_temp
    as $body$
    #variable_conflict use_column
    declare
      own_database constant oid := rowhouse_own_database();
      own_roles constant oid[] := %s;
    begin
      if rowhouse_sees_all() then %s; else %s where %s; end if;
    end
    $body$
    $create$, 'rowhouse_' || name || '_rows', columns.typed,
    case when condition ~ 'own_roles' then 'array(select rowhouse_own_roles())' else 'null' end, query, query, condition);
  execute format('alter function pg_catalog.%I owner to platform_catalog', 'rowhouse_' || name || '_rows');
  execute format('create or replace view pg_catalog.%I as select %s, r.tableoid, r.xmin from pg_catalog.%I() r',
    name, columns.shown, 'rowhouse_' || name || '_rows');
end
$$;
revoke all on procedure pg_catalog.rowhouse_show_rows from public;

call rowhouse_show_rows('pg_authid', 16311, 'r.oid = any (own_roles)');
call rowhouse_show_rows('pg_database', 16301, 'r.oid = own_database');
call rowhouse_show_rows('pg_tablespace', 16302, 'rowhouse_is_own_tablespace(r.oid)');
call rowhouse_show_rows('pg_auth_members', 16303, 'r.roleid = any (own_roles) and r.member = any (own_roles)');
call rowhouse_show_rows('pg_db_role_setting', 16304, $$r.setdatabase in (0, own_database)
  and (r.setrole = 0 or r.setrole = any (own_roles)) and not rowhouse_is_shared_role(r.setrole)$$);
call rowhouse_show_rows('pg_shdepend', 16305,
  'r.dbid = own_database and rowhouse_is_own_object(r.refclassid, r.refobjid)');
call rowhouse_show_rows('pg_shdescription', 16306, 'rowhouse_is_own_object(r.classoid, r.objoid)');
call rowhouse_show_rows('pg_shseclabel', 16307, 'rowhouse_is_own_object(r.classoid, r.objoid)');
call rowhouse_show_rows('pg_subscription', 16308, 'r.subdbid = own_database');
call rowhouse_show_rows('pg_replication_origin', 16309, 'false');
call rowhouse_show_rows('pg_parameter_acl', 16310, 'false');
