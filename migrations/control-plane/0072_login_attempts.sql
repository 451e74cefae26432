-- When the worker last tried to restore the logins of the project; null: never. Projects tried longest ago come first,
-- so that one whose logins are locked delays no other.
alter table project add column if not exists logins_tried_at pg_catalog.timestamptz;
