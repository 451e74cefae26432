-- The extensions that a project's owner may create. PostgreSQL lets an owner create every extension that its
-- files call trusted, and among them are languages whose loops no time limit stops (PL/Perl, PL/Tcl). Whatever
-- is missing here can be created by the superuser.

create or replace function pg_catalog.rowhouse_check_extensions() returns event_trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  allowed constant name[] := array[
    'btree_gin', 'btree_gist', 'citext', 'cube', 'dict_int', 'fuzzystrmatch', 'hstore', 'intarray', 'isn', 'lo',
    'ltree', 'pg_trgm', 'pgcrypto', 'plpgsql', 'seg', 'tablefunc', 'tcn', 'tsm_system_rows', 'tsm_system_time',
    'unaccent', 'uuid-ossp', 'vector'
  ];
  refused name;
begin
  if rowhouse_sees_all() then return; end if;
  -- With CASCADE one statement creates those that the extension needs, too.
  with recursive created (oid) as (
    select objid from pg_event_trigger_ddl_commands() where classid = 'pg_extension'::regclass
    union
    select refobjid from created
    join pg_depend on classid = 'pg_extension'::regclass and objid = created.oid and refclassid = classid
  )
  select extname into refused from created join pg_extension using (oid) where extname <> all (allowed) limit 1;
  if refused is not null then
    raise exception using
      -- Answered with 403 and this message; what insufficient_privilege says is not shown to callers.
      errcode = 'PT403',
      message = format('A project may not create the extension %I', refused),
      hint = 'It may create ' || array_to_string(allowed, ', ')
        || '. An operator of the server may create others in the database of the project.';
  end if;
end
$$;

revoke all on function pg_catalog.rowhouse_check_extensions from public;

do $$
begin
  if not exists (select from pg_event_trigger where evtname = 'rowhouse_extensions') then
    create event trigger rowhouse_extensions on ddl_command_end
      when tag in ('CREATE EXTENSION', 'ALTER EXTENSION')
      execute function pg_catalog.rowhouse_check_extensions();
  end if;
end
$$;
call rowhouse_note_rights();
