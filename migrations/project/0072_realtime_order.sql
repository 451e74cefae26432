-- The order of lines within a transaction. Changes are captured when a statement has ended, after the triggers of the
-- project on its rows: what these write is captured before it, although it was changed after it. A trigger on rows that
-- is the first of a table (project-superuser/0018_realtime_order.sql) takes a number when all rows of the statement are
-- changed and no other trigger has run, and the lines of the statement come ahead of that number. A number that is taken
-- before the statement would be in front of what its triggers BEFORE ROW write, and of other transactions for whose locks
-- it waits.

-- The number that the line comes ahead of; null if it comes in its own place.
alter table realtime.outbox add column if not exists ahead_of pg_catalog.int8;
-- A writer may choose it: it moves lines of its own transaction alone.
grant insert (ahead_of) on realtime.outbox to public;

-- What is known about the statement that runs at each depth of triggers is in the setting realtime.first_<depth>, which
-- is undone with its transaction or savepoint: the number, whether lines of the statement have been written (`o` is open,
-- `c` is closed), and its tables with a space behind each, as `27 o 16401 `. Any session can write such settings, so no
-- text of them may raise an error.

-- A number for any writer, who has no rights on the sequence.
create or replace function realtime.take_number() returns pg_catalog.int8
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  return nextval('realtime.outbox_seq_seq'::regclass);

-- Takes the number, once for each statement. Its argument is the gate with the bit of the table, as of the others.
create or replace function realtime.capture_first() returns trigger
  language plpgsql volatile
as $$
#variable_conflict use_variable
declare
  setting pg_catalog.text;
  known pg_catalog.text;
  number pg_catalog.oid;
begin
  if (
    pg_catalog.pg_sequence_last_value('realtime.gate'::pg_catalog.regclass)
      operator(pg_catalog.&) tg_argv[0]::pg_catalog.int8
  ) operator(pg_catalog.=) 0 then
    return null;
  end if;
  number := coalesce(pg_catalog.pg_partition_root(tg_relid)::pg_catalog.oid, tg_relid);
  setting := pg_catalog.concat('realtime.first_', pg_catalog.pg_trigger_depth());
  known := pg_catalog.current_setting(setting, true);
  if pg_catalog.strpos(known, ' o ') operator(pg_catalog.>) 0 then
    -- A statement may write several tables.
    if pg_catalog.strpos(known, pg_catalog.concat(' ', number, ' ')) operator(pg_catalog.=) 0 then
      perform pg_catalog.set_config(setting, pg_catalog.concat(known, number, ' '), true);
    end if;
    return null;
  end if;
  perform pg_catalog.set_config(setting, pg_catalog.concat(realtime.take_number(), ' o ', number, ' '), true);
  return null;
end
$$;

-- The number that lines of a table come ahead of; null if the setting is of another statement. A statement that has
-- changed rows of a table with such a trigger has taken a number, so that a closed one is its own. Lines of other tables
-- are of the same statement until it is closed.
create or replace function realtime.line_place(setting pg_catalog.text, tbl pg_catalog.oid) returns pg_catalog.int8
  language plpgsql volatile
as $$
declare
  parts constant pg_catalog.text[] := pg_catalog.regexp_match(
    pg_catalog.current_setting(line_place.setting, true), '^([0-9]{1,18}) ([oc]) ([0-9 ]+)$');
  is_own constant pg_catalog.bool := pg_catalog.strpos(
    pg_catalog.concat(' ', parts[3]), pg_catalog.concat(' ', line_place.tbl, ' ')) operator(pg_catalog.>) 0;
begin
  if is_own and parts[2] operator(pg_catalog.=) 'o' then
    perform pg_catalog.set_config(line_place.setting, pg_catalog.concat(parts[1], ' c ', parts[3]), true);
  end if;
  return case when is_own or parts[2] operator(pg_catalog.=) 'o' then parts[1]::pg_catalog.int8 end;
end
$$;

-- The functions of 0065_realtime.sql, with the number.

create or replace function realtime.capture_insert() returns trigger
  language plpgsql volatile
as $$
#variable_conflict use_variable
declare
  common constant pg_catalog.text[] := '{UTC,"ISO, MDY",postgres,hex,1}';
  formats pg_catalog.text[];
  number pg_catalog.oid;
  setting pg_catalog.text;
  ahead pg_catalog.int8;
begin
  if (
    pg_catalog.pg_sequence_last_value('realtime.gate'::pg_catalog.regclass)
      operator(pg_catalog.&) tg_argv[0]::pg_catalog.int8
  ) operator(pg_catalog.=) 0 then
    return null;
  end if;
  number := coalesce(pg_catalog.pg_partition_root(tg_relid)::pg_catalog.oid, tg_relid);
  setting := pg_catalog.concat('realtime.first_', pg_catalog.pg_trigger_depth());
  if pg_catalog.current_setting(setting, true) operator(pg_catalog.<>) '' then
    ahead := realtime.line_place(setting, number);
  end if;
  formats := realtime.formats();
  if formats operator(pg_catalog.<>) common then
    perform realtime.set_formats(common);
  end if;
  insert into realtime.outbox (kind, tbl, n, bytes, ahead_of)
  select 'I', number, written.value, pg_catalog.pg_column_size(written.value), ahead
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
      insert into realtime.outbox (kind, tbl, n, is_cut, ahead_of)
      select ''I'', %s, pg_catalog.json_build_object(%s), true, %L::pg_catalog.int8
      from realtime_new where realtime.row_value(realtime_new.*) is null',
      number, realtime.key_arguments(tg_relid, 'realtime_new'), ahead);
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
  setting pg_catalog.text;
  ahead pg_catalog.int8;
begin
  if (
    pg_catalog.pg_sequence_last_value('realtime.gate'::pg_catalog.regclass)
      operator(pg_catalog.&) tg_argv[0]::pg_catalog.int8
  ) operator(pg_catalog.=) 0 then
    return null;
  end if;
  number := coalesce(pg_catalog.pg_partition_root(tg_relid)::pg_catalog.oid, tg_relid);
  setting := pg_catalog.concat('realtime.first_', pg_catalog.pg_trigger_depth());
  if pg_catalog.current_setting(setting, true) operator(pg_catalog.<>) '' then
    ahead := realtime.line_place(setting, number);
  end if;
  formats := realtime.formats();
  if formats operator(pg_catalog.<>) common then
    perform realtime.set_formats(common);
  end if;
  insert into realtime.outbox (kind, tbl, o, bytes, ahead_of)
  select 'D', number, written.value, pg_catalog.pg_column_size(written.value), ahead
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
      insert into realtime.outbox (kind, tbl, o, is_cut, ahead_of)
      select ''D'', %s, pg_catalog.json_build_object(%s), true, %L::pg_catalog.int8
      from realtime_old where realtime.row_value(realtime_old.*) is null',
      number, realtime.key_arguments(tg_relid, 'realtime_old'), ahead);
  end if;
  if formats operator(pg_catalog.<>) common then
    perform realtime.set_formats(formats);
  end if;
  return null;
end
$$;

create or replace function realtime.capture_update() returns trigger
  language plpgsql volatile
as $$
#variable_conflict use_variable
declare
  common constant pg_catalog.text[] := '{UTC,"ISO, MDY",postgres,hex,1}';
  formats pg_catalog.text[];
  number pg_catalog.oid;
  setting pg_catalog.text;
  ahead pg_catalog.int8;
begin
  if (
    pg_catalog.pg_sequence_last_value('realtime.gate'::pg_catalog.regclass)
      operator(pg_catalog.&) tg_argv[0]::pg_catalog.int8
  ) operator(pg_catalog.=) 0 then
    return null;
  end if;
  number := coalesce(pg_catalog.pg_partition_root(tg_relid)::pg_catalog.oid, tg_relid);
  setting := pg_catalog.concat('realtime.first_', pg_catalog.pg_trigger_depth());
  if pg_catalog.current_setting(setting, true) operator(pg_catalog.<>) '' then
    ahead := realtime.line_place(setting, number);
  end if;
  formats := realtime.formats();
  if formats operator(pg_catalog.<>) common then
    perform realtime.set_formats(common);
  end if;
  insert into realtime.outbox (kind, tbl, n, o, bytes, ahead_of)
  select 'U', number, after.value, before.value,
    pg_catalog.pg_column_size(after.value) operator(pg_catalog.+) pg_catalog.pg_column_size(before.value), ahead
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
      insert into realtime.outbox (kind, tbl, n, o, is_cut, ahead_of)
      select ''U'', %s, after.key, before.key, true, %L::pg_catalog.int8
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
      number, ahead, realtime.key_arguments(tg_relid, 'realtime_new'), realtime.key_arguments(tg_relid, 'realtime_old'));
  end if;
  if formats operator(pg_catalog.<>) common then
    perform realtime.set_formats(formats);
  end if;
  return null;
end
$$;

-- As in 0067_realtime_reading.sql, but in the order of the number that a line comes ahead of, or of its own. While a page
-- has not reached the end the position is `seen/target/seq`, and `seen/target/ahead_of/seq` after a line that comes ahead
-- of a number.
--
-- The lines after a position in this order, at most `max_rows` and (but for one line) `max_bytes`; and last a row without
-- a kind, which has the next position. Its position is null if lines after the position are missing.
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
  last_rank constant int8 := coalesce(nullif(split_part(place, '/', 3), '')::int8, 0);
  last_read constant int8 := coalesce(nullif(split_part(place, '/', 4), '')::int8, last_rank);
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
    select arms.rank, arms.seq, arms.txid from (
      select coalesce(l.ahead_of, l.seq) as rank, l.seq, l.txid from realtime.outbox l
      where l.txid >= first_new and (coalesce(l.ahead_of, l.seq), l.seq) > (last_rank, last_read)
        and (not is_continued or pg_visible_in_snapshot(l.txid, target))
        and (tables is null or l.tbl = any (tables))
      union all
      select coalesce(l.ahead_of, l.seq) as rank, l.seq, l.txid from realtime.outbox l
      where l.txid = any (was_running) and (coalesce(l.ahead_of, l.seq), l.seq) > (last_rank, last_read)
        and (not is_continued or pg_visible_in_snapshot(l.txid, target))
        and (tables is null or l.tbl = any (tables))
    ) arms
    order by arms.rank, arms.seq
    limit max_rows + 1
  ), sized as (
    select page.rank, l.*, row_number() over before_it as row_number, sum(l.bytes) over before_it - l.bytes as bytes_before
    from page
    cross join lateral (
      select line.*, 100 + coalesce(pg_column_size(line.n), 0) + coalesce(pg_column_size(line.o), 0) as bytes
      from (
        select f.txid, f.seq, f.kind, f.tbl, f.n, f.o, f.is_cut, f.at from realtime.outbox f
        where f.txid = page.txid and f.seq = page.seq
        limit 1
      ) line
    ) l
    window before_it as (order by page.rank, l.seq rows unbounded preceding)
  ), taken as (
    select * from sized where sized.row_number <= max_rows and sized.bytes_before < max_bytes
  ), outcome as (
    select (select count(*) from taken) = (select count(*) from page) as is_all, (
      select concat_ws('/', t.rank, nullif(t.seq, t.rank)) from taken t order by t.rank desc, t.seq desc limit 1
    ) as last_line
  )
  select lines.seq, lines.txid, lines.kind, lines.tbl, lines.n, lines.o, lines.is_cut, lines."at", lines."position"
  from (
    select t.rank, t.seq, t.txid, t.kind, t.tbl, t.n::text, t.o::text, t.is_cut,
      to_char(t.at, 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"') as "at", null::text as "position"
    from taken t
    union all
    select null, null, null, null, null, null, null, null, null, case
      when outcome.is_all then target::text
      else concat(seen, '/', target, '/', outcome.last_line)
    end
    from outcome
  ) lines
  order by lines.rank nulls last, lines.seq;
end
$$;

grant execute on function realtime.take_number, realtime.capture_first, realtime.line_place to public;
