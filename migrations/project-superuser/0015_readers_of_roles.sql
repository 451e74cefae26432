-- The view pg_authid gets its number (see 0003), and all views of PostgreSQL over the table read the view. They showed
-- names of all roles to conditions of a query, those of information_schema among them.
call rowhouse_renumber_view('pg_catalog.pg_authid'::regclass, 16311);

call rowhouse_renew_users();

do $$
declare
  name text;
begin
  foreach name in array array['pg_roles', 'pg_shadow', 'pg_group'] loop
    execute format('create or replace view pg_catalog.%I with (security_barrier = true) as %s', name,
      replace(pg_get_viewdef(format('pg_catalog.%I', name)::regclass), 'pg_rowhouse.', 'pg_catalog.'));
  end loop;
end
$$;

call rowhouse_note_rights();
