-- Changes of rows on their way to clients that listen. Statement triggers write them to realtime.outbox in the
-- transaction of the writer; each process that has listeners reads the outbox by itself.
--
-- Only what has listeners is written. realtime.gate is a sequence whose value is a set of bits: bit 0 is accounts,
-- bit 1 messages that SQL sends, bits 2 to 61 are tables, 2 + oid % 60. Its value is no row version: writers of every
-- isolation level see the newest one. The triggers compare it before anything else.

create schema if not exists realtime;
revoke all on schema realtime from public;
-- Every role of the project writes tables, and the triggers write to the outbox with the rights of the writer: making
-- JSON of a row may run a cast of the project, and code of the project never runs with the rights of the platform.
grant usage on schema realtime to public;

create table if not exists realtime.outbox (
  seq pg_catalog.int8 not null generated always as identity,
  txid pg_catalog.xid8 not null default pg_catalog.pg_current_xact_id(),
  -- I, U and D are rows of a table, B is a message that SQL sends, A is a change of an account.
  kind pg_catalog."char" not null,
  -- The table; of a partition, the table at the root of its tree.
  tbl pg_catalog.oid,
  -- The row after the change, or the message; and the row before it.
  n pg_catalog.json,
  o pg_catalog.json,
  -- Whether the rows are too large or cannot be written as JSON: only their primary keys are here.
  is_cut pg_catalog.bool not null default false,
  -- The length of the rows as JSON.
  bytes pg_catalog.int4 not null default 0,
  at pg_catalog.timestamptz not null default pg_catalog.clock_timestamp()
) with (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 5000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 5000
);
-- Stored as it is: no time goes into compressing it.
alter table realtime.outbox alter column n set storage external, alter column o set storage external;
create index if not exists outbox_txid_seq_idx on realtime.outbox (txid, seq);

-- Number, transaction and time of a row are never the writer's to choose.
grant insert (kind, tbl, n, o, is_cut, bytes) on realtime.outbox to public;
grant select on realtime.outbox to platform_engine;

create sequence if not exists realtime.gate as pg_catalog.int8 minvalue 0 start 0 no cycle;
select pg_catalog.setval('realtime.gate', 0, true)
where not exists (select from realtime.gate where is_called);
grant select on sequence realtime.gate to public;

-- Which process listens to what, and until when. A process that dies is forgotten when its time is over.
create table if not exists realtime.interest (
  bit pg_catalog.int2 not null check (bit between 0 and 61),
  node pg_catalog.text not null,
  until pg_catalog.timestamptz not null,
  primary key (bit, node)
);
-- The transaction that has opened each open bit: a position that sees it misses nothing of the bit.
create table if not exists realtime.opened (bit pg_catalog.int2 primary key, txid pg_catalog.xid8 not null);
-- Positions of the last minutes, with the newest number of a row at that time.
create table if not exists realtime.marks (
  at pg_catalog.timestamptz primary key default pg_catalog.clock_timestamp(),
  snapshot pg_catalog.pg_snapshot not null,
  last_seq pg_catalog.int8 not null
);
-- One row, which is locked by a change of the gate. All rows that this position does not see are in the outbox.
create table if not exists realtime.kept (
  is_only_row pg_catalog.bool primary key default true check (is_only_row),
  since pg_catalog.pg_snapshot not null default pg_catalog.pg_current_snapshot()
);
insert into realtime.kept default values on conflict do nothing;
grant select on realtime.interest, realtime.opened, realtime.marks, realtime.kept to platform_engine;

-- Opens the gate for these bits until `seconds` from now, and returns that time; 0 seconds end the interest of the node.
-- A bit stays open for ten minutes after its last interest, so that clients that come back miss nothing.
create or replace function realtime.listen(
  bits pg_catalog.int2[], node pg_catalog.text, seconds pg_catalog.int4
) returns pg_catalog.timestamptz
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  ends constant timestamptz := clock_timestamp() + make_interval(secs => listen.seconds);
begin
  -- A transaction with one snapshot would not see the interest of others, and close the gate for them.
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'realtime.listen needs the isolation level read committed' using errcode = 'invalid_transaction_state';
  end if;
  perform from realtime.kept for update;
  delete from realtime.interest i where i.until < clock_timestamp() - interval '10 minutes';
  delete from realtime.opened o where not exists (select from realtime.interest i where i.bit = o.bit);
  insert into realtime.interest as known (bit, node, until)
  select distinct wanted, listen.node, ends from unnest(listen.bits) wanted
  on conflict on constraint interest_pkey do update set until = excluded.until;
  insert into realtime.opened (bit, txid)
  select distinct i.bit, pg_current_xact_id() from realtime.interest i
  on conflict do nothing;
  -- At once and without the transaction. What it adds too early costs a few rows; what it takes away is over for all.
  perform setval('realtime.gate', (
    select coalesce(bit_or(1::int8 << o.bit), 0) from realtime.opened o
  ), true);
  return ends;
end
$$;

-- Deletes up to `max_rows` rows that all positions of the last ten minutes have seen, or that are in front of the last
-- 200,000 and older than a minute. Returns the number of rows that are deleted; while it is `max_rows` there are more.
create or replace function realtime.trim_outbox(max_rows pg_catalog.int4 default 10000) returns pg_catalog.int4
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off
as $$
declare
  last constant int8 := coalesce(pg_sequence_last_value('realtime.outbox_seq_seq'::regclass), 0);
  chosen realtime.marks;
  deleted int4;
begin
  -- One process at a time. The project cannot hold this lock, as it could an advisory one.
  perform from realtime.kept for update skip locked;
  if not found then
    return 0;
  end if;
  if not exists (select from realtime.marks m where m.at > clock_timestamp() - interval '30 seconds') then
    insert into realtime.marks (snapshot, last_seq) values (pg_current_snapshot(), last);
  end if;
  select * into chosen from realtime.marks m
  where m.at <= clock_timestamp() - interval '10 minutes'
    or (m.at <= clock_timestamp() - interval '1 minute' and m.last_seq <= last - 200000)
  order by m.at desc limit 1;
  if not found then
    return 0;
  end if;
  delete from realtime.marks m where m.at < chosen.at;
  -- In the transaction of the first row that goes: a position that misses rows is always known to miss them.
  update realtime.kept set since = chosen.snapshot where since::text <> chosen.snapshot::text;
  delete from realtime.outbox where ctid = any (array(
    select x.ctid from realtime.outbox x
    where x.txid < pg_snapshot_xmax(chosen.snapshot) and pg_visible_in_snapshot(x.txid, chosen.snapshot)
    order by x.txid, x.seq limit trim_outbox.max_rows
  ));
  get diagnostics deleted = row_count;
  return deleted;
end
$$;

-- Whether all rows of these bits that a position does not see are in the outbox: none is trimmed, and the gate has been
-- open all the time. A position is the text of a pg_snapshot.
create or replace function realtime.is_kept(place pg_catalog.text, bits pg_catalog.int2[]) returns pg_catalog.bool
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  return (
    select pg_snapshot_xmax(p.place) between pg_snapshot_xmax(k.since) and pg_snapshot_xmax(pg_current_snapshot())
      and not exists (select from pg_snapshot_xip(p.place) running where pg_visible_in_snapshot(running, k.since))
      and not exists (
        select from unnest(is_kept.bits) wanted left join realtime.opened o on o.bit = wanted
        where o.txid is null or not pg_visible_in_snapshot(o.txid, p.place)
      )
    from realtime.kept k, (select is_kept.place::pg_snapshot as place) p
  );
revoke all on function realtime.listen, realtime.trim_outbox, realtime.is_kept from public;
grant execute on function realtime.listen, realtime.trim_outbox, realtime.is_kept to platform_engine;

-- From here to the triggers no function sets a search path or other settings, each of which costs microseconds of every
-- statement; so all names are qualified.

-- A row as JSON. What is larger than 1 MB, or cannot be written as JSON, is null: a write never fails because of it.
create or replace function realtime.row_value(value pg_catalog.record) returns pg_catalog.json
  language plpgsql stable
as $$
declare
  written pg_catalog.json;
begin
  if pg_catalog.pg_column_size(row_value.value) operator(pg_catalog.>) 1048576 then
    return null;
  end if;
  written := pg_catalog.row_to_json(row_value.value);
  return case when pg_catalog.pg_column_size(written) operator(pg_catalog.<=) 1048576 then written end;
exception
  when others or assert_failure then return null;
end
$$;

-- Marks the transaction: the statement has a row without a value, and the trigger writes its key. Returns false.
create or replace function realtime.mark_cut() returns pg_catalog.bool
  language sql volatile
  return pg_catalog.set_config('realtime.has_cut_rows', 'on', true) operator(pg_catalog.=) '';

-- The settings of the session that decide how values look as text.
create or replace function realtime.formats() returns pg_catalog.text[]
  language sql stable
  return array[
    pg_catalog.current_setting('timezone'), pg_catalog.current_setting('datestyle'),
    pg_catalog.current_setting('intervalstyle'), pg_catalog.current_setting('bytea_output'),
    pg_catalog.current_setting('extra_float_digits')
  ];

-- Sets them for the rest of the transaction.
create or replace function realtime.set_formats(formats pg_catalog.text[]) returns pg_catalog.void
  language plpgsql volatile
as $$
begin
  perform
    pg_catalog.set_config('timezone', set_formats.formats[1], true),
    pg_catalog.set_config('datestyle', set_formats.formats[2], true),
    pg_catalog.set_config('intervalstyle', set_formats.formats[3], true),
    pg_catalog.set_config('bytea_output', set_formats.formats[4], true),
    pg_catalog.set_config('extra_float_digits', set_formats.formats[5], true);
end
$$;

-- The primary key of a table as arguments of json_build_object, read from the rows that are called `source`. A value of
-- a type that is not built in is text, which concat makes without a cast: a cast of the project may raise.
create or replace function realtime.key_arguments(tbl pg_catalog.oid, source pg_catalog.text) returns pg_catalog.text
  language sql stable
  set search_path = pg_catalog, pg_temp
  return (
    select coalesce(string_agg(format(
      case when coalesce(nullif(typbasetype, 0), atttypid) < 16384
        then '%L, %s.%I' else '%L, pg_catalog.concat(%s.%I)' end,
      attname, source, attname
    ), ', ' order by attnum), '')
    from pg_attribute
    join pg_index on indrelid = attrelid and attnum = any (indkey)
    join pg_type on pg_type.oid = atttypid
    where attrelid = tbl and indisprimary
  );

-- The triggers. Their arguments are the gate with the bit of the table alone and, where making JSON of a row may raise,
-- `guarded`. A condition of the trigger would cost more than calling it: PostgreSQL parses it in each statement.
--
-- A row of more than 8000 bytes, and each row of a guarded table, may have no value, and a small row may be a long text:
-- a second statement writes the keys of those. `realtime_new.*` is the whole row also where the table has a column of
-- that name. The settings of the writer do not decide how values look.

create or replace function realtime.capture_insert() returns trigger
  language plpgsql volatile
as $$
#variable_conflict use_variable
declare
  common constant pg_catalog.text[] := '{UTC,"ISO, MDY",postgres,hex,1}';
  formats pg_catalog.text[];
  number pg_catalog.oid;
begin
  if (
    pg_catalog.pg_sequence_last_value('realtime.gate'::pg_catalog.regclass)
      operator(pg_catalog.&) tg_argv[0]::pg_catalog.int8
  ) operator(pg_catalog.=) 0 then
    return null;
  end if;
  number := coalesce(pg_catalog.pg_partition_root(tg_relid)::pg_catalog.oid, tg_relid);
  formats := realtime.formats();
  if formats operator(pg_catalog.<>) common then
    perform realtime.set_formats(common);
  end if;
  insert into realtime.outbox (kind, tbl, n, bytes)
  select 'I', number, written.value, pg_catalog.pg_column_size(written.value)
  from (
    select case
      when tg_nargs operator(pg_catalog.=) 1 and pg_catalog.pg_column_size(realtime_new.*) operator(pg_catalog.<=) 8000
      then pg_catalog.row_to_json(realtime_new.*)
      else realtime.row_value(realtime_new.*)
    end as value
    from realtime_new offset 0
  ) written
  where case when pg_catalog.pg_column_size(written.value) operator(pg_catalog.<=) 1048576
    then true else realtime.mark_cut() end;
  if pg_catalog.current_setting('realtime.has_cut_rows', true) operator(pg_catalog.=) 'on' then
    perform pg_catalog.set_config('realtime.has_cut_rows', '', true);
    execute pg_catalog.format('
      insert into realtime.outbox (kind, tbl, n, is_cut)
      select ''I'', %s, pg_catalog.json_build_object(%s), true
      from realtime_new where realtime.row_value(realtime_new.*) is null',
      number, realtime.key_arguments(tg_relid, 'realtime_new'));
  end if;
  if formats operator(pg_catalog.<>) common then
    perform realtime.set_formats(formats);
  end if;
  return null;
end
$$;

create or replace function realtime.capture_delete() returns trigger
  language plpgsql volatile
as $$
#variable_conflict use_variable
declare
  common constant pg_catalog.text[] := '{UTC,"ISO, MDY",postgres,hex,1}';
  formats pg_catalog.text[];
  number pg_catalog.oid;
begin
  if (
    pg_catalog.pg_sequence_last_value('realtime.gate'::pg_catalog.regclass)
      operator(pg_catalog.&) tg_argv[0]::pg_catalog.int8
  ) operator(pg_catalog.=) 0 then
    return null;
  end if;
  number := coalesce(pg_catalog.pg_partition_root(tg_relid)::pg_catalog.oid, tg_relid);
  formats := realtime.formats();
  if formats operator(pg_catalog.<>) common then
    perform realtime.set_formats(common);
  end if;
  insert into realtime.outbox (kind, tbl, o, bytes)
  select 'D', number, written.value, pg_catalog.pg_column_size(written.value)
  from (
    select case
      when tg_nargs operator(pg_catalog.=) 1 and pg_catalog.pg_column_size(realtime_old.*) operator(pg_catalog.<=) 8000
      then pg_catalog.row_to_json(realtime_old.*)
      else realtime.row_value(realtime_old.*)
    end as value
    from realtime_old offset 0
  ) written
  where case when pg_catalog.pg_column_size(written.value) operator(pg_catalog.<=) 1048576
    then true else realtime.mark_cut() end;
  if pg_catalog.current_setting('realtime.has_cut_rows', true) operator(pg_catalog.=) 'on' then
    perform pg_catalog.set_config('realtime.has_cut_rows', '', true);
    execute pg_catalog.format('
      insert into realtime.outbox (kind, tbl, o, is_cut)
      select ''D'', %s, pg_catalog.json_build_object(%s), true
      from realtime_old where realtime.row_value(realtime_old.*) is null',
      number, realtime.key_arguments(tg_relid, 'realtime_old'));
  end if;
  if formats operator(pg_catalog.<>) common then
    perform realtime.set_formats(formats);
  end if;
  return null;
end
$$;

-- The rows of both transition tables are in the same order, which pairs them.
create or replace function realtime.capture_update() returns trigger
  language plpgsql volatile
as $$
#variable_conflict use_variable
declare
  common constant pg_catalog.text[] := '{UTC,"ISO, MDY",postgres,hex,1}';
  formats pg_catalog.text[];
  number pg_catalog.oid;
begin
  if (
    pg_catalog.pg_sequence_last_value('realtime.gate'::pg_catalog.regclass)
      operator(pg_catalog.&) tg_argv[0]::pg_catalog.int8
  ) operator(pg_catalog.=) 0 then
    return null;
  end if;
  number := coalesce(pg_catalog.pg_partition_root(tg_relid)::pg_catalog.oid, tg_relid);
  formats := realtime.formats();
  if formats operator(pg_catalog.<>) common then
    perform realtime.set_formats(common);
  end if;
  insert into realtime.outbox (kind, tbl, n, o, bytes)
  select 'U', number, after.value, before.value,
    pg_catalog.pg_column_size(after.value) operator(pg_catalog.+) pg_catalog.pg_column_size(before.value)
  from (
    select pg_catalog.row_number() over () as place, case
      when tg_nargs operator(pg_catalog.=) 1 and pg_catalog.pg_column_size(realtime_new.*) operator(pg_catalog.<=) 8000
      then pg_catalog.row_to_json(realtime_new.*)
      else realtime.row_value(realtime_new.*)
    end as value
    from realtime_new offset 0
  ) after
  join (
    select pg_catalog.row_number() over () as place, case
      when tg_nargs operator(pg_catalog.=) 1 and pg_catalog.pg_column_size(realtime_old.*) operator(pg_catalog.<=) 8000
      then pg_catalog.row_to_json(realtime_old.*)
      else realtime.row_value(realtime_old.*)
    end as value
    from realtime_old offset 0
  ) before on before.place operator(pg_catalog.=) after.place
  where case when pg_catalog.pg_column_size(after.value) operator(pg_catalog.<=) 1048576
      and pg_catalog.pg_column_size(before.value) operator(pg_catalog.<=) 1048576
    then true else realtime.mark_cut() end
  order by after.place;
  if pg_catalog.current_setting('realtime.has_cut_rows', true) operator(pg_catalog.=) 'on' then
    perform pg_catalog.set_config('realtime.has_cut_rows', '', true);
    execute pg_catalog.format('
      insert into realtime.outbox (kind, tbl, n, o, is_cut)
      select ''U'', %s, after.key, before.key, true
      from (
        select pg_catalog.row_number() over () as place, pg_catalog.json_build_object(%s) as key,
          realtime.row_value(realtime_new.*) as value
        from realtime_new
      ) after
      join (
        select pg_catalog.row_number() over () as place, pg_catalog.json_build_object(%s) as key,
          realtime.row_value(realtime_old.*) as value
        from realtime_old
      ) before on before.place operator(pg_catalog.=) after.place
      where after.value is null or before.value is null
      order by after.place',
      number, realtime.key_arguments(tg_relid, 'realtime_new'), realtime.key_arguments(tg_relid, 'realtime_old'));
  end if;
  if formats operator(pg_catalog.<>) common then
    perform realtime.set_formats(formats);
  end if;
  return null;
end
$$;

-- Marks a table whose changes are not captured, by a trigger that goes into its dumps. It runs for truncate, which
-- keeps no rows.
create or replace function realtime.capture_off() returns trigger
  language plpgsql
as $$
begin
  return null;
end
$$;

-- Switches for the owner of the project. A partitioned table is switched with all its partitions.
create or replace function realtime.switch(tbl pg_catalog.regclass, is_on pg_catalog.bool) returns pg_catalog.void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  root constant regclass := pg_partition_root(switch.tbl);
  part regclass;
  mark name;
begin
  if root <> switch.tbl then
    raise exception '% is a partition of %', switch.tbl, root using
      errcode = 'wrong_object_type', hint = 'Switch the table that it is a partition of.';
  end if;
  if not pg_catalog.rowhouse_may_be_watched(switch.tbl) then
    raise exception '% is no table of the schema public', switch.tbl using errcode = 'wrong_object_type';
  end if;
  if switch.is_on then
    for mark in
      select tgname from pg_trigger where tgrelid = switch.tbl and tgfoid = 'realtime.capture_off'::regproc
    loop
      execute format('drop trigger %I on %s', mark, switch.tbl);
    end loop;
  elsif not pg_catalog.rowhouse_is_off(switch.tbl) then
    execute format(
      'create trigger %I after truncate on %s for each statement execute function realtime.capture_off()',
      'realtime_off_' || substr(md5(random()::text || clock_timestamp()), 1, 12), switch.tbl);
  end if;
  for part in select switch.tbl union select relid from pg_partition_tree(switch.tbl) loop
    -- Partitions that are foreign tables have no triggers.
    continue when not pg_catalog.rowhouse_may_be_watched(part);
    perform pg_catalog.rowhouse_watch_table(part);
    -- A trigger may have been switched off by hand.
    for mark in select tgname from pg_trigger
      where oid = any (pg_catalog.rowhouse_capture_triggers(part)) and tgenabled = 'D'
    loop
      execute format('alter table %s enable trigger %I', part, mark);
    end loop;
  end loop;
end
$$;
create or replace function realtime.enable(tbl pg_catalog.regclass) returns pg_catalog.void
  language sql volatile
  set search_path = pg_catalog, pg_temp
as $$ select realtime.switch(tbl, true) $$;
create or replace function realtime.disable(tbl pg_catalog.regclass) returns pg_catalog.void
  language sql volatile
  set search_path = pg_catalog, pg_temp
as $$ select realtime.switch(tbl, false) $$;

-- Sends a message to the clients that have joined a topic, when the transaction commits.
create or replace function realtime.send(
  payload pg_catalog.jsonb, event pg_catalog.text, topic pg_catalog.text, private pg_catalog.bool default true
) returns pg_catalog.void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  fault constant text := case
    when send.topic is null or length(send.topic) not between 1 and 255 then 'topic must have 1 to 255 characters'
    when send.event is null or length(send.event) not between 1 and 255 then 'event must have 1 to 255 characters'
    when send.private is null then 'private must be true or false'
    when octet_length(send.payload::text) > 262144 then 'payload must not be larger than 256 kB'
  end;
  message json;
begin
  if fault is not null then
    raise exception '%', fault using errcode = 'invalid_parameter_value';
  end if;
  if pg_sequence_last_value('realtime.gate'::regclass) & 2 = 0 then
    return;
  end if;
  message := json_build_object(
    'topic', send.topic, 'event', send.event, 'payload', coalesce(send.payload, 'null'), 'private', send.private
  );
  insert into realtime.outbox (kind, n, bytes) values ('B', message, pg_column_size(message));
end
$$;

-- The topic for which a policy of realtime.messages is evaluated.
create or replace function realtime.topic() returns pg_catalog.text
  language sql stable parallel safe
  return nullif(pg_catalog.current_setting('realtime.topic', true), '');

-- Policies of private channels are written for this table, which therefore belongs to the owner of the project. It has
-- no rows: the policies are asked about a record.
create or replace function realtime.refuse_write() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception 'realtime.messages has no rows' using
    errcode = 'insufficient_privilege', hint = 'Send messages with realtime.send.';
end
$$;
do $$
begin
  if to_regclass('realtime.messages') is not null then
    return;
  end if;
  create table realtime.messages (
    id pg_catalog.uuid not null default pg_catalog.gen_random_uuid(),
    topic pg_catalog.text not null,
    extension pg_catalog.text not null,
    event pg_catalog.text,
    payload pg_catalog.jsonb,
    private pg_catalog.bool not null default false,
    inserted_at pg_catalog.timestamptz not null default pg_catalog.now(),
    updated_at pg_catalog.timestamptz not null default pg_catalog.now()
  );
  alter table realtime.messages enable row level security;
  create trigger refuse_write before insert on realtime.messages
    for each statement execute function realtime.refuse_write();
  execute format('revoke all on realtime.messages from %I', current_user);
end
$$;

-- All of them run with the rights of the caller: of any writer, or of the owner of a table.
revoke all on function realtime.refuse_write from public;
grant execute on function
  realtime.row_value, realtime.mark_cut, realtime.formats, realtime.set_formats, realtime.key_arguments,
  realtime.capture_insert, realtime.capture_update, realtime.capture_delete, realtime.capture_off, realtime.enable, realtime.disable, realtime.switch, realtime.send,
  realtime.topic
to public;
