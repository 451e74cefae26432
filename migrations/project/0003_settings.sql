-- Stored settings groups and the audit of what changed inside this project. Secret fields of a value are
-- sealed by the platform before they are written.

create table if not exists platform.app_settings (
  name text primary key,
  value jsonb not null,
  updated_at timestamptz not null default now(),
  updated_by text
);

create table if not exists platform.audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor_kind text not null,
  actor_id text,
  actor_email text,
  action text not null,
  target text not null,
  before jsonb,
  after jsonb,
  ip text,
  request_id text
);
create index if not exists audit_log_target_idx on platform.audit_log (target, id desc);

grant select, insert, update, delete on platform.app_settings to platform_engine;
grant select, insert on platform.audit_log to platform_engine;
