-- Writes that hold only while the file at their key is the expected one, files whose visibility is that of their
-- bucket, and keys that are the id of another file.
--
-- The functions run with the path pg_catalog, pg_temp, and nothing of a project runs below them, so that the names
-- in them are those of PostgreSQL.

-- What must be at the key when the upload becomes a file: null (anything), 'any' (a file), 'none' (no file), or the
-- version of the file.
alter table storage.uploads add column if not exists expects text;
-- Whether the file is public as soon as its bucket is: its uploader has not asked for a private one. Files of
-- earlier releases do not tell what was asked for, so that those which are private stay so.
alter table storage.uploads add column if not exists follows_bucket boolean not null default false;
alter table storage.stored_files add column if not exists follows_bucket boolean not null default false;

-- Callers read storage.files, which belongs to the owner of the project and gets no columns of the platform's. They
-- ask about a file that they know by its id, and cannot list those that policies hide.
create or replace function storage.follows_bucket(file_id uuid) returns boolean
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
as $$
  select f.follows_bucket from storage.stored_files f where f.id = $1
$$;

revoke all on function storage.follows_bucket from public;
grant execute on function storage.follows_bucket to anon, authenticated, service_role;

-- The policy of the first hour lets users read public files. Where it was not changed, it takes in files that are
-- public through their bucket. Only who may act as the owner of the table can change it.
do $$
declare
  files_owner pg_catalog.oid;
begin
  select relowner into files_owner from pg_catalog.pg_class
  where oid operator(pg_catalog.=) 'storage.files'::pg_catalog.regclass;
  if pg_catalog.pg_has_role(files_owner, 'usage') and exists (
    select from pg_catalog.pg_policy
    where polrelid operator(pg_catalog.=) 'storage.files'::pg_catalog.regclass
      and polname operator(pg_catalog.=) 'public_files_read'
      and pg_catalog.regexp_replace(pg_catalog.pg_get_expr(polqual, polrelid), '\s+', '', 'g')
        operator(pg_catalog.=) '((visibility=''public''::text)AND(bucketIN(SELECTbuckets.slugFROMstorage.bucketsWHEREbuckets.public)))'
  ) then
    alter policy public_files_read on storage.files using (
      bucket in (select slug from storage.buckets where public) and (
        visibility operator(pg_catalog.=) 'public'
        or storage.follows_bucket(id)
      )
    );
  end if;
end
$$;

-- Whether a file of this version, or none where it is null, is what an upload expects.
create or replace function storage.is_expected(expects text, version uuid) returns boolean
  language sql immutable
  set search_path = pg_catalog, pg_temp
as $$
  select case
    when $1 is null then true
    when $1 = 'any' then $2 is not null
    when $1 = 'none' then $2 is null
    else coalesce($2::text = $1, false)
  end
$$;

-- Whether the key is the id of another file of the bucket. Requests name files by their ids as well, so that a
-- second file with this key could not be reached.
create or replace function storage.is_id_of_other(bucket text, key text, file_id uuid default null) returns boolean
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if key !~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
    return false;
  end if;
  return exists (
    select from storage.stored_files f
    where f.id = is_id_of_other.key::uuid and f.bucket = is_id_of_other.bucket
      and f.key <> is_id_of_other.key and f.id is distinct from file_id
  );
end
$$;

-- Reserves `size` bytes of a bucket for an upload: reserved, bucket_missing, file_too_large, quota_exceeded,
-- not_expected when the file at the key is not the expected one, or key_taken when a file is there and must not be
-- replaced by this uploader. The bytes of the file that an upload replaces are free only after it. A reservation
-- that would end with its process anyway is not waited for until it is on the disk.
drop function if exists storage.reserve_upload(
  uuid, text, text, uuid, text, text, bigint, text, text, {{user_id}}, boolean, timestamptz, bytea, text, jsonb,
  jsonb, uuid, boolean
);
create or replace function storage.reserve_upload(
  upload_id uuid, bucket text, key text, version uuid, driver text, kind text, size bigint,
  media_type text, visibility text, owner_id {{user_id}}, upsert boolean, expires_at timestamptz,
  sha256 bytea default null, cache_control text default null, user_metadata jsonb default '{}',
  driver_state jsonb default null, replaces uuid default null, is_owner_foreign boolean default false,
  expects text default null, follows_bucket boolean default false
) returns text
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  existing storage.stored_files;
  refused_by storage.buckets;
begin
  select f.* into existing from storage.stored_files f
  where f.bucket = reserve_upload.bucket and f.key = reserve_upload.key;
  if not storage.is_expected(reserve_upload.expects, existing.version) then
    return 'not_expected';
  elsif existing.id is not null and not storage.may_replace(
    existing, reserve_upload.upsert, reserve_upload.owner_id, reserve_upload.replaces
  ) or storage.is_id_of_other(reserve_upload.bucket, reserve_upload.key) then
    return 'key_taken';
  end if;
  update storage.buckets b set reserved_bytes = b.reserved_bytes + reserve_upload.size
  where b.slug = reserve_upload.bucket
    and (b.max_file_bytes is null or reserve_upload.size <= b.max_file_bytes)
    and (b.quota_bytes is null or b.used_bytes + b.reserved_bytes + reserve_upload.size <= b.quota_bytes);
  if not found then
    select * into refused_by from storage.buckets b where b.slug = reserve_upload.bucket;
    return case
      when refused_by.slug is null then 'bucket_missing'
      when reserve_upload.size > refused_by.max_file_bytes then 'file_too_large'
      else 'quota_exceeded'
    end;
  end if;
  insert into storage.uploads (
    id, bucket, key, version, driver, kind, size, media_type, visibility, owner_id, upsert, replaces,
    is_owner_foreign, expires_at, sha256, cache_control, user_metadata, driver_state,
    expects, follows_bucket
  ) values (
    upload_id, reserve_upload.bucket, reserve_upload.key, reserve_upload.version, reserve_upload.driver,
    reserve_upload.kind, reserve_upload.size, reserve_upload.media_type, reserve_upload.visibility,
    reserve_upload.owner_id, reserve_upload.upsert, reserve_upload.replaces,
    reserve_upload.is_owner_foreign, reserve_upload.expires_at,
    reserve_upload.sha256, reserve_upload.cache_control, reserve_upload.user_metadata,
    reserve_upload.driver_state, reserve_upload.expects, reserve_upload.follows_bucket
  );
  if reserve_upload.kind in ('stream', 'copy') then
    perform set_config('synchronous_commit', 'off', true);
  end if;
  return 'reserved';
end
$$;

-- Makes a file of an upload whose bytes are durable. Outcomes:
-- created; replaced: the file with this key has the new version, and keeps its id and its owner;
-- repeated: this upload has made the file before; upload_missing: it has ended without a file, or another
-- upload has replaced that since; key_taken: the upload has ended, because a file is there and must not be
-- replaced by this uploader; not_expected: it has ended, because the file at the key is not the expected one;
-- size_exceeded: more than was reserved, nothing has changed.
create or replace function storage.commit_upload(
  upload_id uuid, size bigint, media_type text default null, sha256 bytea default null
) returns table (outcome text, file storage.stored_files)
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  upload storage.uploads;
  existing storage.stored_files;
  uploader storage.uploads.owner_id%type;
  is_expected boolean;
begin
  select u.* into upload from storage.uploads u where u.id = commit_upload.upload_id;
  -- A user who is deleted at the same time is waited for, so that no file names an owner who is gone.
  perform from auth."user" where id = upload.owner_id for key share;
  uploader := upload.owner_id;
  if not found and not upload.is_owner_foreign then
    upload.owner_id := null;
  end if;
  perform from storage.buckets b where b.slug = upload.bucket for no key update;
  select u.size into upload.size from storage.uploads u where u.id = commit_upload.upload_id for update;
  if not found then
    select f.* into file from storage.stored_files f where f.upload_id = commit_upload.upload_id;
    outcome := case when found then 'repeated' else 'upload_missing' end;
    return next;
    return;
  end if;
  if commit_upload.size > upload.size then
    outcome := 'size_exceeded';
    return next;
    return;
  end if;
  delete from storage.uploads u where u.id = upload.id;
  select f.* into existing from storage.stored_files f
  where f.bucket = upload.bucket and f.key = upload.key
  for update;
  is_expected := storage.is_expected(upload.expects, existing.version);
  if not is_expected or existing.id is not null
    and not storage.may_replace(existing, upload.upsert, uploader, upload.replaces)
  then
    update storage.buckets set reserved_bytes = reserved_bytes - upload.size where slug = upload.bucket;
    perform storage.discard_upload(upload);
    file := existing;
    outcome := case when is_expected then 'key_taken' else 'not_expected' end;
    return next;
    return;
  end if;
  insert into storage.stored_files as f (
    id, bucket, key, version, size, media_type, visibility, owner_id, sha256, cache_control,
    user_metadata, upload_id, stored_key, driver, follows_bucket
  ) values (
    upload.id, upload.bucket, upload.key, upload.version, commit_upload.size,
    coalesce(commit_upload.media_type, upload.media_type), upload.visibility, upload.owner_id,
    coalesce(commit_upload.sha256, upload.sha256), upload.cache_control, upload.user_metadata,
    upload.id, upload.key, upload.driver, upload.follows_bucket
  ) on conflict on constraint stored_files_bucket_key_key do update set
    version = excluded.version, size = excluded.size, media_type = excluded.media_type,
    visibility = excluded.visibility, sha256 = excluded.sha256, cache_control = excluded.cache_control,
    user_metadata = excluded.user_metadata, upload_id = excluded.upload_id,
    stored_key = excluded.stored_key, driver = excluded.driver,
    follows_bucket = excluded.follows_bucket, updated_at = now()
  returning f.* into file;
  outcome := 'created';
  if existing.id is not null then
    outcome := 'replaced';
    perform storage.discard_file(existing);
  end if;
  update storage.buckets set
    reserved_bytes = reserved_bytes - upload.size,
    used_bytes = used_bytes + commit_upload.size - coalesce(existing.size, 0),
    object_count = object_count + case outcome when 'created' then 1 else 0 end
  where slug = upload.bucket;
  perform storage.announce(
    case upload.kind when 'copy' then 'copied' else 'uploaded' end,
    file, jsonb_build_object('replaced', outcome = 'replaced')
  );
  return next;
end
$$;

-- Deletes files of one bucket and returns what they were; their blobs are removed a little later, because
-- readers may have just begun. With `keys` only those that still have one of them: they were named by it. With
-- `versions` only those that still have one of these.
drop function if exists storage.delete_files(text, uuid[], text[]);
create or replace function storage.delete_files(bucket text, file_ids uuid[], keys text[] default null,
  versions uuid[] default null
)
  returns setof storage.stored_files
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  gone storage.stored_files;
  gone_bytes bigint := 0;
  gone_files bigint := 0;
begin
  perform from storage.buckets b where b.slug = delete_files.bucket for no key update;
  for gone in
    select f.* from storage.stored_files f
    where f.bucket = delete_files.bucket and f.id = any (file_ids)
      and (keys is null or f.key = any (keys))
      and (versions is null or f.version = any (versions))
    order by f.id
    for update
  loop
    delete from storage.stored_files f where f.id = gone.id;
    perform storage.discard_file(gone);
    perform storage.announce('deleted', gone);
    gone_bytes := gone_bytes + gone.size;
    gone_files := gone_files + 1;
    return next gone;
  end loop;
  if gone_files > 0 then
    update storage.buckets b
    set used_bytes = b.used_bytes - gone_bytes, object_count = b.object_count - gone_files
    where b.slug = delete_files.bucket;
  end if;
end
$$;

-- Gives a file another key in its bucket; its bytes stay where they are. Outcomes: moved, file_missing (also
-- when its key is no more `from_key`, by which it was named),
-- file_too_large (the bucket's limit has become smaller), key_taken. The file that has the key
-- is deleted when it is the one that the caller may replace.
create or replace function storage.move_file(
  file_id uuid, to_key text, replaces uuid default null, from_key text default null
)
  returns table (outcome text, file storage.stored_files)
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  held storage.buckets;
  moving storage.stored_files;
  target_id uuid;
begin
  select b.* into held from storage.buckets b
  where b.slug = (select f.bucket from storage.stored_files f where f.id = file_id)
  for no key update;
  perform from storage.stored_files f
  where f.bucket = held.slug and (f.id = file_id or f.key = to_key)
  order by f.id
  for update;
  select f.* into moving from storage.stored_files f where f.id = file_id;
  if not found or moving.key <> from_key then
    outcome := 'file_missing';
    return next;
    return;
  end if;
  file := moving;
  if moving.size > held.max_file_bytes then
    outcome := 'file_too_large';
    return next;
    return;
  end if;
  if storage.is_id_of_other(held.slug, to_key, file_id) then
    outcome := 'key_taken';
    return next;
    return;
  end if;
  select f.id into target_id from storage.stored_files f
  where f.bucket = held.slug and f.key = to_key and f.id <> file_id;
  if target_id is not null and target_id is distinct from replaces then
    outcome := 'key_taken';
    return next;
    return;
  end if;
  outcome := 'moved';
  if moving.key <> to_key then
    perform storage.delete_files(held.slug, array[target_id]);
    update storage.stored_files f set key = to_key, updated_at = now() where f.id = file_id
    returning f.* into file;
    perform storage.announce('moved', file, jsonb_build_object('previousKey', moving.key));
  end if;
  return next;
end
$$;

revoke all on function
  storage.is_expected, storage.is_id_of_other, storage.reserve_upload, storage.delete_files
from public;
grant execute on function
  storage.is_expected, storage.is_id_of_other, storage.reserve_upload, storage.delete_files
to platform_engine;
