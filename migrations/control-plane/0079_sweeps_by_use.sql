-- The hourly round sweeps projects that were used since their last sweep, and the others once a day.
alter table project
  add column if not exists used_at timestamptz not null default pg_catalog.now(),
  add column if not exists swept_at timestamptz;
