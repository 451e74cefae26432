-- A table has the trigger that takes a number (0018_realtime_order.sql) only while it has triggers that run after a change:
-- it is called for each row.

-- As in 0018_realtime_order.sql, without foreign keys that change rows of the same table: PostgreSQL runs the triggers of
-- a statement after those, once for the rows of both.
create or replace function pg_catalog.rowhouse_needs_first(tbl pg_catalog.oid) returns pg_catalog.bool
  language sql stable
  set search_path = pg_catalog, pg_temp
  return rowhouse_is_watched(tbl) and to_regproc('realtime.capture_first') is not null
    and tbl = coalesce(pg_partition_root(tbl)::oid, tbl)
    and exists (
      select from (select tbl as oid union select relid::oid from pg_partition_tree(tbl)) part
      join pg_trigger t on t.tgrelid = part.oid
      -- Not before (2) nor instead of (64), and for insert (4), delete (8) or update (16).
      where not t.tgisinternal and t.tgparentid = 0 and t.tgtype & 66 = 0 and t.tgtype & 28 <> 0
        and t.tgfoid <> all (array(
          select to_regproc('realtime.capture_' || kind)::oid
          from unnest(array['insert', 'update', 'delete', 'first']) kind
        ))
    );

-- Takes the trigger away when the last of the others is dropped. Other commands do not: a dump makes it before the others,
-- and may switch it off by its name. Of a table that another role owns it stays: the command must not fail.
create or replace function pg_catalog.rowhouse_unwatch_tables() returns event_trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  leftover record;
begin
  for leftover in
    select t.tgname as name, t.tgrelid::regclass as tbl
    from (
      select distinct coalesce(pg_partition_root(named.oid)::oid, named.oid) as oid
      from pg_event_trigger_dropped_objects() dropped
      join pg_namespace n on n.nspname = dropped.address_names[1]
      join pg_class named on named.relnamespace = n.oid and named.relname = dropped.address_names[2]
      where dropped.classid = 'pg_trigger'::regclass
    ) changed
    join pg_class c on c.oid = changed.oid and pg_has_role(c.relowner, 'usage')
    join pg_trigger t on t.tgrelid = c.oid and t.tgparentid = 0 and t.tgfoid = to_regproc('realtime.capture_first')
    where not pg_catalog.rowhouse_needs_first(c.oid)
    order by c.oid
  loop
    execute format('drop trigger %I on %s', leftover.name, leftover.tbl);
  end loop;
end
$$;

do $$
begin
  if not exists (select from pg_event_trigger where evtname = 'platform_unwatch_tables') then
    create event trigger platform_unwatch_tables on sql_drop execute function pg_catalog.rowhouse_unwatch_tables();
  end if;
end
$$;
