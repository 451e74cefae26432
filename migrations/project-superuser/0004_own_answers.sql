-- Functions that tell of any object, session or database of the server by its number. In front of each stands
-- one that answers for what is the project's own, and for the rest as if the number did not exist.

-- Sessions, locks and the like are shown to the sessions of the project's owner alone: a request to the table
-- API runs code of the project too, and must not see what other requests do.
create or replace function pg_catalog.rowhouse_is_owner_session() returns boolean
  language sql stable parallel safe security definer
  return has_database_privilege(session_user, current_database(), 'create');

create or replace function pg_catalog.rowhouse_is_own_session(database oid, role oid) returns boolean
  language sql stable parallel safe security definer
  return rowhouse_sees_all() or (
    rowhouse_is_owner_session() and database = rowhouse_own_database()
    and role = (select oid from pg_authid where rolname = session_user)
  );

create or replace function pg_catalog.rowhouse_is_own_relation(relation oid) returns boolean
  language plpgsql stable parallel safe security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return not exists (select from pg_class where oid = relation and relisshared) or rowhouse_sees_all();
end
$$;

do $$
declare
  narrowed record;
begin
  for narrowed in
    select proc.oid, rules.condition, rules.otherwise
    from (values
      (1, '^pg_get_userbyid\(oid\)$', 'rowhouse_is_own_role($1)', $sql$('unknown (OID=' || $1 || ')')::name$sql$),
      (1, '^pg_(describe_object|identify_object|identify_object_as_address|get_acl)\(oid,oid,integer\)$',
        'rowhouse_is_own_object($1, $2)', null),
      (1, '^acldefault\("char",oid\)$', 'rowhouse_is_own_role($2)', null),
      (1, '^makeaclitem\(', 'rowhouse_is_own_role($1) and rowhouse_is_own_role($2)', null),
      (1, '^pg_database_(size|collation_actual_version)\(oid\)$', 'rowhouse_is_own_database($1)', null),
      (1, '^pg_database_size\(name\)$', 'rowhouse_sees_all() or $1 = current_database()', null),
      (1, '^pg_stat_get_db_\w+\(oid\)$', 'rowhouse_is_own_database($1)', null),
      -- The server counts the use of its shared tables, whose sizes tell how many projects it has.
      (1, '^pg_stat_get_(?!db_|function_|xact_function_)\w+\(oid\)$', 'rowhouse_is_own_relation($1)', null),
      (1, '^pg_(table|indexes|total_relation)_size\(regclass\)$', 'rowhouse_is_own_relation($1)', null),
      (1, '^pg_relation_size\(regclass,text\)$', 'rowhouse_is_own_relation($1)', null),
      (1, '^pg_stat_get_activity\(integer\)$', 'rowhouse_is_own_session(r.datid, r.usesysid)', null),
      (2, '^pg_lock_status\(\)$', $sql$rowhouse_sees_all() or (rowhouse_is_owner_session() and (
        r.database = rowhouse_own_database()
        or r.pid in (select pid from pg_stat_get_activity(null::integer) own)
      ))$sql$, null),
      (1, '^pg_prepared_xact\(\)$',
        'rowhouse_sees_all() or (rowhouse_is_owner_session() and r.dbid = rowhouse_own_database())', null),
      (1, '^pg_stat_get_progress_info\(text\)$',
        'rowhouse_sees_all() or (rowhouse_is_owner_session() and r.datid = rowhouse_own_database())', null),
      (2, '^pg_cancel_backend\(integer\)$', 'exists (select from pg_stat_get_activity($1))', 'false'),
      (2, '^pg_terminate_backend\(integer,bigint\)$', 'exists (select from pg_stat_get_activity($1))', 'false')
    ) rules (turn, signature, condition, otherwise)
    join pg_proc proc on proc.oid::regprocedure::text ~ rules.signature and proc.oid < 16384
    where proc.pronamespace = 'pg_catalog'::regnamespace
    order by rules.turn
  loop
    call rowhouse_narrow_function(narrowed.oid, narrowed.condition, coalesce(narrowed.otherwise, 'null'));
  end loop;
end
$$;

-- With the number of a database; the forms with its name tell only whoever knows the name.
do $$
begin
  if to_regprocedure('pg_catalog.hidden_has_database_privilege(oid,text)') is not null then return; end if;
  alter function has_database_privilege(oid, text) rename to hidden_has_database_privilege;
  alter function has_database_privilege(name, oid, text) rename to hidden_has_database_privilege;
  alter function has_database_privilege(oid, oid, text) rename to hidden_has_database_privilege;
  revoke all on function hidden_has_database_privilege(oid, text), hidden_has_database_privilege(name, oid, text),
    hidden_has_database_privilege(oid, oid, text) from public;
end
$$;

create or replace function pg_catalog.rowhouse_has_database_privilege(role name, database oid, privilege text)
  returns boolean language sql stable parallel safe strict security definer
  return case when rowhouse_is_own_database(database) then hidden_has_database_privilege(role, database, privilege) end;

create or replace function pg_catalog.has_database_privilege(oid, text) returns boolean
  language sql stable parallel safe strict
  return rowhouse_has_database_privilege(current_user, $1, $2);

create or replace function pg_catalog.has_database_privilege(name, oid, text) returns boolean
  language sql stable parallel safe strict
  return rowhouse_has_database_privilege($1, $2, $3);

create or replace function pg_catalog.has_database_privilege(oid, oid, text) returns boolean
  language sql stable parallel safe strict
  return rowhouse_has_database_privilege(pg_get_userbyid($1), $2, $3);

-- The comment on a shared object, by the name of its catalog.
do $$
begin
  if to_regprocedure('pg_catalog.hidden_shobj_description(oid,name)') is null then
    alter function shobj_description(oid, name) rename to hidden_shobj_description;
    revoke all on function hidden_shobj_description from public;
  end if;
end
$$;

create or replace function pg_catalog.shobj_description(oid, name) returns text
  language sql stable parallel safe strict
  return (
    select description from pg_shdescription
    where objoid = $1
      and classoid = (select oid from pg_class where relname = $2 and relnamespace = 'pg_catalog'::regnamespace)
  );

-- A number as regrole shows the number and not the name of the role; pg_get_userbyid() shows own names.
update pg_type set typoutput = 'oidout' where oid = 'regrole'::regtype;
revoke all on function regroleout from public;

call rowhouse_renew_users();
grant select on pg_stat_activity, pg_stat_ssl, pg_stat_gssapi, pg_locks, pg_prepared_xacts, pg_stat_database,
  pg_stat_database_conflicts, pg_stat_progress_vacuum, pg_stat_progress_analyze, pg_stat_progress_cluster,
  pg_stat_progress_create_index, pg_stat_progress_copy to public;
call rowhouse_note_rights();
