-- Some catalogs are shared by all databases of a cluster and show the neighbours: names of databases,
-- settings of their roles, running sessions. Rights on them are kept per database, so they are closed here.
-- The statements are run one by one because the set of views differs between PostgreSQL 15 and 18.

do $$
declare
  closed text;
begin
  foreach closed in array array[
    'pg_database', 'pg_db_role_setting', 'pg_auth_members', 'pg_shdepend', 'pg_shdescription',
    'pg_shseclabel', 'pg_tablespace', 'pg_subscription', 'pg_replication_origin', 'pg_parameter_acl',
    'pg_roles', 'pg_user', 'pg_group', 'pg_user_mappings',
    'pg_stat_activity', 'pg_stat_ssl', 'pg_stat_gssapi', 'pg_stat_replication', 'pg_stat_wal_receiver',
    'pg_stat_database', 'pg_stat_database_conflicts', 'pg_stat_subscription',
    'pg_stat_subscription_stats', 'pg_stat_replication_slots', 'pg_stat_progress_vacuum',
    'pg_stat_progress_analyze', 'pg_stat_progress_cluster', 'pg_stat_progress_create_index',
    'pg_stat_progress_basebackup', 'pg_stat_progress_copy', 'pg_locks', 'pg_prepared_xacts',
    'pg_replication_slots', 'pg_replication_origin_status',
    -- Of the own session, but of all who share it: names that nobody may take for statements of their own.
    'pg_prepared_statements'
  ] loop
    if to_regclass('pg_catalog.' || closed) is not null then
      execute format('revoke select on pg_catalog.%I from public', closed);
    end if;
  end loop;
  for closed in
    select format('%I.%I(%s)', 'pg_catalog', proname, pg_get_function_identity_arguments(oid))
    from pg_proc
    where pronamespace = 'pg_catalog'::regnamespace and proname in (
      'pg_stat_get_activity', 'pg_stat_get_backend_idset', 'pg_stat_get_backend_activity',
      'pg_stat_get_backend_dbid', 'pg_stat_get_backend_userid', 'pg_stat_get_backend_pid',
      'pg_stat_get_backend_client_addr', 'pg_stat_get_backend_subxact', 'pg_stat_get_progress_info',
      'pg_stat_get_wal_senders', 'pg_lock_status', 'pg_prepared_xact', 'pg_get_replication_slots',
      'pg_show_replication_origin_status', 'pg_stat_get_subscription', 'pg_tablespace_databases',
      'pg_prepared_statement'
    )
  loop
    execute format('revoke execute on function %s from public', closed);
  end loop;
end
$$;
