-- Files: what is stored, what is reserved for uploads, what is to be removed, and who hears of it.
--
-- The rows of files are in storage.stored_files. Its parent storage.files is the same rows as callers and
-- policies meet them: row level security of a parent covers the rows of its children when the parent is
-- named, and nothing that hangs on a parent is run when the child is named. The platform names the child
-- only, so no policy, default or trigger of a project is ever run with the rights of the platform.
--
-- Bytes are stored under an immutable version: a file that is replaced gets another one.

-- Schemas of this name that projects have made for themselves make room.
do $$
begin
  if exists (
    select from pg_namespace join pg_roles on pg_roles.oid = nspowner
    where nspname = 'storage' and not rolsuper
  ) then
    alter schema storage rename to own_storage;
  end if;
end
$$;

create schema if not exists storage;
revoke all on schema storage from public;
grant usage on schema storage to anon, authenticated, service_role, platform_engine;

-- A slug is part of addresses and of the names under which bytes are stored, so it never changes. Slugs that
-- begin with `_` are the platform's. Half-empty pages keep the changes of counters on their page.
create table if not exists storage.buckets (
  slug text collate "C" primary key check (slug ~ '^_?[a-z0-9][a-z0-9_-]{0,62}$'),
  name text not null,
  public boolean not null default false,
  quota_bytes bigint check (quota_bytes >= 0),
  max_file_bytes bigint check (max_file_bytes >= 0),
  allowed_media_types text[],
  cors jsonb not null default '[]',
  used_bytes bigint not null default 0 check (used_bytes >= 0),
  reserved_bytes bigint not null default 0 check (reserved_bytes >= 0),
  object_count bigint not null default 0 check (object_count >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
) with (fillfactor = 50);

-- Uploads that name no bucket go to one of these.
insert into storage.buckets (slug, name, public)
values ('_public', 'Public files without a bucket', true), ('_private', 'Private files without a bucket', false)
on conflict do nothing;

-- Never has rows of its own.
create table if not exists storage.files (
  id uuid not null default gen_random_uuid(),
  bucket text collate "C" not null,
  key text collate "C" not null,
  version uuid not null default gen_random_uuid(),
  size bigint not null default 0 check (size >= 0),
  media_type text not null default 'application/octet-stream',
  visibility text not null default 'private' check (visibility in ('public', 'private')),
  owner_id {{user_id}},
  sha256 bytea check (length(sha256) = 32),
  cache_control text,
  user_metadata jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- stored_key is the key under which the bytes were stored: moving a file does not move them. upload_id is
-- the upload that brought the version. Files of a deleted user stay, without an owner; see forget_owner.
create table if not exists storage.stored_files (
  upload_id uuid not null,
  stored_key text collate "C" not null,
  driver text not null check (driver in ('local', 's3')),
  primary key (id),
  unique (bucket, key),
  unique (upload_id),
  unique (version),
  foreign key (bucket) references storage.buckets (slug)
) inherits (storage.files);
create index if not exists stored_files_owner_id_idx on storage.stored_files (owner_id, id);

-- Reservations. The id becomes that of the file, unless the upload replaces a file, which keeps its own.
-- Uploads in parts hold a lease while they receive, so that two requests never write to one blob. `replaces` is
-- the file that the uploader was allowed to change when the upload began; it matters where there is an owner.
-- A foreign owner is a user of another issuer, who has no row here.
create table if not exists storage.uploads (
  id uuid primary key,
  bucket text collate "C" not null references storage.buckets (slug),
  key text collate "C" not null,
  version uuid not null unique,
  driver text not null check (driver in ('local', 's3')),
  kind text not null check (kind in ('stream', 'presign', 'tus', 'copy')),
  size bigint not null check (size >= 0),
  received_bytes bigint not null default 0 check (received_bytes >= 0),
  media_type text not null,
  visibility text not null check (visibility in ('public', 'private')),
  owner_id {{user_id}},
  upsert boolean not null,
  replaces uuid,
  is_owner_foreign boolean not null default false,
  sha256 bytea check (length(sha256) = 32),
  cache_control text,
  user_metadata jsonb not null default '{}',
  driver_state jsonb,
  leased_by uuid,
  leased_until timestamptz,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index if not exists uploads_expires_at_idx on storage.uploads (expires_at);
create index if not exists uploads_bucket_idx on storage.uploads (bucket);

-- Blobs to remove. What a presigned URL may still bring after its end is removed more than once.
create table if not exists storage.garbage (
  driver text not null check (driver in ('local', 's3')),
  version uuid not null,
  bucket text collate "C" not null,
  stored_key text collate "C" not null,
  removals integer not null default 1 check (removals > 0),
  attempts integer not null default 0,
  last_error text,
  not_before timestamptz not null,
  created_at timestamptz not null default now(),
  primary key (driver, version)
);
create index if not exists garbage_not_before_idx on storage.garbage (not_before);

create table if not exists storage.access_tokens (
  id uuid primary key default gen_random_uuid(),
  bucket text collate "C" not null references storage.buckets (slug) on delete cascade,
  name text not null,
  kind text not null check (kind in ('write', 'read', 'delete')),
  token_hash bytea not null unique check (length(token_hash) = 32),
  start text not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  created_by text
);
create index if not exists access_tokens_bucket_idx on storage.access_tokens (bucket);

-- Secrets are sealed by the platform before they are written.
create table if not exists storage.webhooks (
  id uuid primary key default gen_random_uuid(),
  bucket text collate "C" not null references storage.buckets (slug) on delete cascade,
  url text not null,
  events text[] not null default array['uploaded']
    check (events <@ array['uploaded', 'copied', 'moved', 'deleted'] and cardinality(events) > 0),
  secret text not null,
  previous_secret text,
  previous_secret_until timestamptz,
  active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index if not exists webhooks_bucket_idx on storage.webhooks (bucket);

create table if not exists storage.webhook_outbox (
  id uuid primary key default gen_random_uuid(),
  webhook_id uuid not null references storage.webhooks (id) on delete cascade,
  event text not null,
  payload jsonb not null,
  status text not null default 'pending' check (status in ('pending', 'succeeded', 'dead')),
  attempts integer not null default 0,
  next_attempt_at timestamptz default now(),
  last_status integer,
  last_error text,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  check (status <> 'pending' or next_attempt_at is not null)
);
-- Webhooks are served one beside the other, so that one that is slow or off keeps none of the others waiting.
create index if not exists webhook_outbox_due_idx
  on storage.webhook_outbox (webhook_id, next_attempt_at) where status = 'pending';
create index if not exists webhook_outbox_webhook_id_idx on storage.webhook_outbox (webhook_id, created_at);

grant select, insert, update, delete on
  storage.buckets, storage.stored_files, storage.uploads, storage.garbage, storage.access_tokens,
  storage.webhooks, storage.webhook_outbox
to platform_engine;

-- Files are locked by their ids, like everywhere. A foreign key would lock them in any order.
create or replace function storage.forget_owner() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform from storage.stored_files where owner_id = old.id order by id for no key update;
  update storage.stored_files set owner_id = null where owner_id = old.id;
  return null;
end
$$;

create or replace trigger forget_owner after delete on auth."user"
  for each row execute function storage.forget_owner();

revoke all on function storage.forget_owner() from public;
