-- Emptying a bucket is background work: a row for each bucket says what is to go, how far that is, and which process
-- does it. A process that dies leaves the row to the next one.

create table if not exists storage.emptyings (
  bucket text collate "C" primary key references storage.buckets (slug) on delete cascade,
  state text not null check (state in ('running', 'done')),
  -- Files that were there then are deleted.
  until timestamptz not null,
  total_files bigint not null,
  deleted_files bigint not null default 0,
  last_error text,
  leased_by uuid,
  leased_until timestamptz,
  started_at timestamptz not null default pg_catalog.now(),
  ended_at timestamptz
);

grant select, insert, update, delete on storage.emptyings to platform_engine;

-- Deletes up to `max_files` files of a bucket that were there at `until`, and returns how many it has deleted. Blobs
-- and messages of webhooks are written as by storage.delete_files, but for all files at once.
create or replace function storage.delete_some_files(bucket text, until timestamptz, max_files integer)
  returns integer
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  gone_files integer;
  gone_bytes bigint;
  has_webhooks boolean;
begin
  perform from storage.buckets b where b.slug = delete_some_files.bucket for no key update;
  has_webhooks := exists (
    select from storage.webhooks w
    where w.bucket = delete_some_files.bucket and w.active and 'deleted' = any (w.events)
  );
  with chosen as materialized (
    select f.id from storage.stored_files f
    where f.bucket = delete_some_files.bucket and f.created_at <= delete_some_files.until
    order by f.key
    limit max_files
  ), locked as materialized (
    select f.id from storage.stored_files f join chosen on chosen.id = f.id order by f.id for update of f
  ), gone as (
    delete from storage.stored_files f using locked where f.id = locked.id returning f
  ), discarded as (
    insert into storage.garbage as known (driver, version, bucket, stored_key, not_before)
    select (gone.f).driver, (gone.f).version, (gone.f).bucket, (gone.f).stored_key, now() + interval '60 s'
    from gone
    on conflict (driver, version) do update set not_before = excluded.not_before
  ), announced as (
    select storage.announce('deleted', gone.f) from gone where has_webhooks
  )
  select count(*), coalesce(sum((gone.f).size), 0), (select count(*) from announced)
  into gone_files, gone_bytes
  from gone;
  if gone_files > 0 then
    update storage.buckets b
    set used_bytes = b.used_bytes - gone_bytes, object_count = b.object_count - gone_files
    where b.slug = delete_some_files.bucket;
  end if;
  return gone_files;
end
$$;

revoke all on function storage.delete_some_files from public;
grant execute on function storage.delete_some_files to platform_engine;
