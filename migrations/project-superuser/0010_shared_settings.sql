-- A function that runs as anon may write the settings of anon, with `alter role anon set`: PostgreSQL lets every role
-- write its own. anon is a role of all projects, so what one project wrote there, another could read. Settings of roles
-- that projects share are shown to the superuser alone; PostgreSQL never applies them, because nobody signs in as them.

create or replace function pg_catalog.rowhouse_is_shared_role(role oid) returns boolean
  language sql stable parallel safe security definer
  return exists (
    select from pg_authid where oid = role and not rolcanlogin
      and (rolname in ('anon', 'authenticated', 'service_role') or starts_with(rolname::text, 'platform_'))
  );

create or replace view pg_catalog.pg_db_role_setting as
select r.*, 16304::oid as tableoid, r.xmin from hidden_pg_db_role_setting r
where (r.setdatabase = 0 or rowhouse_is_own_database(r.setdatabase))
  and (r.setrole = 0 or rowhouse_is_own_role(r.setrole))
  and (not rowhouse_is_shared_role(r.setrole) or rowhouse_sees_all());

-- In PostgreSQL 15 a session may also make other roles members of its own login, a shared role among them. Memberships
-- of shared roles therefore make no role an own one, and are shown between shared roles only.
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
      where not rowhouse_is_shared_role(own.oid)
    )
    select own.oid from own
  ) or rowhouse_sees_all();
end
$$;

call rowhouse_note_rights();
