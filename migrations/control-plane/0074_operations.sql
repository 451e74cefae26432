-- Work on projects that has to come to its end: creations, deletions, migrations, sweeps and repairs of logins. A row
-- says how far the work is; jobs of the queue carry it out and try it again.
create table if not exists operation (
  id pg_catalog.int8 generated always as identity primary key,
  kind pg_catalog.text not null
    check (kind in ('create', 'delete', 'migrate', 'sweep', 'repair-logins')),
  -- Rows outlive the project, so nothing here refers to another table.
  ref pg_catalog.text not null,
  organization_id pg_catalog.text not null,
  state pg_catalog.text not null default 'waiting'
    check (state in ('waiting', 'running', 'failed', 'done', 'undone')),
  step pg_catalog.text,
  attempts pg_catalog.int4 not null default 0,
  last_error pg_catalog.text,
  since pg_catalog.timestamptz not null default pg_catalog.now(),
  -- After this time a further failure is shown as `failed`. It is tried again all the same.
  deadline pg_catalog.timestamptz not null,
  next_try_at pg_catalog.timestamptz not null default pg_catalog.now(),
  -- The attempt that has the work, and until when it counts as alive.
  owner pg_catalog.text,
  leased_until pg_catalog.timestamptz,
  finished_at pg_catalog.timestamptz
);
create unique index if not exists operation_open_idx on operation (kind, ref) where finished_at is null;
create index if not exists operation_due_idx on operation (next_try_at) where finished_at is null;
create index if not exists operation_owner_idx on operation (owner) where finished_at is null;
create index if not exists operation_finished_at_idx on operation (finished_at);

-- A deleted project is kept until `delete_at`, and returns to `status_before` when it is restored.
alter table project drop constraint if exists project_status_check;
alter table project add constraint project_status_check
  check (status in ('creating', 'active', 'paused', 'deleted', 'deleting'));
alter table project add column if not exists delete_at pg_catalog.timestamptz;
alter table project add column if not exists status_before pg_catalog.text
  check (status_before in ('active', 'paused'));
