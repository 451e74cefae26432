-- An organization groups projects and the operators who work on them.

create table if not exists organization (
  id text primary key,
  name text not null,
  slug text not null unique,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
