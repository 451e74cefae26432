-- The releases that have been started on this deployment, in this order. A release finds here whether it can serve a
-- project that another one has upgraded.
create table if not exists project_release (
  hash pg_catalog.text primary key,
  started pg_catalog.int8 generated always as identity,
  -- The migrations of projects that it knows.
  knows pg_catalog.text[] not null,
  -- Those that a release must know to serve a project that was brought to this one.
  requires pg_catalog.text[] not null,
  -- When a process of it was started, or its worker made its hourly round.
  seen_at pg_catalog.timestamptz not null default pg_catalog.now()
);

-- The release that an upgrade has begun to bring the project to. Null when none is under way.
alter table project add column if not exists migrating_to pg_catalog.text;
-- The project is upgraded by `rowhouse upgrade` alone: an upgrade of it was taken back.
alter table project add column if not exists upgrade_held pg_catalog.bool not null default false;
