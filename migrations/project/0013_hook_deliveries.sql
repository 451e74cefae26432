-- Every call of an auth hook, and the outbox of those that are made in the background: a row is there before
-- the first try and stays pending until a try succeeds or the last one has failed. Payloads are without
-- codes, tokens and links.

create table if not exists platform.hook_deliveries (
  id bigint generated always as identity primary key,
  hook text not null check (hook in ('signUp', 'accessToken', 'send', 'events')),
  event_id text not null,
  target text not null,
  status text not null check (status in ('succeeded', 'failed', 'pending', 'dead')),
  attempts integer not null default 0,
  response_status integer,
  error text,
  duration_ms integer,
  payload jsonb not null,
  next_attempt_at timestamptz,
  created_at timestamptz not null default now(),
  check (status <> 'pending' or next_attempt_at is not null)
);

create index if not exists hook_deliveries_pending_idx
  on platform.hook_deliveries (next_attempt_at) where status = 'pending';
create index if not exists hook_deliveries_created_idx on platform.hook_deliveries (created_at);

grant select, insert, update, delete on platform.hook_deliveries to platform_engine;
