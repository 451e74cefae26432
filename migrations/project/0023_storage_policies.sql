-- Who may do what with files. Callers read storage.files, and their policies on writing are asked by trying:
-- they hold the privileges to write, and every write of theirs that policies allow ends with RH001, because
-- only the platform writes files. What policies do not allow ends with 42501, or meets no row.
--
-- Projects write policies of their own with plain SQL, and may alter and drop the ones that are made here.
-- That takes the owner of the table, so storage.files belongs to the owner of the project, who may otherwise
-- only read it.

create or replace function storage.refuse_write() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception 'files are written by the routes of storage' using errcode = 'RH001';
end
$$;

do $$
begin
  if exists (select from pg_trigger where tgrelid = 'storage.files'::regclass) then
    return;
  end if;
  execute format('revoke all on storage.files from public, %I', current_user);
  execute format('grant select on storage.files to %I', current_user);
  grant select, insert, update, delete on storage.files to anon, authenticated, service_role;
  alter table storage.files enable row level security;

  create policy own_files_read on storage.files for select to authenticated
    using (owner_id = (select auth.uid()));
  create policy public_files_read on storage.files for select to authenticated
    using (visibility = 'public' and bucket in (select slug from storage.buckets where public));
  create policy own_files_insert on storage.files for insert to authenticated
    with check (owner_id = (select auth.uid()));
  create policy own_files_update on storage.files for update to authenticated
    using (owner_id = (select auth.uid()));
  create policy own_files_delete on storage.files for delete to authenticated
    using (owner_id = (select auth.uid()));

  create trigger refuse_write after insert or update or delete on storage.files
    for each row execute function storage.refuse_write();
end
$$;

-- Rows are the child's, so they meet its triggers. The platform's own writes do not even queue one.
create or replace trigger refuse_write after insert or update or delete on storage.stored_files
  for each row when (not pg_has_role('platform_engine', 'usage'))
  execute function storage.refuse_write();

-- Where the bytes of a file are, for whoever has read its id and version: policies have let it.
create or replace function storage.blob_place(file_id uuid, version uuid, out driver text, out stored_key text)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
as $$
  select f.driver, f.stored_key from storage.stored_files f where f.id = $1 and f.version = $2
$$;

revoke all on function storage.blob_place from public;
grant execute on function storage.blob_place to anon, authenticated, service_role;

grant select (slug, name, public, max_file_bytes, allowed_media_types, created_at) on storage.buckets
  to anon, authenticated, service_role;

-- Would the caller's policies let it make this file? Run as the caller; leaves nothing behind. The search
-- path stays the caller's, because functions in policies are found on it.
create or replace function storage.may_insert(
  bucket text, key text, size bigint, media_type text, visibility text,
  owner_id {{user_id}}, user_metadata jsonb default '{}'
) returns boolean
  language plpgsql volatile
as $$
begin
  insert into storage.files (bucket, key, size, media_type, visibility, owner_id, user_metadata)
  values ($1, $2, $3, $4, $5, $6, $7);
  raise exception 'a file was written by its caller';
exception
  when sqlstate 'RH001' then return true;
  when insufficient_privilege then return false;
end
$$;

-- May the caller change this file, to these values as far as they are given? False also for a file that it
-- does not see. A key that another file has is no matter of policies.
create or replace function storage.may_update(
  file_id uuid, key text default null, size bigint default null, media_type text default null,
  visibility text default null, user_metadata jsonb default null
) returns boolean
  language plpgsql volatile
as $$
begin
  update storage.files f set
    key = coalesce($2, f.key), size = coalesce($3, f.size), media_type = coalesce($4, f.media_type),
    visibility = coalesce($5, f.visibility), user_metadata = coalesce($6, f.user_metadata)
  where f.id operator(pg_catalog.=) $1;
  return false;
exception
  when sqlstate 'RH001' or unique_violation then return true;
  when insufficient_privilege then return false;
end
$$;

-- The files among these that the caller may delete.
create or replace function storage.list_deletable(file_ids uuid[]) returns setof uuid
  language plpgsql volatile
as $$
declare
  file_id uuid;
begin
  foreach file_id in array file_ids loop
    begin
      delete from storage.files f where f.id operator(pg_catalog.=) file_id;
    exception
      when sqlstate 'RH001' then return next file_id;
      when insufficient_privilege then null;
    end;
  end loop;
end
$$;

revoke all on function
  storage.refuse_write(), storage.may_insert, storage.may_update, storage.list_deletable
from public;
grant execute on function storage.may_insert, storage.may_update, storage.list_deletable
  to anon, authenticated, service_role;

-- The owner of the project owns storage.files for its policies alone. Whatever else it does to the table, or
-- to anything that hangs on it, is refused here. It owns nothing else in the schema, so PostgreSQL refuses
-- the rest. Run with the rights of whoever runs the statement: catalogs are open to everybody. Settings that
-- a session may change must not change how this is read.
create or replace function storage.keep_shape() returns event_trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set standard_conforming_strings = on
  set transform_null_equals = off
as $$
declare
  storage_schema oid;
  schema_owner oid;
  files oid;
  files_owner oid;
  files_rights aclitem[];
  is_refused boolean;
begin
  select oid, nspowner into storage_schema, schema_owner from pg_namespace where nspname = 'storage';
  -- Migrations come from a superuser.
  if pg_has_role(schema_owner, 'usage') then
    return;
  end if;
  if tg_event = 'sql_drop' then
    is_refused := exists (
      select from pg_event_trigger_dropped_objects() dropped
      where dropped.object_type <> 'policy'
        and cardinality(dropped.address_names) > 1 and dropped.address_names[1] = 'storage'
    );
  else
    select oid, relowner, relacl into files, files_owner, files_rights from pg_class
    where relnamespace = storage_schema and relname = 'files';
    is_refused := files is null or exists (
      select from pg_event_trigger_ddl_commands() command
      where command.object_type <> 'policy' and (
        command.schema_name = 'storage'
        or command.classid = 'pg_class'::regclass and command.objid = files
        or command.classid = 'pg_trigger'::regclass
          and exists (select from pg_trigger where oid = command.objid and tgrelid = files)
        or command.classid = 'pg_rewrite'::regclass
          and exists (select from pg_rewrite where oid = command.objid and ev_class = files)
      )
    )
    -- What the list of commands does not name: rights, and things of the owner's own that take the table in.
    or exists (select from pg_attribute where attrelid = files and attacl is not null)
      or (select count(*) from pg_inherits where inhparent = files) <> 1
      or exists (select from pg_publication_rel where prrelid = files)
      or exists (select from pg_statistic_ext where stxrelid = files)
      or exists (select from pg_default_acl where defaclnamespace = storage_schema)
      or exists (select from pg_extension where extnamespace = storage_schema)
      or exists (
        select from pg_depend
        where refclassid = 'pg_extension'::regclass and (
          classid = 'pg_class'::regclass and objid = files
          or classid = 'pg_trigger'::regclass and objid in (select oid from pg_trigger where tgrelid = files)
        )
      )
      or (select count(*) from aclexplode(files_rights)) <> 13
      or exists (
        select from aclexplode(files_rights)
        where is_grantable or not (
          grantee = files_owner and privilege_type = 'SELECT'
          or grantee in ('anon'::regrole, 'authenticated'::regrole, 'service_role'::regrole)
            and privilege_type in ('SELECT', 'INSERT', 'UPDATE', 'DELETE')
        )
      );
  end if;
  if is_refused then
    raise exception 'in the schema storage a project may only change policies of storage.files'
      using errcode = 'insufficient_privilege';
  end if;
end
$$;

do $$
begin
  if not exists (select from pg_event_trigger where evtname = 'storage_keep_shape') then
    create event trigger storage_keep_shape on ddl_command_end execute function storage.keep_shape();
  end if;
  if not exists (select from pg_event_trigger where evtname = 'storage_keep_shape_drop') then
    create event trigger storage_keep_shape_drop on sql_drop execute function storage.keep_shape();
  end if;
end
$$;

revoke all on function storage.keep_shape() from public;
