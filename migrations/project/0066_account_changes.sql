-- What changes the rights of users reaches the processes that have their sockets: as lines of the outbox, in the order
-- of everything else that commits. Nothing is written while no process listens (bit 0 of the gate).

create or replace function realtime.note_account() returns trigger
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  insert into realtime.outbox (kind, n)
  select distinct on (line ->> tg_argv[0]) 'A', json_build_object('user', line ->> tg_argv[0])
  from (values (to_jsonb(old.*)), (to_jsonb(new.*))) lines (line)
  where line is not null;
  return null;
end
$$;
revoke all on function realtime.note_account from public;

do $$
declare
  trigger record;
begin
  for trigger in
    select * from (values
      ('"user"', 'id', 'update', array['claims', 'role', 'status']),
      ('"user"', 'id', 'delete', '{}'),
      ('session', 'userId', 'update',
        array['userId', 'tokenHash', 'expiresAt', 'aal', 'activeOrganizationId', 'activeTeamId']),
      ('session', 'userId', 'delete', '{}'),
      ('apikey', 'referenceId', 'update', array['referenceId', 'key', 'enabled', 'permissions', 'expiresAt']),
      ('apikey', 'referenceId', 'delete', '{}'),
      ('member', 'userId', 'insert or update or delete', '{}'),
      ('"teamMember"', 'userId', 'insert or update or delete', '{}')
    ) triggers (relation, id, event, columns)
  loop
    execute format(
      'create or replace trigger %I after %s on auth.%s
       for each row when (
         (pg_catalog.pg_sequence_last_value(%L::pg_catalog.regclass) operator(pg_catalog.&) 1::pg_catalog.int8)
           operator(pg_catalog.<>) 0::pg_catalog.int8 %s
       ) execute function realtime.note_account(%L)',
      case when trigger.event = 'delete' then 'realtime_end' else 'realtime_change' end,
      trigger.event, trigger.relation, 'realtime.gate',
      (
        select 'and (' || string_agg(format(
          -- The use of a session prolongs it, which takes no right away.
          case when trigger.relation = 'session' and name = 'expiresAt' then 'old.%1$I operator(pg_catalog.>) new.%1$I'
            else 'old.%1$I is distinct from new.%1$I' end,
          name), ' or ') || ')'
        from unnest(trigger.columns) name
      ),
      trigger.id);
  end loop;
end
$$;
