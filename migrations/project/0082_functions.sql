-- Edge functions: code of the project that answers HTTP requests. The engine alone reaches these tables.

create table if not exists platform.edge_functions (
  slug pg_catalog.text primary key,
  name pg_catalog.text not null,
  route pg_catalog.text not null unique,
  -- Whether callers without a credential may invoke it, where the deployment permits that.
  is_public pg_catalog.bool not null default false,
  active_version pg_catalog.int4 not null,
  created_at pg_catalog.timestamptz not null default pg_catalog.now(),
  updated_at pg_catalog.timestamptz not null default pg_catalog.now()
);

-- The last number of each slug. It survives the function, so that no number ever means other code.
create table if not exists platform.edge_function_numbers (
  slug pg_catalog.text primary key,
  last_version pg_catalog.int4 not null
);

create table if not exists platform.edge_function_versions (
  slug pg_catalog.text not null references platform.edge_functions (slug) on delete cascade,
  version pg_catalog.int4 not null,
  entrypoint pg_catalog.text not null,
  -- Texts by path.
  files pg_catalog.jsonb not null,
  -- The lock file of its imports.
  lock pg_catalog.text not null,
  created_at pg_catalog.timestamptz not null default pg_catalog.now(),
  created_by pg_catalog.text not null,
  primary key (slug, version)
);

create table if not exists platform.edge_function_secrets (
  name pg_catalog.text primary key,
  -- Sealed with the key of the project.
  value pg_catalog.text not null,
  updated_at pg_catalog.timestamptz not null default pg_catalog.now()
);

-- Grows with every change of the secrets: running functions then end.
create table if not exists platform.edge_function_secrets_version (
  is_only pg_catalog.bool primary key default true check (is_only),
  version pg_catalog.int8 not null default 0
);
insert into platform.edge_function_secrets_version default values on conflict do nothing;

create table if not exists platform.edge_function_tokens (
  id pg_catalog.uuid primary key default pg_catalog.gen_random_uuid(),
  name pg_catalog.text not null,
  -- SHA-256.
  hash pg_catalog.bytea not null unique,
  -- The last four characters.
  hint pg_catalog.text not null,
  -- Slugs; null: all functions.
  functions pg_catalog.text[],
  created_at pg_catalog.timestamptz not null default pg_catalog.now(),
  last_used_at pg_catalog.timestamptz,
  revoked_at pg_catalog.timestamptz
);

create table if not exists platform.edge_function_logs (
  id pg_catalog.int8 generated always as identity primary key,
  slug pg_catalog.text not null,
  version pg_catalog.int4 not null,
  request_id pg_catalog.text,
  level pg_catalog.text not null,
  message pg_catalog.text not null,
  at pg_catalog.timestamptz not null
);
create index if not exists edge_function_logs_slug_idx on platform.edge_function_logs (slug, id);
create index if not exists edge_function_logs_request_idx
  on platform.edge_function_logs (request_id, id);
create index if not exists edge_function_logs_at_idx on platform.edge_function_logs (at);

create table if not exists platform.edge_function_invocations (
  id pg_catalog.int8 generated always as identity primary key,
  slug pg_catalog.text not null,
  version pg_catalog.int4 not null,
  request_id pg_catalog.text not null,
  method pg_catalog.text not null,
  path pg_catalog.text not null,
  status pg_catalog.int4 not null,
  -- Of the error, if the function has not answered.
  code pg_catalog.text,
  duration_ms pg_catalog.float8 not null,
  cpu_ms pg_catalog.float8 not null,
  memory_kb pg_catalog.int8 not null,
  is_cold_start pg_catalog.bool not null,
  -- The id of a user, or the kind of the credential.
  caller pg_catalog.text,
  at pg_catalog.timestamptz not null
);
create index if not exists edge_function_invocations_slug_idx
  on platform.edge_function_invocations (slug, id);
create index if not exists edge_function_invocations_request_idx
  on platform.edge_function_invocations (request_id, id);
create index if not exists edge_function_invocations_at_idx
  on platform.edge_function_invocations (at);

grant select, insert, update, delete on
  platform.edge_functions,
  platform.edge_function_numbers,
  platform.edge_function_versions,
  platform.edge_function_secrets,
  platform.edge_function_secrets_version,
  platform.edge_function_tokens,
  platform.edge_function_logs,
  platform.edge_function_invocations
to platform_engine;
