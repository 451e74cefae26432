-- Mails and SMS on their way: a row is committed before the request that asked for it is answered, and stays until it
-- was sent and 14 days more. The values that the text is made of are sealed with the key of the project; they hold
-- codes and links, so they go when the message is sent or can no longer be.

create table if not exists platform.messages (
  -- A UUID of version 7: it grows with time.
  id pg_catalog.uuid primary key,
  channel pg_catalog.text not null check (channel in ('email', 'sms')),
  kind pg_catalog.text not null,
  recipient pg_catalog.text not null,
  sealed_values pg_catalog.text,
  -- `void` is a message to no account. It is written so that the answer costs the same, and the next look deletes it.
  status pg_catalog.text not null check (status in ('queued', 'sending', 'sent', 'failed', 'void')),
  attempts pg_catalog.int4 not null default 0,
  -- Of a queued message the time of its next try; while it is being sent, the time after which that try counts as lost.
  next_try_at pg_catalog.timestamptz,
  last_error pg_catalog.text,
  created_at pg_catalog.timestamptz not null default pg_catalog.now(),
  -- After it the code or the link is worth nothing; null: the message has none.
  expires_at pg_catalog.timestamptz,
  sent_at pg_catalog.timestamptz,
  check (status not in ('queued', 'sending') or (next_try_at is not null and sealed_values is not null))
);

create index if not exists messages_waiting_idx
  on platform.messages (next_try_at) where status in ('queued', 'sending', 'void');
create index if not exists messages_recipient_idx
  on platform.messages (pg_catalog.lower(recipient), id desc);
create index if not exists messages_created_at_idx on platform.messages (created_at);

grant select, insert, update, delete on platform.messages to platform_engine;
