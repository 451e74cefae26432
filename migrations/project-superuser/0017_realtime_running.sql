-- Which of these transactions are still running in this database, prepared ones included. A process that begins to
-- listen waits for them: they may have written rows while the gate of realtime was closed. Numbers in the list of sessions have 32
-- bits; none of the transactions that run at a time are 2^32 apart.
create or replace function pg_catalog.rowhouse_running(txids pg_catalog.xid8[]) returns pg_catalog.xid8[]
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  return array(
    select txid from unnest(txids) txid
    where txid::text::int8 & 4294967295 in (
      select backend_xid::text::int8 from hidden_pg_stat_get_activity(null)
      where datid = rowhouse_own_database() and backend_xid is not null
      union all
      select transaction::text::int8 from hidden_pg_prepared_xact() where dbid = rowhouse_own_database()
    )
  );

-- What differs in a copy of this database, and in a cluster that was restored to an earlier time. Tells nothing else.
create or replace function pg_catalog.rowhouse_lifetime() returns pg_catalog.text
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  return (
    select encode(sha256(convert_to(concat_ws(' ', system_identifier, timeline_id, rowhouse_own_database()), 'UTF8')), 'hex')
    from pg_control_system(), pg_control_checkpoint()
  );

-- They run with no more rights than reading needs.
grant execute on function hidden_pg_stat_get_activity, hidden_pg_prepared_xact, pg_control_system, pg_control_checkpoint,
  rowhouse_own_database to platform_catalog;
alter function pg_catalog.rowhouse_running owner to platform_catalog;
alter function pg_catalog.rowhouse_lifetime owner to platform_catalog;
revoke all on function pg_catalog.rowhouse_running, pg_catalog.rowhouse_lifetime from public;
grant execute on function pg_catalog.rowhouse_running, pg_catalog.rowhouse_lifetime to platform_engine;

call rowhouse_note_rights();
