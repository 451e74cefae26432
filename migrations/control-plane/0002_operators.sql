-- Operators and what the auth engine keeps of them (libs/control-plane/src/operators/operator-auth.ts
-- maps its models to these names).
create table if not exists operator (
  id text primary key,
  email text not null check (email = lower(email)),
  name text not null default '',
  image text,
  email_verified boolean not null default false,
  status text not null default 'active' check (status in ('active', 'disabled')),
  is_deployment_admin boolean not null default false,
  must_change_password boolean not null default false,
  two_factor_enabled boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index if not exists operator_email_key on operator (email);

create table if not exists operator_account (
  id text primary key,
  operator_id text not null references operator on delete cascade,
  provider_id text not null,
  account_id text not null,
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index if not exists operator_account_provider_key
  on operator_account (provider_id, account_id);
create index if not exists operator_account_operator on operator_account (operator_id);

create table if not exists operator_session (
  id text primary key,
  operator_id text not null references operator on delete cascade,
  token text not null,
  ip text,
  user_agent text,
  expires_at timestamptz not null,
  last_seen_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index if not exists operator_session_token_key on operator_session (token);
create index if not exists operator_session_operator on operator_session (operator_id);
create index if not exists operator_session_expires on operator_session (expires_at);
