-- Failures per account and per network address within a window; the lock-out is read from here.
create table if not exists operator_attempt (
  key text primary key,
  attempts integer not null,
  window_ends_at timestamptz not null
);
create index if not exists operator_attempt_window on operator_attempt (window_ends_at);
