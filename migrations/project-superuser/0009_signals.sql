-- A deadline of the SQL editor ends the session of a script that goes on after a cancel request. The editor's login is
-- no owner of the project, so it may see no sessions; this lets it end those of its own, and only these.
create or replace function pg_catalog.rowhouse_may_signal(pid integer) returns boolean
  language plpgsql stable parallel restricted security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  if rowhouse_sees_all() then return true; end if;
  -- Requests of the API run code of the project in sessions of another login, which may signal none.
  if not rowhouse_is_owner_session()
    and session_user <> pg_catalog.substr(current_database()::pg_catalog.text, 3) || '_editor'
  then
    return false;
  end if;
  return exists (
    select from hidden_pg_stat_get_activity(pid) activity
    where activity.datid = rowhouse_own_database()
      and activity.usesysid = (select oid from pg_authid where rolname = session_user)
  );
end
$$;

create or replace function pg_catalog.pg_cancel_backend(pid integer) returns boolean
  language sql volatile security definer strict
  return case when rowhouse_may_signal($1) then hidden_pg_cancel_backend($1) else false end;

create or replace function pg_catalog.pg_terminate_backend(pid integer, timeout bigint default 0) returns boolean
  language sql volatile security definer strict
  return case when rowhouse_may_signal($1) then hidden_pg_terminate_backend($1, $2) else false end;

call rowhouse_note_rights();
