-- Some tables of pg_catalog belong to all databases of the server. Here each gets a view in front of it with
-- the rows of this project, under the name that tools read: pg_database has one row, pg_roles the own roles.

call rowhouse_hide_table('pg_database');
call rowhouse_hide_table('pg_auth_members');
call rowhouse_hide_table('pg_db_role_setting');
call rowhouse_hide_table('pg_tablespace');
call rowhouse_hide_table('pg_shdepend');
call rowhouse_hide_table('pg_shdescription');
call rowhouse_hide_table('pg_shseclabel');
call rowhouse_hide_table('pg_subscription');
call rowhouse_hide_table('pg_replication_origin');
call rowhouse_hide_table('pg_parameter_acl');

-- Whether this is a client's session of the superuser, which sees what it sees in any other database. Workers of the
-- server have sessions of the superuser, too, and autovacuum runs functions of the project in them.
create or replace function pg_catalog.rowhouse_sees_all() returns boolean
  language plpgsql stable parallel safe security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  -- The function is hidden by a later step.
  activity constant text := case
    when to_regprocedure('hidden_pg_stat_get_activity(integer)') is null then 'pg_stat_get_activity'
    else 'hidden_pg_stat_get_activity'
  end;
  is_client boolean;
begin
  if not (select rolsuper from pg_authid where rolname = session_user) then return false; end if;
  execute format('select backend_type = %L from %I(pg_backend_pid())', 'client backend', activity) into is_client;
  return coalesce(is_client, false);
end
$$;

create or replace function pg_catalog.rowhouse_own_database() returns oid
  language sql stable parallel safe security definer
  return (select oid from hidden_pg_database where datname = current_database());

-- The functions that queries call for each row are in PL/pgSQL, which keeps their plans for the session.
create or replace function pg_catalog.rowhouse_is_own_database(database oid) returns boolean
  language plpgsql stable parallel safe security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return database = rowhouse_own_database() or rowhouse_sees_all();
end
$$;

create or replace function pg_catalog.rowhouse_is_own_tablespace(tablespace oid) returns boolean
  language sql stable parallel safe security definer
  return tablespace < 16384
    or tablespace = (select dattablespace from hidden_pg_database where oid = rowhouse_own_database())
    or exists (select from pg_class where reltablespace = tablespace)
    or rowhouse_sees_all();

-- The own roles are those to which this database grants something, with the roles that these are members of
-- (anon, authenticated, service_role), and those that own an object of it. The roles of PostgreSQL itself are
-- everybody's.
create or replace function pg_catalog.rowhouse_is_own_role(role oid) returns boolean
  language plpgsql stable parallel safe security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  own_database constant oid := rowhouse_own_database();
begin
  if role < 16384 then return true; end if;
  return exists (
    select from hidden_pg_shdepend
    where refclassid = 'pg_authid'::regclass and refobjid = role and deptype = 'o' and dbid = own_database
  ) or role in (
    with recursive own (oid) as (
      select datdba from hidden_pg_database where hidden_pg_database.oid = own_database
      union
      select unnest(array[entry.grantee, entry.grantor])
      from hidden_pg_database cross join aclexplode(datacl) entry
      where hidden_pg_database.oid = own_database
      union
      select roleid from own
      join pg_authid on pg_authid.oid = own.oid and not rolsuper
      join hidden_pg_auth_members on member = own.oid
    )
    select own.oid from own
  ) or rowhouse_sees_all();
end
$$;

create or replace view pg_catalog.pg_database as
select r.*, 16301::oid as tableoid, r.xmin from hidden_pg_database r
where rowhouse_is_own_database(r.oid);

create or replace view pg_catalog.pg_tablespace as
select r.*, 16302::oid as tableoid, r.xmin from hidden_pg_tablespace r
where rowhouse_is_own_tablespace(r.oid);

create or replace view pg_catalog.pg_auth_members as
select r.*, 16303::oid as tableoid, r.xmin from hidden_pg_auth_members r
where rowhouse_is_own_role(r.roleid) and rowhouse_is_own_role(r.member);

create or replace view pg_catalog.pg_db_role_setting as
select r.*, 16304::oid as tableoid, r.xmin from hidden_pg_db_role_setting r
where (r.setdatabase = 0 or rowhouse_is_own_database(r.setdatabase))
  and (r.setrole = 0 or rowhouse_is_own_role(r.setrole));

-- Rows that name one of the tables above name the view now, as 'pg_database'::regclass does.
create or replace function pg_catalog.rowhouse_catalog(hidden oid) returns oid
  language sql immutable parallel safe
  return case hidden when 1262 then 16301 when 1213 then 16302 else hidden end;

create or replace function pg_catalog.rowhouse_is_own_object(class oid, object oid) returns boolean
  language plpgsql stable parallel safe security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return case
    when class = 'pg_authid'::regclass then rowhouse_is_own_role(object)
    when class = 'hidden_pg_database'::regclass then rowhouse_is_own_database(object)
    when class = 'hidden_pg_tablespace'::regclass then rowhouse_is_own_tablespace(object)
    when exists (select from pg_class where oid = class and relisshared) then rowhouse_sees_all()
    else true
  end;
end
$$;

create or replace view pg_catalog.pg_shdepend as
select r.dbid, rowhouse_catalog(r.classid) as classid, r.objid, r.objsubid,
  rowhouse_catalog(r.refclassid) as refclassid, r.refobjid, r.deptype, 16305::oid as tableoid, r.xmin
from hidden_pg_shdepend r
where rowhouse_is_own_database(r.dbid) and rowhouse_is_own_object(r.refclassid, r.refobjid);

create or replace view pg_catalog.pg_shdescription as
select r.objoid, rowhouse_catalog(r.classoid) as classoid, r.description, 16306::oid as tableoid, r.xmin
from hidden_pg_shdescription r where rowhouse_is_own_object(r.classoid, r.objoid);

create or replace view pg_catalog.pg_shseclabel as
select r.objoid, rowhouse_catalog(r.classoid) as classoid, r.provider, r.label, 16307::oid as tableoid, r.xmin
from hidden_pg_shseclabel r where rowhouse_is_own_object(r.classoid, r.objoid);

create or replace view pg_catalog.pg_subscription as
select r.*, 16308::oid as tableoid, r.xmin from hidden_pg_subscription r
where rowhouse_is_own_database(r.subdbid);

create or replace view pg_catalog.pg_replication_origin as
select r.*, 16309::oid as tableoid, r.xmin from hidden_pg_replication_origin r where rowhouse_sees_all();

create or replace view pg_catalog.pg_parameter_acl as
select r.*, 16310::oid as tableoid, r.xmin from hidden_pg_parameter_acl r where rowhouse_sees_all();

grant select on pg_catalog.pg_database, pg_catalog.pg_tablespace, pg_catalog.pg_auth_members,
  pg_catalog.pg_db_role_setting, pg_catalog.pg_shdepend, pg_catalog.pg_shdescription, pg_catalog.pg_shseclabel,
  pg_catalog.pg_replication_origin, pg_catalog.pg_parameter_acl to public;

do $$
begin
  -- The connection string of a subscription has a password in it.
  execute (
    select 'grant select (' || string_agg(quote_ident(attname), ', ') || ') on pg_catalog.pg_subscription to public'
    from pg_attribute
    where attrelid = 'pg_subscription'::regclass and attnum > 0 and attname <> 'subconninfo'
  );
end
$$;
