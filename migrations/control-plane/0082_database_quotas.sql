-- Limits on the size of databases. Null: what the deployment gives to each project.
alter table project
  add column if not exists database_quota_bytes pg_catalog.int8 check (database_quota_bytes >= 0),
  -- Since when the database is above its limit and takes no writes, and its size at that time; null: it is not.
  add column if not exists database_full_since pg_catalog.timestamptz,
  add column if not exists database_full_bytes pg_catalog.int8;
