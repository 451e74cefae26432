-- On which timeline the server writes: another one begins where a standby is promoted, and where the server was restored
-- from an archive. rowhouse_lifetime learns of it with the next checkpoint.
create or replace function pg_catalog.rowhouse_timeline() returns pg_catalog.text
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  return left(pg_walfile_name(pg_current_wal_insert_lsn()), 8);

-- It runs with no more rights than reading needs.
grant execute on function pg_catalog.pg_walfile_name, pg_catalog.pg_current_wal_insert_lsn to platform_catalog;
alter function pg_catalog.rowhouse_timeline owner to platform_catalog;
revoke all on function pg_catalog.rowhouse_timeline from public;
grant execute on function pg_catalog.rowhouse_timeline to platform_engine;

call rowhouse_note_rights();
