-- Positions in the outbox end with a crash of PostgreSQL. A crash loses the numbers of transactions that had written
-- nothing to the disk: they are used again, and a position from before would take their new lines for lines that it has
-- seen. What a crash has taken back may also have been sent already.
--
-- PostgreSQL empties an unlogged table when it recovers from a crash, when a standby is promoted, and in a copy of a
-- running server. Normal restarts keep it. So a position is worth as much as the row that was here when it was read.
create unlogged table if not exists realtime.run (
  is_only_row pg_catalog.bool primary key default true check (is_only_row),
  id pg_catalog.uuid not null default pg_catalog.gen_random_uuid(),
  -- This table. A dump brings the row into another one, where it does not count.
  place pg_catalog.oid not null
);
grant select on realtime.run to platform_engine;

-- The number of the run; a new one if there is none.
create or replace function realtime.run_id() returns pg_catalog.uuid
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  known uuid := (select r.id from realtime.run r where r.place = r.tableoid);
begin
  if known is null then
    delete from realtime.run r where r.place <> r.tableoid;
    insert into realtime.run (place) values ('realtime.run'::regclass) on conflict do nothing;
    if found then
      -- Numbers of lines may have been lost, too. Clients know lines by them.
      perform setval('realtime.outbox_seq_seq', nextval('realtime.outbox_seq_seq') + 1000000);
    end if;
    known := (select r.id from realtime.run r where r.place = r.tableoid);
  end if;
  return known;
end
$$;

-- As in 0067_realtime_reading.sql, with the run.
create or replace function realtime.epoch() returns pg_catalog.text
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return left(encode(sha256(convert_to(
    concat_ws(' ', pg_catalog.rowhouse_lifetime(), k.generation, realtime.run_id()), 'UTF8'
  )), 'hex'), 12)
  from realtime.kept k;
end
$$;

revoke all on function realtime.run_id from public;
grant execute on function realtime.run_id to platform_engine;
