-- Background work of storage: moving all blobs of a project from one driver to another, and finding blobs
-- that nobody knows.

-- The last move, which goes on for as long as its state is running, in whichever process holds the lease.
-- Files up to the cursor have been dealt with in this pass. Failures counts files by the reason for which
-- they stayed.
create table if not exists storage.relocations (
  only_row boolean primary key default true check (only_row),
  state text not null check (state in ('running', 'stopped', 'done', 'failed')),
  from_driver text not null check (from_driver in ('local', 's3')),
  to_driver text not null check (to_driver in ('local', 's3') and to_driver <> from_driver),
  moved_files bigint not null default 0,
  moved_bytes bigint not null default 0,
  total_files bigint not null,
  total_bytes bigint not null,
  failed_files bigint not null default 0,
  failures jsonb not null default '{}',
  cursor uuid,
  last_error text,
  leased_by uuid,
  leased_until timestamptz,
  started_at timestamptz not null default now(),
  ended_at timestamptz
);

grant select, insert, update, delete on storage.relocations to platform_engine;

-- Puts those of the blobs that no row knows on the list of what is removed, and gives their number. What a
-- move has copied is known by nothing until the file is there; the lock keeps a move from beginning meanwhile.
create or replace function storage.claim_orphans(
  driver text, versions uuid[], buckets text[], stored_keys text[]
) returns integer
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  claimed integer;
begin
  lock table storage.relocations in share mode;
  insert into storage.garbage (driver, version, bucket, stored_key, not_before)
  select claim_orphans.driver, blob.version, blob.bucket, blob.stored_key, now()
  from unnest(versions, buckets, stored_keys) as blob (version, bucket, stored_key)
  where not exists (select from storage.uploads u where u.version = blob.version)
    and not exists (
      select from storage.stored_files f
      where f.version = blob.version and (
        f.driver = claim_orphans.driver
        or exists (select from storage.relocations r where r.state = 'running')
      )
    )
  on conflict do nothing;
  get diagnostics claimed = row_count;
  return claimed;
end
$$;

revoke all on function storage.claim_orphans from public;
grant execute on function storage.claim_orphans to platform_engine;
