-- Uploads: from a reservation to a file. Each function is one round trip and a transaction of its own;
-- it is run with the rights of the platform's role. Quotas hold and counters are exact under any number of
-- callers at once.
--
-- Locks are taken in this order, by all of them: the user who uploads, the bucket, the upload, files by their
-- ids. Whatever changes a counter or who has a key locks the bucket first. Counters of a bucket are one row
-- for which everybody waits anyway, so a lock for each key would add nothing but cycles.

-- Puts the blob of a file on the list of those to remove. Whoever has just begun to read it may finish.
create or replace function storage.discard_file(file storage.stored_files) returns void
  language sql volatile
  set search_path = pg_catalog, pg_temp
as $$
  insert into storage.garbage as known (driver, version, bucket, stored_key, not_before)
  values (($1).driver, ($1).version, ($1).bucket, ($1).stored_key, now() + interval '60 s')
  on conflict (driver, version) do update set not_before = excluded.not_before
$$;

-- The same for an upload. A presigned URL may bring the blob once more: it is removed now and twice later.
create or replace function storage.discard_upload(upload storage.uploads) returns void
  language sql volatile
  set search_path = pg_catalog, pg_temp
as $$
  insert into storage.garbage (driver, version, bucket, stored_key, removals, not_before)
  values (
    ($1).driver, ($1).version, ($1).bucket, ($1).key, case ($1).kind when 'presign' then 3 else 1 end, now()
  )
  on conflict (driver, version) do nothing
$$;

-- Writes an outbox row for each webhook of the bucket that asks for the event.
create or replace function storage.announce(
  event text, file storage.stored_files, extra jsonb default '{}'
) returns void
  language sql volatile
  set search_path = pg_catalog, pg_temp
as $$
  insert into storage.webhook_outbox (webhook_id, event, payload)
  select webhooks.id, $1, jsonb_build_object(
    'type', $1,
    'occurredAt', to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'bucket', ($2).bucket,
    'file', jsonb_build_object(
      'id', ($2).id, 'key', ($2).key, 'version', ($2).version, 'size', ($2).size,
      'mediaType', ($2).media_type, 'visibility', ($2).visibility, 'ownerId', ($2).owner_id
    )
  ) || $3
  from storage.webhooks
  where webhooks.bucket = ($2).bucket and webhooks.active and $1 = any (webhooks.events)
$$;

-- Whether an upload may take the place of this file: one of the platform any file, one of a user the user's own
-- files and the one that policies let it change when it began.
create or replace function storage.may_replace(
  file storage.stored_files, upsert boolean, uploader {{user_id}}, replaces uuid
) returns boolean
  language sql immutable
  set search_path = pg_catalog, pg_temp
as $$
  select coalesce($2 and ($3 is null or ($1).owner_id = $3 or ($1).id = $4), false)
$$;

-- Reserves `size` bytes of a bucket for an upload: reserved, bucket_missing, file_too_large, quota_exceeded,
-- or key_taken when a file is there and must not be replaced by this uploader. The bytes of the file that an
-- upload replaces are free only after it. A reservation that would end with its process anyway is not waited
-- for until it is on the disk.
create or replace function storage.reserve_upload(
  upload_id uuid, bucket text, key text, version uuid, driver text, kind text, size bigint,
  media_type text, visibility text, owner_id {{user_id}}, upsert boolean, expires_at timestamptz,
  sha256 bytea default null, cache_control text default null, user_metadata jsonb default '{}',
  driver_state jsonb default null, replaces uuid default null, is_owner_foreign boolean default false
) returns text
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  refused_by storage.buckets;
begin
  if exists (
    select from storage.stored_files f
    where f.bucket = reserve_upload.bucket and f.key = reserve_upload.key
      and not storage.may_replace(
        f, reserve_upload.upsert, reserve_upload.owner_id, reserve_upload.replaces
      )
  ) then
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
    is_owner_foreign, expires_at, sha256, cache_control, user_metadata, driver_state
  ) values (
    upload_id, reserve_upload.bucket, reserve_upload.key, reserve_upload.version, reserve_upload.driver,
    reserve_upload.kind, reserve_upload.size, reserve_upload.media_type, reserve_upload.visibility,
    reserve_upload.owner_id, reserve_upload.upsert, reserve_upload.replaces,
    reserve_upload.is_owner_foreign, reserve_upload.expires_at,
    reserve_upload.sha256, reserve_upload.cache_control, reserve_upload.user_metadata,
    reserve_upload.driver_state
  );
  if reserve_upload.kind in ('stream', 'copy') then
    perform set_config('synchronous_commit', 'off', true);
  end if;
  return 'reserved';
end
$$;

-- Reserves `bytes` more for an upload of unknown length: reserved, upload_missing, file_too_large or
-- quota_exceeded. What is refused changes nothing.
create or replace function storage.extend_upload(upload_id uuid, bytes bigint) returns text
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  held storage.buckets;
  reserved bigint;
  upload_kind text;
begin
  select b.* into held from storage.buckets b
  where b.slug = (select u.bucket from storage.uploads u where u.id = upload_id)
  for no key update;
  select u.size, u.kind into reserved, upload_kind from storage.uploads u where u.id = upload_id for update;
  if not found then
    return 'upload_missing';
  elsif reserved + bytes > held.max_file_bytes then
    return 'file_too_large';
  elsif held.used_bytes + held.reserved_bytes + bytes > held.quota_bytes then
    return 'quota_exceeded';
  end if;
  update storage.buckets set reserved_bytes = reserved_bytes + bytes where slug = held.slug;
  update storage.uploads set size = size + bytes where id = upload_id;
  if upload_kind in ('stream', 'copy') then
    perform set_config('synchronous_commit', 'off', true);
  end if;
  return 'reserved';
end
$$;

-- Ends a reservation without a file; its blob is removed. False when it has ended before.
create or replace function storage.release_upload(upload_id uuid) returns boolean
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  ended storage.uploads;
begin
  perform from storage.buckets b
  where b.slug = (select u.bucket from storage.uploads u where u.id = upload_id)
  for no key update;
  delete from storage.uploads u where u.id = upload_id returning u.* into ended;
  if not found then
    return false;
  end if;
  update storage.buckets set reserved_bytes = reserved_bytes - ended.size where slug = ended.bucket;
  perform storage.discard_upload(ended);
  return true;
end
$$;

-- Makes a file of an upload whose bytes are durable. Outcomes:
-- created; replaced: the file with this key has the new version, and keeps its id and its owner;
-- repeated: this upload has made the file before; upload_missing: it has ended without a file, or another
-- upload has replaced that since; key_taken: the upload has ended, because a file is there and must not be
-- replaced by this uploader;
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
  if existing.id is not null
    and not storage.may_replace(existing, upload.upsert, uploader, upload.replaces)
  then
    update storage.buckets set reserved_bytes = reserved_bytes - upload.size where slug = upload.bucket;
    perform storage.discard_upload(upload);
    file := existing;
    outcome := 'key_taken';
    return next;
    return;
  end if;
  insert into storage.stored_files as f (
    id, bucket, key, version, size, media_type, visibility, owner_id, sha256, cache_control,
    user_metadata, upload_id, stored_key, driver
  ) values (
    upload.id, upload.bucket, upload.key, upload.version, commit_upload.size,
    coalesce(commit_upload.media_type, upload.media_type), upload.visibility, upload.owner_id,
    coalesce(commit_upload.sha256, upload.sha256), upload.cache_control, upload.user_metadata,
    upload.id, upload.key, upload.driver
  ) on conflict on constraint stored_files_bucket_key_key do update set
    version = excluded.version, size = excluded.size, media_type = excluded.media_type,
    visibility = excluded.visibility, sha256 = excluded.sha256, cache_control = excluded.cache_control,
    user_metadata = excluded.user_metadata, upload_id = excluded.upload_id,
    stored_key = excluded.stored_key, driver = excluded.driver, updated_at = now()
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

-- Ends reservations whose time is over and gives their number; called until it gives 0. Whatever receives
-- under a lease is left alone.
create or replace function storage.expire_uploads(max_uploads integer default 500) returns integer
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  slug_of_expired text;
  ended storage.uploads;
  ended_count integer := 0;
begin
  for slug_of_expired in
    select u.bucket from (
      select bucket from storage.uploads
      where expires_at <= now() and (leased_until is null or leased_until <= now())
      order by expires_at
      limit max_uploads
    ) u
    group by u.bucket
    order by u.bucket
  loop
    perform from storage.buckets where slug = slug_of_expired for no key update;
    for ended in
      delete from storage.uploads where id in (
        select id from storage.uploads
        where bucket = slug_of_expired and expires_at <= now()
          and (leased_until is null or leased_until <= now())
        order by expires_at
        limit max_uploads - ended_count
      )
      returning *
    loop
      update storage.buckets set reserved_bytes = reserved_bytes - ended.size where slug = ended.bucket;
      perform storage.discard_upload(ended);
      ended_count := ended_count + 1;
    end loop;
  end loop;
  return ended_count;
end
$$;

revoke all on function
  storage.discard_file, storage.discard_upload, storage.announce, storage.may_replace,
  storage.reserve_upload, storage.extend_upload, storage.release_upload, storage.commit_upload, storage.expire_uploads
from public;
grant execute on function
  storage.discard_file, storage.discard_upload, storage.announce, storage.may_replace,
  storage.reserve_upload, storage.extend_upload, storage.release_upload, storage.commit_upload, storage.expire_uploads
to platform_engine;
