-- What happens to files and buckets after uploads, under the same rules as uploads: one round trip each, locks in
-- the order that 0024_storage_uploads.sql names.

-- Deletes files of one bucket and gives what they were; their blobs are removed a little later, because
-- readers may have just begun. With `keys` only those that still have one of them: they were named by it.
create or replace function storage.delete_files(bucket text, file_ids uuid[], keys text[] default null)
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

-- Counts a bucket anew and tells by how much its counters were off; all 0 is what is expected.
create or replace function storage.recount_bucket(bucket text)
  returns table (used_drift bigint, reserved_drift bigint, object_drift bigint)
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  held storage.buckets;
  counted_files bigint;
  counted_bytes bigint;
  counted_reserved bigint;
begin
  select b.* into held from storage.buckets b where b.slug = recount_bucket.bucket for no key update;
  if not found then
    return;
  end if;
  select count(*), coalesce(sum(f.size), 0) into counted_files, counted_bytes
  from storage.stored_files f where f.bucket = held.slug;
  select coalesce(sum(u.size), 0) into counted_reserved from storage.uploads u where u.bucket = held.slug;
  used_drift := held.used_bytes - counted_bytes;
  reserved_drift := held.reserved_bytes - counted_reserved;
  object_drift := held.object_count - counted_files;
  if used_drift <> 0 or reserved_drift <> 0 or object_drift <> 0 then
    update storage.buckets set
      used_bytes = counted_bytes, reserved_bytes = counted_reserved, object_count = counted_files
    where slug = held.slug;
  end if;
  return next;
end
$$;

-- Deletes a bucket with its reservations, tokens and webhooks: deleted, bucket_missing, or bucket_not_empty
-- when it holds files and `force` is false. The platform's own buckets count as missing.
create or replace function storage.delete_bucket(slug text, force boolean default false) returns text
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform from storage.buckets b
  where b.slug = delete_bucket.slug and not starts_with(b.slug, '_')
  for update;
  if not found then
    return 'bucket_missing';
  end if;
  perform from storage.uploads u where u.bucket = delete_bucket.slug order by u.id for update;
  perform from storage.stored_files f where f.bucket = delete_bucket.slug order by f.id for update;
  if found and not force then
    return 'bucket_not_empty';
  end if;
  perform storage.discard_upload(u) from storage.uploads u where u.bucket = delete_bucket.slug;
  perform storage.discard_file(f) from storage.stored_files f where f.bucket = delete_bucket.slug;
  delete from storage.uploads u where u.bucket = delete_bucket.slug;
  delete from storage.stored_files f where f.bucket = delete_bucket.slug;
  delete from storage.buckets b where b.slug = delete_bucket.slug;
  return 'deleted';
end
$$;

-- Says that the bytes of a version are in another driver now; the old ones are removed. False when the file
-- has another version by now, or is gone: then the copy is nobody's. Also false while the version is on the
-- list of what is removed there, as it is after a move back; bytes are copied only when it is not.
create or replace function storage.relocate_file(file_id uuid, version uuid, driver text) returns boolean
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  known storage.stored_files;
begin
  select f.* into known from storage.stored_files f
  where f.id = file_id and f.version = relocate_file.version and f.driver <> relocate_file.driver
  for update;
  if not found or exists (
    select from storage.garbage g
    where g.driver = relocate_file.driver and g.version = relocate_file.version
  ) then
    return false;
  end if;
  update storage.stored_files f set driver = relocate_file.driver where f.id = file_id;
  perform storage.discard_file(known);
  return true;
end
$$;

revoke all on function
  storage.delete_files, storage.move_file, storage.recount_bucket, storage.delete_bucket,
  storage.relocate_file
from public;
grant execute on function
  storage.delete_files, storage.move_file, storage.recount_bucket, storage.delete_bucket,
  storage.relocate_file
to platform_engine;
