-- The views of the step before get the object identifiers that their column tableoid names. It is a step of
-- its own because PostgreSQL keeps a relation open until the end of the transaction that creates it.
do $$
declare
  name text;
  number text;
begin
  for name, number in values
    ('pg_database', '16301'), ('pg_tablespace', '16302'), ('pg_auth_members', '16303'),
    ('pg_db_role_setting', '16304'), ('pg_shdepend', '16305'), ('pg_shdescription', '16306'),
    ('pg_shseclabel', '16307'), ('pg_subscription', '16308'), ('pg_replication_origin', '16309'),
    ('pg_parameter_acl', '16310')
  loop
    call rowhouse_renumber_view(format('pg_catalog.%I', name)::regclass, number::oid);
  end loop;
end
$$;

call rowhouse_renew_users();

-- These are views of PostgreSQL itself, over pg_authid, which only the superuser reads.
do $$
declare
  name text;
  key text;
  definition text;
begin
  for name, key in values ('pg_roles', 'oid'), ('pg_shadow', 'usesysid'), ('pg_group', 'grosysid') loop
    definition := rtrim(pg_get_viewdef(format('pg_catalog.%I', name)::regclass), ';');
    continue when strpos(definition, 'rowhouse_is_own_role') > 0;
    execute format(
      'create or replace view pg_catalog.%I as select r.* from (%s) r where pg_catalog.rowhouse_is_own_role(r.%I)',
      name, definition, key);
  end loop;
end
$$;

grant select on pg_catalog.pg_roles, pg_catalog.pg_user, pg_catalog.pg_group, pg_catalog.pg_user_mappings to public;
call rowhouse_note_rights();
