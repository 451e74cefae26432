-- A project whose database has not changed since its last sweep, and where nothing is due for some days, is swept
-- without a connection to its database.
alter table project
  -- What the server has counted in the database before its last sweep.
  add column if not exists quiet_mark text,
  -- Until when nothing becomes due there without a change.
  add column if not exists quiet_until timestamptz;
