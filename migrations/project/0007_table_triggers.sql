-- Event triggers: each change of the catalog moves schema_version, and a new table of public starts with
-- row level security on. Both run as their owner, because the project's owner may not write to platform.

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
  update platform.schema_version set version = version + 1;
end
$$;

create or replace function platform.enable_row_level_security() returns event_trigger
  language plpgsql security definer
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

do $$
begin
  if not exists (select from pg_event_trigger where evtname = 'platform_enable_rls') then
    create event trigger platform_enable_rls on ddl_command_end
      when tag in ('CREATE TABLE', 'CREATE TABLE AS', 'SELECT INTO')
      execute function platform.enable_row_level_security();
  end if;
  if not exists (select from pg_event_trigger where evtname = 'platform_version_ddl') then
    create event trigger platform_version_ddl on ddl_command_end
      execute function platform.move_schema_version();
  end if;
  if not exists (select from pg_event_trigger where evtname = 'platform_version_drop') then
    create event trigger platform_version_drop on sql_drop
      execute function platform.move_schema_version();
  end if;
end
$$;

revoke all on function platform.move_schema_version(), platform.enable_row_level_security() from public;
