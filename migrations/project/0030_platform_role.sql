-- From here on migrations run as a role of the project that owns the platform's schemas and is no superuser. The
-- functions of the event triggers belong to it, too.

-- The counter is the platform's, so the function runs with the rights of its owner.
create or replace function platform.move_schema_version() returns event_trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  if tg_event = 'ddl_command_end' and not exists (
    select from pg_catalog.pg_event_trigger_ddl_commands() command
    where command.schema_name is distinct from 'pg_temp'
  ) then
    return;
  end if;
  update platform.schema_version set version = version operator(pg_catalog.+) 1;
end
$$;

-- A new table belongs to the role that runs this, which may therefore alter it.
create or replace function platform.enable_row_level_security() returns event_trigger
  language plpgsql security invoker
  set search_path = pg_catalog, pg_temp
as $$
declare
  command record;
begin
  for command in
    select objid, object_identity
    from pg_catalog.pg_event_trigger_ddl_commands()
    where object_type = 'table' and schema_name = 'public'
      and command_tag in ('CREATE TABLE', 'CREATE TABLE AS', 'SELECT INTO')
  loop
    -- The identity comes quoted from PostgreSQL.
    execute 'alter table ' || command.object_identity || ' enable row level security';
  end loop;
end
$$;
