-- A table whose changes are captured, and that has triggers which run after a change, has one more: the first trigger on
-- its rows takes the number that the lines of a statement come ahead of (project/0072_realtime_order.sql). Other tables
-- have none.

-- The triggers of a table that capture its changes, or one kind of them, the newest first. `first` is the kind that takes
-- a number, which is not among those without a word; of a partition it may be a clone of that of its table.
create or replace function pg_catalog.rowhouse_capture_triggers(
  tbl pg_catalog.oid, word pg_catalog.text default null
) returns pg_catalog.oid[]
  language sql stable
  set search_path = pg_catalog, pg_temp
  return array(
    select t.oid from pg_trigger t
    join unnest(array['insert', 'update', 'delete', 'first']) kind on tgfoid = to_regproc('realtime.capture_' || kind)
    where tgrelid = tbl and not tgisinternal and case when word is null then kind <> 'first' else kind = word end
    order by t.oid desc
  );

-- Whether triggers run after a change of the table and before the change is captured: those of the project, and those of
-- a foreign key that changes rows of the same table. Of partitioned tables only the root has a first trigger, which
-- PostgreSQL clones: with some of the partitions alone, a number would be taken for the next statement.
create or replace function pg_catalog.rowhouse_needs_first(tbl pg_catalog.oid) returns pg_catalog.bool
  language sql stable
  set search_path = pg_catalog, pg_temp
  return rowhouse_is_watched(tbl) and to_regproc('realtime.capture_first') is not null
    and tbl = coalesce(pg_partition_root(tbl)::oid, tbl)
    and exists (
      select from (select tbl as oid union select relid::oid from pg_partition_tree(tbl)) part
      where exists (
        select from pg_trigger t
        -- Not before (2) nor instead of (64), and for insert (4), delete (8) or update (16).
        where t.tgrelid = part.oid and not t.tgisinternal and t.tgparentid = 0
          and t.tgtype & 66 = 0 and t.tgtype & 28 <> 0
          and t.tgfoid <> all (array(
            select to_regproc('realtime.capture_' || kind)::oid
            from unnest(array['insert', 'update', 'delete', 'first']) kind
          ))
      ) or exists (
        select from pg_constraint
        where conrelid = part.oid and confrelid = part.oid and contype = 'f' and confupdtype in ('c', 'n', 'd')
      )
    );

-- The functions of 0016_realtime.sql, with the first trigger. Triggers run in the order of the bytes of their names. A table
-- keeps its first trigger when it does not need it any more, and when a dump brings it before the triggers that need it.
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
      ('first', '!realtime_first', 'insert or update or delete', 'for each row'),
      ('insert', 'realtime_insert', 'insert', 'referencing new table as realtime_new for each statement'),
      ('update', 'realtime_update', 'update',
        'referencing old table as realtime_old new table as realtime_new for each statement'),
      ('delete', 'realtime_delete', 'delete', 'referencing old table as realtime_old for each statement')
    ) kinds (word, prefix, events, form)
  loop
    select * into newest from pg_trigger
    where oid = any (pg_catalog.rowhouse_capture_triggers(rowhouse_watch_table.tbl, kind.word)) and tgparentid = 0
    order by oid desc limit 1;
    for other in
      select tgname from pg_trigger
      where oid = any (pg_catalog.rowhouse_capture_triggers(rowhouse_watch_table.tbl, kind.word)) and tgparentid = 0
        and (oid <> newest.oid or not is_watched)
    loop
      execute format('drop trigger %I on %s', other, rowhouse_watch_table.tbl);
    end loop;
    continue when not is_watched or newest.tgargs = arguments;
    if newest.oid is null then
      continue when kind.word = 'first' and not pg_catalog.rowhouse_needs_first(rowhouse_watch_table.tbl);
      newest.tgname := format('%s_%s', kind.prefix, substr(md5(random()::text || clock_timestamp()), 1, 12));
      select tgenabled into newest.tgenabled from pg_trigger
      where oid = (pg_catalog.rowhouse_capture_triggers(root, kind.word))[1];
    end if;
    execute format(
      'create or replace trigger %I after %s on %s %s execute function realtime.capture_%s(%s)',
      newest.tgname, kind.events, rowhouse_watch_table.tbl, kind.form, kind.word,
      -- Each argument has a zero byte behind it.
      replace(rtrim(replace(encode(arguments, 'escape'), '\000', ' ')), ' ', ', '));
    if newest.tgenabled = 'D' then
      execute format('alter table %s disable trigger %I', rowhouse_watch_table.tbl, newest.tgname);
    end if;
  end loop;
  -- A trigger of a partition.
  if root <> rowhouse_watch_table.tbl
    and pg_catalog.rowhouse_needs_first(root) and pg_catalog.rowhouse_capture_triggers(root, 'first') = '{}'
    and (select pg_has_role(relowner, 'usage') from pg_class where oid = root)
  then
    perform pg_catalog.rowhouse_watch_table(root);
  end if;
end
$$;

create or replace function pg_catalog.rowhouse_unwatched_tables() returns pg_catalog.oid[]
  language sql stable
  set search_path = pg_catalog, pg_temp
  return array(
    select c.oid from pg_class c
    where c.relkind in ('r', 'p')
      and case when rowhouse_is_watched(c.oid) then (
        select count(*) <> 3 or not bool_and(t.tgargs = rowhouse_capture_arguments(c.oid))
        from pg_trigger t where t.oid = any (rowhouse_capture_triggers(c.oid))
      ) or (
        select count(*) > 1 or not bool_and(t.tgargs = rowhouse_capture_arguments(c.oid))
          or (rowhouse_needs_first(c.oid) and count(*) = 0)
        from pg_trigger t where t.oid = any (rowhouse_capture_triggers(c.oid, 'first')) and t.tgparentid = 0
      ) else c.relhastriggers and (rowhouse_capture_triggers(c.oid) <> '{}' or exists (
        select from pg_trigger t where t.oid = any (rowhouse_capture_triggers(c.oid, 'first')) and t.tgparentid = 0
      )) end
    order by c.oid
  );
