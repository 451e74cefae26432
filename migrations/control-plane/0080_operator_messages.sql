-- Mails to operators on their way. The row is written in the transaction of its invitation and ends with it. The values
-- that the text is made of are sealed with the master key: they hold the link, so they go when the mail is sent.
create table if not exists operator_message (
  invitation_id pg_catalog.text primary key references operator_invitation (id) on delete cascade,
  recipient pg_catalog.text not null,
  sealed_values pg_catalog.text,
  status pg_catalog.text not null default 'queued'
    check (status in ('queued', 'sending', 'sent', 'failed')),
  attempts pg_catalog.int4 not null default 0,
  last_error pg_catalog.text,
  -- When the next try of a queued mail is due.
  next_try_at pg_catalog.timestamptz not null default pg_catalog.now(),
  -- While a mail is being sent, the time after which that try counts as lost.
  leased_until pg_catalog.timestamptz,
  created_at pg_catalog.timestamptz not null default pg_catalog.now(),
  sent_at pg_catalog.timestamptz,
  check (status not in ('queued', 'sending') or sealed_values is not null),
  check (status <> 'sending' or leased_until is not null)
);
create index if not exists operator_message_waiting_idx
  on operator_message (next_try_at) where status in ('queued', 'sending');
