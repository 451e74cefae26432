-- The functions that answer for the superuser's tables (SECURITY DEFINER) belong to roles without a login: one that
-- reads what the functions need, and one that may signal sessions. A fault in such a function gives no rights of the
-- superuser. Decision 0031 names what stays with the superuser.

do $$
begin
  if not exists (select from pg_authid where rolname = 'platform_catalog') then
    create role platform_catalog nologin;
    -- Without it PostgreSQL hides the sessions of other roles from pg_stat_get_activity().
    grant pg_read_all_stats to platform_catalog;
  end if;
exception
  when duplicate_object or unique_violation then null; -- Another database is migrated at the same time.
end
$$;

do $$
begin
  if not exists (select from pg_authid where rolname = 'platform_signals') then
    create role platform_signals nologin;
    grant pg_signal_backend to platform_signals;
  end if;
exception
  when duplicate_object or unique_violation then null;
end
$$;

grant select (oid, rolname, rolsuper, rolcanlogin) on pg_catalog.pg_authid to platform_catalog;
grant select on pg_catalog.hidden_pg_database, pg_catalog.hidden_pg_auth_members, pg_catalog.hidden_pg_shdepend
  to platform_catalog;

do $$
declare
  definer record;
  hidden text;
begin
  for hidden in
    select oid::regprocedure from pg_proc
    where pronamespace = 'pg_catalog'::regnamespace and proname like 'hidden\_%'
  loop
    execute format('grant execute on function %s to %I', hidden,
      case when hidden ~ '^hidden_pg_(cancel|terminate)_backend' then 'platform_signals' else 'platform_catalog' end);
  end loop;
  for definer in
    select pg_proc.oid::regprocedure as signature, proname from pg_proc
    where pronamespace = 'pg_catalog'::regnamespace and prosecdef
      and proowner in (select oid from pg_authid where rolsuper)
  loop
    execute format('alter function %s owner to %I', definer.signature,
      case when definer.proname in ('pg_cancel_backend', 'pg_terminate_backend')
        then 'platform_signals' else 'platform_catalog' end);
  end loop;
end
$$;

call rowhouse_note_rights();
