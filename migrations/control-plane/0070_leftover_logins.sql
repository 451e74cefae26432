-- Logins of deleted projects that could not be dropped yet, because a neighbour keeps a lock on something that it has
-- granted to them. The worker drops them later.
create table if not exists leftover_logins (
  database_id pg_catalog.text primary key,
  left_at pg_catalog.timestamptz not null default pg_catalog.now()
);
