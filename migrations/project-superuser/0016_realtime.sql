-- Each table of the project gets the triggers that write its changes to realtime.outbox: new ones by an event trigger, and
-- those that exist one after the other after this step (watch-tables.ts), so that no transaction locks several. The
-- functions belong to the superuser, which calls them itself, and run with the rights of the caller; a new table belongs
-- to the role that has made it.

-- The bit of a table in realtime.gate. Partitions have the bit of the table at the root of their tree.
create or replace function pg_catalog.rowhouse_gate_bit(tbl pg_catalog.oid) returns pg_catalog.int2
  language sql immutable parallel safe
  return (2 + tbl::int8 % 60)::int2;

-- Whether making JSON of the rows of a table may raise: it runs casts of types that are not built in, and composite
-- values may become much longer than they are stored.
create or replace function pg_catalog.rowhouse_is_guarded(tbl pg_catalog.oid) returns pg_catalog.bool
  language sql stable
  set search_path = pg_catalog, pg_temp
  return exists (
    with recursive used (oid) as (
      select atttypid from pg_attribute where attrelid = tbl and attnum > 0 and not attisdropped and atttypid >= 16384
      union
      select part.oid
      from used
      join pg_type t on t.oid = used.oid
      cross join lateral (values (t.typelem), (t.typbasetype)) part (oid)
      where part.oid >= 16384
    )
    select from used join pg_type t on t.oid = used.oid
    where t.typtype = 'c' or exists (
      select from pg_cast
      where castsource = used.oid and castfunc <> 0 and casttarget in ('json'::regtype, 'jsonb'::regtype)
    )
  );

-- Whether changes of a table can be captured: tables of public, and partitions of such, that are no temporary ones. The
-- schema is found by its name: with a constant in its place, dropping the schema would drop the function.
create or replace function pg_catalog.rowhouse_may_be_watched(tbl pg_catalog.oid) returns pg_catalog.bool
  language sql stable
  set search_path = pg_catalog, pg_temp
  return exists (
    select from pg_class c
    join pg_class root on root.oid = coalesce(pg_partition_root(c.oid)::oid, c.oid)
    where c.oid = tbl and c.relkind in ('r', 'p') and c.relpersistence <> 't'
      and root.relnamespace = (select oid from pg_namespace where nspname = 'public')
  );

-- Whether the owner has switched the table off, or the table that it is a partition of: it has a trigger that marks it.
create or replace function pg_catalog.rowhouse_is_off(tbl pg_catalog.oid) returns pg_catalog.bool
  language sql stable
  set search_path = pg_catalog, pg_temp
  return exists (
    select from pg_trigger
    where tgrelid = coalesce(pg_partition_root(tbl)::oid, tbl) and tgfoid = to_regproc('realtime.capture_off')
  );

create or replace function pg_catalog.rowhouse_is_watched(tbl pg_catalog.oid) returns pg_catalog.bool
  language sql stable
  set search_path = pg_catalog, pg_temp
  return rowhouse_may_be_watched(tbl) and not rowhouse_is_off(tbl);

-- The triggers of a table that capture its changes, or one kind of them, the newest first.
create or replace function pg_catalog.rowhouse_capture_triggers(
  tbl pg_catalog.oid, word pg_catalog.text default null
) returns pg_catalog.oid[]
  language sql stable
  set search_path = pg_catalog, pg_temp
  return array(
    select t.oid from pg_trigger t
    join unnest(array['insert', 'update', 'delete']) kind on tgfoid = to_regproc('realtime.capture_' || kind)
    where tgrelid = tbl and not tgisinternal and kind = coalesce(word, kind)
    order by t.oid desc
  );

-- What tgargs of the triggers of a table must be; null for a number without a table.
create or replace function pg_catalog.rowhouse_capture_arguments(tbl pg_catalog.oid) returns pg_catalog.bytea
  language sql stable
  set search_path = pg_catalog, pg_temp
  return (
    select decode(
      (1::int8 << rowhouse_gate_bit(coalesce(pg_partition_root(oid)::oid, oid))) || '\000'
      || case when rowhouse_is_guarded(oid) then 'guarded\000' else '' end,
      'escape')
    from pg_class where oid = tbl
  );

-- Gives a table its triggers, or takes them away where changes are not captured: PostgreSQL keeps the rows of a statement
-- also for triggers that are switched off. Runs with the rights of the owner of the table. A trigger that is switched off stays so, and a new partition is switched off with its root. A dump brings
-- triggers with the bit of another table: they are made right under their names, by which a later statement of the dump
-- may switch them off, and take the place of those that the table has had.
create or replace function pg_catalog.rowhouse_watch_table(tbl pg_catalog.regclass) returns pg_catalog.void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  root constant regclass := coalesce(pg_partition_root(rowhouse_watch_table.tbl), rowhouse_watch_table.tbl);
  is_watched constant bool := pg_catalog.rowhouse_is_watched(rowhouse_watch_table.tbl);
  arguments constant bytea := pg_catalog.rowhouse_capture_arguments(rowhouse_watch_table.tbl);
  kind record;
  newest pg_trigger;
  other name;
begin
  for kind in
    select * from (values
      ('insert', 'referencing new table as realtime_new'),
      ('update', 'referencing old table as realtime_old new table as realtime_new'),
      ('delete', 'referencing old table as realtime_old')
    ) kinds (word, transition)
  loop
    select * into newest from pg_trigger
    where oid = (pg_catalog.rowhouse_capture_triggers(rowhouse_watch_table.tbl, kind.word))[1];
    for other in
      select tgname from pg_trigger
      where oid = any (pg_catalog.rowhouse_capture_triggers(rowhouse_watch_table.tbl, kind.word))
        and (oid <> newest.oid or not is_watched)
    loop
      execute format('drop trigger %I on %s', other, rowhouse_watch_table.tbl);
    end loop;
    continue when not is_watched or newest.tgargs = arguments;
    if newest.oid is null then
      newest.tgname := format('realtime_%s_%s', kind.word, substr(md5(random()::text || clock_timestamp()), 1, 12));
      select tgenabled into newest.tgenabled from pg_trigger
      where oid = (pg_catalog.rowhouse_capture_triggers(root, kind.word))[1];
    end if;
    execute format(
      'create or replace trigger %I after %s on %s %s for each statement execute function realtime.capture_%s(%s)',
      newest.tgname, kind.word, rowhouse_watch_table.tbl, kind.transition, kind.word,
      -- Each argument has a zero byte behind it.
      replace(rtrim(replace(encode(arguments, 'escape'), '\000', ' ')), ' ', ', '));
    if newest.tgenabled = 'D' then
      execute format('alter table %s disable trigger %I', rowhouse_watch_table.tbl, newest.tgname);
    end if;
  end loop;
end
$$;

-- The tables whose triggers are not right: their changes are not captured as they should be, or are although they should
-- not. The newest trigger of a kind counts.
create or replace function pg_catalog.rowhouse_unwatched_tables() returns pg_catalog.oid[]
  language sql stable
  set search_path = pg_catalog, pg_temp
  return array(
    select c.oid from pg_class c
    where c.relkind in ('r', 'p')
      and case when rowhouse_is_watched(c.oid) then (
        select count(*) filter (where t.tgargs = rowhouse_capture_arguments(c.oid)) <> 3 or count(*) <> 3
        from pg_trigger t where t.oid = any (rowhouse_capture_triggers(c.oid))
      ) else c.relhastriggers and rowhouse_capture_triggers(c.oid) <> '{}' end
    order by c.oid
  );

-- Makes all of these right whose owner the current role may act for.
create or replace function pg_catalog.rowhouse_watch_all() returns pg_catalog.void
  language sql volatile
  set search_path = pg_catalog, pg_temp
begin atomic
  select rowhouse_watch_table(c.oid) from unnest(rowhouse_unwatched_tables()) with ordinality wrong (oid, place)
  join pg_class c on c.oid = wrong.oid
  where pg_has_role(c.relowner, 'usage')
  order by wrong.place;
end;

create or replace function pg_catalog.rowhouse_watch_tables() returns event_trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  changed oid;
begin
  -- A cast may be of a type that tables have already; a schema may be renamed to public, or made with its tables.
  if tg_tag in ('CREATE CAST', 'CREATE SCHEMA', 'ALTER SCHEMA') then
    perform pg_catalog.rowhouse_watch_all();
    return;
  end if;
  for changed in
    select c.oid
    from (
      select distinct case
        when command.classid = 'pg_class'::regclass then command.objid
        when command.classid = 'pg_trigger'::regclass then (select tgrelid from pg_trigger where oid = command.objid)
      end as oid
      from pg_event_trigger_ddl_commands() command
      where not command.in_extension
    ) command
    join pg_class c using (oid)
    where c.relkind in ('r', 'p') and c.relpersistence <> 't'
      -- Tables outside of public have no triggers, unless they have come from there.
      and (c.relhastriggers or pg_catalog.rowhouse_is_watched(c.oid))
    order by c.oid
  loop
    -- A command names the table whose partition is attached or detached, not the partition.
    if tg_tag = 'ALTER TABLE' and (select relkind from pg_class where oid = changed) = 'p' then
      perform pg_catalog.rowhouse_watch_all();
    else
      perform pg_catalog.rowhouse_watch_table(changed);
    end if;
  end loop;
end
$$;

do $$
begin
  if not exists (select from pg_event_trigger where evtname = 'platform_watch_tables') then
    create event trigger platform_watch_tables on ddl_command_end
      when tag in (
        'CREATE TABLE', 'CREATE TABLE AS', 'SELECT INTO', 'ALTER TABLE', 'CREATE TRIGGER', 'CREATE CAST',
        'CREATE SCHEMA', 'ALTER SCHEMA'
      )
      execute function pg_catalog.rowhouse_watch_tables();
  end if;
end
$$;
