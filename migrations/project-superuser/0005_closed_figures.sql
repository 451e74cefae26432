-- Figures of the whole server tell how much the neighbours do, and some functions tell of any session or
-- transaction. They have no own part that could be shown, so they are closed.

do $$
declare
  closed text;
begin
  for closed in
    select oid::regprocedure from pg_proc
    where pronamespace = 'pg_catalog'::regnamespace and proname ~ (
      '^(' ||
      -- Sessions by number, and what the server's processes have read and written.
      'pg_stat_get_(backend|bgwriter|buf|checkpoint|checkpointer|wal|slru|archiver|recovery_prefetch|replication_slot|subscription)(_\w+)?|'
      'pg_stat_get_io|pg_stat_have_stats|pg_get_aios|pg_blocking_pids|pg_safe_snapshot_blocking_pids|'
      'pg_isolation_test_session_is_blocked|pg_notification_queue_usage|'
      -- The write-ahead log and the control file.
      'pg_current_wal_\w+|pg_last_wal_\w+|pg_last_xact_replay_timestamp|pg_control_\w+|'
      'pg_(available_wal_summaries|wal_summary_contents|get_wal_\w+|logical_emit_message|get_replication_slots)|'
      -- Transactions of others by number.
      'pg_xact_status|txid_status|pg_get_multixact_members|pg_xact_commit_timestamp(_origin)?|pg_last_committed_xact|'
      -- The size of what several databases share, and numbers of shared objects by name.
      'pg_tablespace_size|pg_tablespace_databases|pg_get_object_address' ||
      ')$')
  loop
    execute format('revoke all on function %s from public', closed);
  end loop;
  for closed in
    select class.oid::regclass from pg_class class
    where relkind = 'v' and relnamespace = 'pg_catalog'::regnamespace and relname in (
      'pg_stat_bgwriter', 'pg_stat_checkpointer', 'pg_stat_wal', 'pg_stat_slru', 'pg_stat_io', 'pg_stat_archiver',
      'pg_stat_recovery_prefetch', 'pg_aios', 'pg_replication_slots', 'pg_stat_replication_slots',
      'pg_stat_replication', 'pg_stat_wal_receiver', 'pg_stat_subscription', 'pg_stat_subscription_stats',
      'pg_stat_progress_basebackup', 'pg_replication_origin_status'
    )
  loop
    execute format('revoke all on %s from public', closed);
  end loop;
end
$$;

-- Names of roles and databases from text that is a name already: closed for the number alone.
do $$
begin
  if to_regprocedure('pg_catalog.hidden_to_regrole(text)') is null then
    call rowhouse_narrow_function('pg_catalog.to_regrole(text)'::regprocedure,
      'rowhouse_is_own_role(hidden_to_regrole($1))');
  end if;
end
$$;
call rowhouse_note_rights();
