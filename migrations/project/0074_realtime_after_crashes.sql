-- Positions outlive a crash of PostgreSQL. It loses the numbers of transactions of which nothing has reached the disk,
-- and gives them to others. So a position says that it has seen only numbers below those that are on the disk for sure:
-- of lines, marks and openings that it sees, which reach the disk before they are visible. The numbers above have no
-- lines that it sees.

-- What is on the disk is known of transactions that wait for it: those that write lines, marks and openings do.
create or replace function realtime.wait_for_disk() returns trigger
  language plpgsql volatile
as $$
begin
  if pg_catalog.current_setting('synchronous_commit') operator(pg_catalog.=) 'off' then
    perform pg_catalog.set_config('synchronous_commit', 'local', true);
  end if;
  return null;
end
$$;
create or replace trigger wait_for_disk before insert on realtime.outbox
  for each statement execute function realtime.wait_for_disk();
create or replace trigger wait_for_disk before insert on realtime.marks
  for each statement execute function realtime.wait_for_disk();
create or replace trigger wait_for_disk before insert on realtime.opened
  for each statement execute function realtime.wait_for_disk();

-- The position that has seen all lines which the statement sees.
create or replace function realtime.current_position() returns pg_catalog.text
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  set enable_seqscan = off set enable_bitmapscan = off set jit = off
as $$
declare
  seen constant pg_snapshot := pg_current_snapshot();
  -- A mark comes after the ends of all transactions that its snapshot has seen.
  marked constant xid8 := greatest(
    (select pg_snapshot_xmax(m.snapshot) from realtime.marks m order by m.at desc limit 1),
    (select pg_snapshot_xmax(k.since) from realtime.kept k)
  );
  last_written xid8;
  upper xid8 := pg_snapshot_xmax(seen);
  running xid8;
  ends xid8;
begin
  -- Between the numbers of transactions that run, whose lines may be many and are not visible.
  for running in select txid from pg_snapshot_xip(seen) txid where txid > marked order by txid desc loop
    select l.txid into last_written from realtime.outbox l
    where l.txid > running and l.txid < upper order by l.txid desc limit 1;
    exit when found;
    upper := running;
  end loop;
  if last_written is null then
    last_written := (
      select l.txid from realtime.outbox l where l.txid >= marked and l.txid < upper order by l.txid desc limit 1
    );
  end if;
  last_written := greatest(last_written, (select o.txid from realtime.opened o order by o.txid desc limit 1));
  ends := least(pg_snapshot_xmax(seen), greatest(marked, (last_written::text::int8 + 1)::text::xid8));
  return concat(
    least(pg_snapshot_xmin(seen), ends), ':', ends, ':',
    (select string_agg(txid::text, ',' order by txid) from pg_snapshot_xip(seen) txid where txid < ends)
  );
end
$$;

-- The runs of the server that have read the outbox, up to twenty. A copy of a running server begins a run, too, and so
-- does a standby that is promoted. Their numbers go on from an earlier state: positions of the server that went on may
-- be ahead of where they began.
create table if not exists realtime.runs (
  number pg_catalog.int8 generated always as identity primary key,
  id pg_catalog.uuid not null unique,
  timeline pg_catalog.text not null,
  -- No transaction had this number or a later one.
  began pg_catalog.xid8 not null
);
grant select on realtime.runs to platform_engine;

create or replace function realtime.begin_run(id pg_catalog.uuid) returns pg_catalog.void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  insert into realtime.runs (id, timeline, began)
  values (begin_run.id, pg_catalog.rowhouse_timeline(), pg_snapshot_xmax(pg_current_snapshot()));
  -- A crash leaves gaps between the numbers.
  delete from realtime.runs where number in (select r.number from realtime.runs r order by r.number desc offset 20);
end
$$;
-- The run of earlier releases has no row there.
delete from realtime.run;

-- Which table the position of realtime.kept is of. A dump brings the row into another one, with numbers of the server from
-- which it came: they would be those of transactions to come.
alter table realtime.kept
  add column if not exists place pg_catalog.oid not null default 'realtime.kept'::pg_catalog.regclass;

-- Starts from nothing in a database that was restored from a dump.
create or replace function realtime.start_over() returns pg_catalog.void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform from realtime.kept for update;
  perform from realtime.kept k where k.place <> k.tableoid;
  if not found then
    return;
  end if;
  delete from realtime.outbox;
  delete from realtime.marks;
  delete from realtime.interest;
  delete from realtime.opened;
  perform setval('realtime.gate', 0, true);
  update realtime.kept set since = pg_current_snapshot(), place = tableoid, generation = gen_random_uuid();
end
$$;

-- As in 0073_realtime_run.sql, but a restored database starts from nothing, the run is noted, and trimming does not take
-- the jump of the numbers for lines.
create or replace function realtime.run_id() returns pg_catalog.uuid
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  known uuid := (select r.id from realtime.run r where r.place = r.tableoid);
  jump constant int8 := 1000000;
begin
  if exists (select from realtime.kept k where k.place <> k.tableoid) then
    perform realtime.start_over();
  end if;
  if known is null then
    delete from realtime.run r where r.place <> r.tableoid;
    insert into realtime.run (place) values ('realtime.run'::regclass) on conflict do nothing returning id into known;
    if found then
      perform realtime.begin_run(known);
      -- Numbers of lines may have been lost, too. Clients know lines by them.
      perform setval('realtime.outbox_seq_seq', nextval('realtime.outbox_seq_seq') + jump);
      update realtime.marks set last_seq = last_seq + jump;
    end if;
    known := (select r.id from realtime.run r where r.place = r.tableoid);
  end if;
  return known;
end
$$;

-- Whether a position of a run, which is known by the first eight digits of its id, is one of the current run as well.
create or replace function realtime.outlives(reached pg_catalog.text, run_prefix pg_catalog.text) returns pg_catalog.bool
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select exists (select from realtime.runs known where left(known.id::text, 8) = outlives.run_prefix)
    and not exists (
      select from realtime.runs known
      join realtime.runs later on later.number > known.number
      cross join string_to_table(outlives.reached, '/') with ordinality part (snapshot, number)
      where left(known.id::text, 8) = outlives.run_prefix and part.number <= 2
        and (later.timeline <> known.timeline or pg_snapshot_xmax(part.snapshot::pg_snapshot) > later.began)
    )
$$;

-- As in 0067_realtime_reading.sql, without the run: positions outlive it.
create or replace function realtime.epoch() returns pg_catalog.text
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return left(encode(sha256(convert_to(concat_ws(' ', pg_catalog.rowhouse_lifetime(), k.generation), 'UTF8')), 'hex'), 12)
  from realtime.kept k;
end
$$;

revoke all on function realtime.current_position, realtime.begin_run, realtime.start_over, realtime.outlives from public;
grant execute on function realtime.current_position, realtime.outlives to platform_engine;
