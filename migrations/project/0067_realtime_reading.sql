-- Reading the lines of realtime.outbox. A position is the text of a snapshot: all lines that it sees have been read. While
-- a page has not reached the end, the position is `seen/target/seq`: of the lines that the snapshot `target` sees and
-- `seen` does not, those up to the number `seq` have been read. Both are exact: a transaction that commits late is met by
-- its number, whatever the numbers of its lines are, and a transaction of another database delays nothing.

-- What positions of this outbox are compared with, so that those of another one are worth nothing.
alter table realtime.kept
  add column if not exists generation pg_catalog.uuid not null default pg_catalog.gen_random_uuid();

-- Opens the gate like realtime.listen, and returns since when each bit has been open.
create or replace function realtime.open(
  bits pg_catalog.int2[], node pg_catalog.text, seconds pg_catalog.int4
) returns table ("bit" pg_catalog.int2, txid pg_catalog.xid8)
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  perform realtime.listen(open.bits, open.node, open.seconds);
  return query select o.bit, o.txid from realtime.opened o where o.bit = any (open.bits);
end
$$;

-- Which outbox this is. Positions are worth nothing in another database, or in one that went back to an earlier time.
create or replace function realtime.epoch() returns pg_catalog.text
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return left(encode(sha256(convert_to(concat_ws(' ', pg_catalog.rowhouse_lifetime(), k.generation), 'UTF8')), 'hex'), 12)
  from realtime.kept k;
end
$$;

-- The lines after a position, in the order of their numbers, at most so many rows and (but for one) so many bytes; and
-- last a row without a kind, which has the next position. Its position is null if lines after the position are missing.
-- With `tables`, only changes of these. The planner would read the whole table for transactions that were running.
create or replace function realtime.read(
  place pg_catalog.text, tables pg_catalog.oid[], max_rows pg_catalog.int4, max_bytes pg_catalog.int8
) returns table (
  seq pg_catalog.int8, txid pg_catalog.xid8, kind pg_catalog."char", tbl pg_catalog.oid, n pg_catalog.text,
  o pg_catalog.text, is_cut pg_catalog.bool, at pg_catalog.text, "position" pg_catalog.text
)
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  set enable_seqscan = off set enable_bitmapscan = off set jit = off set timezone = 'UTC'
as $$
#variable_conflict use_column
declare
  seen constant pg_snapshot := split_part(place, '/', 1);
  target constant pg_snapshot := coalesce(nullif(split_part(place, '/', 2), '')::pg_snapshot, pg_current_snapshot());
  is_continued constant bool := split_part(place, '/', 2) <> '';
  last_read constant int8 := coalesce(nullif(split_part(place, '/', 3), '')::int8, 0);
  first_new constant xid8 := pg_snapshot_xmax(seen);
  was_running constant xid8[] := array(select pg_snapshot_xip(seen));
begin
  if not realtime.is_kept(seen::text, array(
    select distinct (2 + tbl::int8 % 60)::int2 from unnest(tables) tbl
  )) then
    return query select
      null::int8, null::xid8, null::"char", null::oid, null::text, null::text, null::bool, null::text, null::text;
    return;
  end if;
  return query
  with page as materialized (
    select arms.seq, arms.txid from (
      select l.seq, l.txid from realtime.outbox l
      where l.txid >= first_new and l.seq > last_read
        and (not is_continued or pg_visible_in_snapshot(l.txid, target))
        and (tables is null or l.tbl = any (tables))
      union all
      select l.seq, l.txid from realtime.outbox l
      where l.txid = any (was_running) and l.seq > last_read
        and (not is_continued or pg_visible_in_snapshot(l.txid, target))
        and (tables is null or l.tbl = any (tables))
    ) arms
    order by arms.seq
    limit max_rows + 1
  ), sized as (
    select l.*, row_number() over before_it as row_number, sum(l.bytes) over before_it - l.bytes as bytes_before
    from page
    cross join lateral (
      select line.*, 100 + coalesce(pg_column_size(line.n), 0) + coalesce(pg_column_size(line.o), 0) as bytes
      from (
        select f.txid, f.seq, f.kind, f.tbl, f.n, f.o, f.is_cut, f.at from realtime.outbox f
        where f.txid = page.txid and f.seq = page.seq
        limit 1
      ) line
    ) l
    window before_it as (order by l.seq rows unbounded preceding)
  ), taken as (
    select * from sized where sized.row_number <= max_rows and sized.bytes_before < max_bytes
  ), outcome as (
    select max(taken.seq) as last_seq, count(*) = (select count(*) from page) as is_all from taken
  )
  select lines.* from (
    select t.seq, t.txid, t.kind, t.tbl, t.n::text, t.o::text, t.is_cut,
      to_char(t.at, 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"'), null::text as "position"
    from taken t
    union all
    select null, null, null, null, null, null, null, null, case
      when outcome.is_all then target::text
      else concat(seen, '/', target, '/', outcome.last_seq)
    end
    from outcome
  ) lines
  order by lines.seq nulls last;
end
$$;

revoke all on function realtime.open, realtime.epoch, realtime.read from public;
grant execute on function realtime.open, realtime.epoch, realtime.read to platform_engine;
