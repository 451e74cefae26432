-- The outbox of deliveries: events for hooks, changes of tables for triggers, and the runs of schedules. A row is written
-- in the transaction of its cause. A process takes it by moving its next attempt into the future, calls, and writes the
-- result.

create table if not exists platform.outbox (
  id pg_catalog.int8 generated always as identity primary key,
  -- What it is: `hook`, `trigger` or `schedule`.
  kind pg_catalog.text not null,
  -- Whose it is: the name of a hook, the id of a trigger or of a schedule.
  source pg_catalog.text not null,
  -- The same in every attempt: receivers know by it what they have seen.
  event_id pg_catalog.text not null,
  -- An address without its query, or the name of a function.
  target pg_catalog.text not null,
  status pg_catalog.text not null check (status in ('pending', 'succeeded', 'failed', 'dead')),
  attempts pg_catalog.int4 not null default 0,
  response_status pg_catalog.int4,
  error pg_catalog.text,
  duration_ms pg_catalog.int4,
  payload pg_catalog.json not null,
  -- Pending rows of a source with the same key leave one after the other, by place and number.
  order_key pg_catalog.text,
  place pg_catalog.int8 not null default 0,
  next_attempt_at pg_catalog.timestamptz,
  created_at pg_catalog.timestamptz not null default pg_catalog.now(),
  check (status <> 'pending' or next_attempt_at is not null)
);
create index if not exists outbox_due_idx
  on platform.outbox (kind, source, next_attempt_at) where status = 'pending';
create index if not exists outbox_order_idx
  on platform.outbox (source, order_key, place, id) where status = 'pending' and order_key is not null;
create index if not exists outbox_source_idx on platform.outbox (kind, source, id);
create index if not exists outbox_created_idx on platform.outbox (created_at);
-- A tick of a schedule is one run, whichever process it reaches first.
create unique index if not exists outbox_ticks_idx
  on platform.outbox (source, event_id) where kind = 'schedule';

-- A change of a table calls a function or an address.
create table if not exists platform.edge_triggers (
  id pg_catalog.uuid primary key default pg_catalog.gen_random_uuid(),
  name pg_catalog.text not null unique,
  tbl pg_catalog.regclass not null,
  -- Of INSERT, UPDATE and DELETE.
  events pg_catalog.text[] not null,
  -- As in channels: `column=operator.value`.
  filter pg_catalog.text,
  -- Either the slug of a function, or an address with the sealed secret of its signature.
  function pg_catalog.text,
  url pg_catalog.text,
  secret pg_catalog.text,
  is_active pg_catalog.bool not null default true,
  created_at pg_catalog.timestamptz not null default pg_catalog.now(),
  updated_at pg_catalog.timestamptz not null default pg_catalog.now(),
  check ((function is null) <> (url is null))
);

create table if not exists platform.edge_schedules (
  id pg_catalog.uuid primary key default pg_catalog.gen_random_uuid(),
  name pg_catalog.text not null unique,
  function pg_catalog.text not null,
  cron pg_catalog.text not null,
  time_zone pg_catalog.text not null,
  -- The body of its calls.
  body pg_catalog.json,
  is_active pg_catalog.bool not null default true,
  created_at pg_catalog.timestamptz not null default pg_catalog.now(),
  updated_at pg_catalog.timestamptz not null default pg_catalog.now()
);

grant select, insert, update, delete on platform.outbox, platform.edge_triggers, platform.edge_schedules
to platform_engine;

-- Opens the gate for the tables of active triggers, and ends the interest in others.
create or replace function platform.watch_triggers() returns pg_catalog.void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  wanted int2[];
begin
  -- A restored database starts over, without any interest.
  perform realtime.run_id();
  wanted := array(
    select distinct (2 + t.tbl::oid::int8 % 60)::int2 from platform.edge_triggers t where t.is_active
  );
  delete from realtime.interest i where i.node = 'triggers' and i.bit <> all (wanted);
  perform realtime.listen(wanted, 'triggers', 2000000000);
end
$$;

-- Whether the gate is open for each active trigger: it is not in a database that was restored from a dump.
create or replace function platform.has_watched_triggers() returns pg_catalog.bool
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  return not exists (
    select from platform.edge_triggers t
    where t.is_active and not exists (
      select from realtime.interest i
      cross join realtime.kept k
      where i.node = 'triggers' and i.bit = 2 + t.tbl::oid::int8 % 60 and k.place = k.tableoid
    )
  );

-- The primary key of a row as text; null for a table without one.
create or replace function platform.row_key(columns pg_catalog.name[], line pg_catalog.json) returns pg_catalog.text
  language sql immutable
  set search_path = pg_catalog, pg_temp
  return (
    select string_agg(coalesce(line ->> column_name::text, ''), ' ' order by place)
    from unnest(columns) with ordinality k (column_name, place)
  );

-- Copies captured changes for triggers, in the transaction of the writer. The rows stay text: what is valid as json may
-- not be as jsonb, and a write never fails because of a trigger.
create or replace function platform.copy_changes() returns trigger
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  if not exists (select from platform.edge_triggers t where t.is_active) then
    return null;
  end if;
  insert into platform.outbox
    (kind, source, event_id, target, status, payload, order_key, place, next_attempt_at)
  select 'trigger', t.id::text, concat(t.id, '.', line.seq),
    coalesce(t.function, regexp_replace(t.url, '[?#].*', '')), 'pending',
    concat(
      '{"type":', to_json(event), ',"schema":', to_json(origin.schema), ',"table":', to_json(origin.relation),
      ',"record":', coalesce(line.n::text, 'null'), ',"old_record":', coalesce(line.o::text, 'null'),
      ',"commit_timestamp":"', to_char(line.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"'),
      '","truncated":', to_json(line.is_cut), '}'
    )::json,
    platform.row_key(origin.key_columns, coalesce(line.o, line.n)), coalesce(line.ahead_of, line.seq), now()
  from lines line
  cross join lateral (
    select case line.kind when 'I' then 'INSERT' when 'U' then 'UPDATE' when 'D' then 'DELETE' end as event
  ) named
  join (
    select c.oid, c.relname as relation, n.nspname as schema, (
      select array_agg(a.attname order by a.attnum)
      from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
      where i.indrelid = c.oid and i.indisprimary
    ) as key_columns
    from (select distinct l.tbl from lines l) written
    join pg_class c on c.oid = written.tbl
    join pg_namespace n on n.oid = c.relnamespace
  ) origin on origin.oid = line.tbl
  join platform.edge_triggers t on t.tbl = line.tbl and t.is_active and event = any (t.events)
  order by line.seq;
  return null;
end
$$;
create or replace trigger copy_changes after insert on realtime.outbox
  referencing new table as lines
  for each statement execute function platform.copy_changes();

revoke all on function
  platform.watch_triggers, platform.has_watched_triggers, platform.row_key, platform.copy_changes
from public;
grant execute on function platform.watch_triggers, platform.has_watched_triggers to platform_engine;

-- Deliveries of hooks move over. Processes of an earlier release go on with their own table; the sweep moves what they
-- leave there.
create or replace function platform.move_hook_deliveries() returns pg_catalog.int4
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  moved int4;
begin
  with gone as (delete from platform.hook_deliveries returning *)
  insert into platform.outbox
    (kind, source, event_id, target, status, attempts, response_status, error, duration_ms, payload, next_attempt_at,
     created_at)
  select 'hook', hook, event_id, target, status, attempts, response_status, error, duration_ms, payload::json,
    next_attempt_at, created_at
  from gone order by id;
  get diagnostics moved = row_count;
  return moved;
end
$$;
revoke all on function platform.move_hook_deliveries from public;
grant execute on function platform.move_hook_deliveries to platform_engine;
select platform.move_hook_deliveries();

-- As in 0031_user_deletions.sql. An earlier release asks for an event with the columns of its own table.
create or replace function auth.tell_of_deletion() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  request auth.user_deletion;
begin
  delete from auth.user_deletion where user_id = old.id returning * into request;
  if request.audit is not null then
    insert into platform.audit_log
      (actor_kind, actor_id, actor_email, action, target, before, after, ip, request_id)
    select actor_kind, actor_id, actor_email, action, target, before, after, ip, request_id
    from jsonb_populate_record(null::platform.audit_log, request.audit);
  end if;
  if request.event is not null then
    insert into platform.outbox (kind, source, event_id, target, status, attempts, payload, next_attempt_at)
    select 'hook', coalesce(request.event ->> 'source', request.event ->> 'hook'), event_id, target, status, attempts,
      payload, now()
    from jsonb_populate_record(null::platform.outbox, request.event);
  end if;
  return null;
end
$$;
