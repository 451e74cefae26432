-- The second factor of an operator, pending challenges and trusted devices (both are rows of
-- operator_verification), and the codes that were tried lately, so that none is tried twice.
create table if not exists operator_two_factor (
  id text primary key,
  operator_id text not null references operator on delete cascade,
  secret text not null,
  backup_codes text not null,
  verified boolean not null default false,
  failed_verification_count integer not null default 0,
  locked_until timestamptz
);
create unique index if not exists operator_two_factor_operator_key
  on operator_two_factor (operator_id);

create table if not exists operator_verification (
  id text primary key,
  identifier text not null,
  value text not null,
  user_agent text,
  ip text,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index if not exists operator_verification_identifier on operator_verification (identifier);
create index if not exists operator_verification_value on operator_verification (value);
create index if not exists operator_verification_expires on operator_verification (expires_at);

create table if not exists operator_tried_code (
  operator_id text not null references operator on delete cascade,
  code text not null,
  tried_at timestamptz not null default now(),
  primary key (operator_id, code)
);
