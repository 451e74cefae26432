-- Queries that operators and administrators keep in the SQL editor. The text is the platform's own: the project's code
-- reads none of it.

create table if not exists platform.saved_queries (
  id pg_catalog.uuid primary key default pg_catalog.gen_random_uuid(),
  -- An operator, a user of the project, or the secret key.
  author_kind pg_catalog.text not null check (author_kind in ('operator', 'user', 'secret-key')),
  -- Empty for the secret key, which all of its holders share.
  author_id pg_catalog.text not null,
  author_email pg_catalog.text,
  name pg_catalog.text not null,
  sql pg_catalog.text not null,
  is_shared pg_catalog.bool not null default false,
  created_at pg_catalog.timestamptz not null default pg_catalog.now(),
  updated_at pg_catalog.timestamptz not null default pg_catalog.now()
);

create index if not exists saved_queries_author_idx
  on platform.saved_queries (author_kind, author_id);
create index if not exists saved_queries_shared_idx on platform.saved_queries (id) where is_shared;

grant select, insert, update, delete on platform.saved_queries to platform_engine;
