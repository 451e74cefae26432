-- Tables of a project refer to users by their id, in a column of a built-in type. PostgreSQL checks a foreign key as the
-- owner of the table that it refers to, and a column of the project's own type would bring a cast of the project's own
-- into that check. Event triggers see the constraint whichever statement has made it.

create or replace function pg_catalog.rowhouse_refused_references() returns table (relation regclass, name name)
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
    select c.conrelid::regclass, c.conname
    from pg_constraint c
    where c.contype = 'f' and c.conparentid = 0 and c.confrelid = to_regclass('auth."user"')
      and (
        c.confkey <> array(
          select a.attnum from pg_attribute a where a.attrelid = c.confrelid and a.attname = 'id'
        )
        or exists (
          select from pg_attribute a join pg_type t on t.oid = a.atttypid
          where a.attrelid = c.conrelid and a.attnum = any (c.conkey)
            and t.typnamespace <> 'pg_catalog'::regnamespace
        )
      );
end
$$;

create or replace function pg_catalog.rowhouse_check_references() returns event_trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  refused record;
begin
  select * into refused from rowhouse_refused_references() limit 1;
  if found then
    raise exception using
      -- Answered with 403 and this message; what insufficient_privilege says is not shown to callers.
      errcode = 'PT403',
      message = format('The foreign key %I of %s must refer to auth."user" (id)', refused.name, refused.relation),
      hint = 'Use a column of the built-in type that the ids of users have.';
  end if;
end
$$;

-- Those of earlier releases.
do $$
declare
  refused record;
begin
  for refused in select * from rowhouse_refused_references() loop
    execute format('alter table %s drop constraint %I', refused.relation, refused.name);
  end loop;
  if not exists (select from pg_event_trigger where evtname = 'rowhouse_references') then
    create event trigger rowhouse_references on ddl_command_end
      execute function pg_catalog.rowhouse_check_references();
  end if;
end
$$;
