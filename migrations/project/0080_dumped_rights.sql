-- A dump contains no right that was taken away, where the default rights of the schema public had given it: pg_dump writes
-- down what differs from the defaults of PostgreSQL. It grants at its end what roles had. So the objects of a dump start
-- without the default rights.
--
-- The setting rowhouse.restore of a session:
--   on      Rights and row level security become what the dump says.
--   off     New objects are like those that are made by hand.
--   absent  After the settings at the head of each dump, new objects are closed: PUBLIC may call no function, and tables
--           have row level security on. A dump that is restored without any option opens nothing.

-- Runs as the role that has made the objects, which may therefore revoke rights.
create or replace function platform.keep_dumped_rights() returns event_trigger
  language plpgsql security invoker
  set search_path = pg_catalog, pg_temp
as $$
declare
  is_exact constant bool := nullif(current_setting('rowhouse.restore', true), '')::bool;
  made record;
begin
  if not coalesce(
    is_exact,
    not current_setting('row_security')::bool and not current_setting('check_function_bodies')::bool
  ) then
    return;
  end if;
  for made in
    select
      case
        when object_type in ('function', 'procedure', 'aggregate') then 'routine'
        when object_type = 'sequence' then 'sequence'
        else 'table'
      end as kind,
      object_identity as name
    from pg_catalog.pg_event_trigger_ddl_commands()
    where command_tag in (
      'CREATE TABLE', 'CREATE TABLE AS', 'SELECT INTO', 'CREATE VIEW', 'CREATE MATERIALIZED VIEW', 'CREATE FOREIGN TABLE',
      'CREATE SEQUENCE', 'CREATE FUNCTION', 'CREATE PROCEDURE', 'CREATE AGGREGATE'
    )
      and object_type in (
        'table', 'view', 'materialized view', 'foreign table', 'sequence', 'function', 'procedure', 'aggregate'
      )
      and not in_extension
  loop
    -- A dump says that PUBLIC may not call a function, and does not say that it may. The name comes quoted from PostgreSQL.
    execute format(
      'revoke all on %s %s from anon, authenticated, service_role%s',
      made.kind, made.name, case when is_exact and made.kind = 'routine' then '' else ', public' end
    );
  end loop;
end
$$;
revoke all on function platform.keep_dumped_rights from public;

create or replace function platform.enable_row_level_security() returns event_trigger
  language plpgsql security invoker
  set search_path = pg_catalog, pg_temp
as $$
declare
  command record;
begin
  if nullif(current_setting('rowhouse.restore', true), '')::bool then
    return;
  end if;
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
