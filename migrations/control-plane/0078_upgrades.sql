-- Upgrades by `rowhouse upgrade`: one project, then the fleet in waves.
alter table operation drop constraint if exists operation_kind_check;
alter table operation add constraint operation_kind_check
  check (kind in ('create', 'delete', 'migrate', 'upgrade', 'sweep', 'repair-logins'));

-- The snapshot that an upgrade under way returns to. No login of the project may connect while it is set.
alter table project add column if not exists upgrading pg_catalog.text;

-- Copies of the databases of projects from before an upgrade. Rows outlive the project, so nothing refers to it.
create table if not exists project_snapshot (
  database pg_catalog.text primary key,
  ref pg_catalog.text not null,
  -- The release that the copy belongs to.
  migrated_to pg_catalog.text not null,
  taken_at pg_catalog.timestamptz not null default pg_catalog.now(),
  -- Whether the upgrade went well. Else the snapshot is put back.
  is_kept pg_catalog.bool not null default false
);
create index if not exists project_snapshot_ref_idx on project_snapshot (ref);

create table if not exists upgrade_run (
  id pg_catalog.int8 generated always as identity primary key,
  release pg_catalog.text not null,
  with_snapshots pg_catalog.bool not null,
  -- How many projects the run began with: waves are shares of them.
  total pg_catalog.int4 not null,
  -- The wave that is under way or comes next, and how far it is.
  wave pg_catalog.int4 not null default 1,
  attempted pg_catalog.int4 not null default 0,
  failed pg_catalog.int4 not null default 0,
  state pg_catalog.text not null default 'open' check (state in ('open', 'stopped', 'done')),
  started_at pg_catalog.timestamptz not null default pg_catalog.now(),
  ended_at pg_catalog.timestamptz
);
