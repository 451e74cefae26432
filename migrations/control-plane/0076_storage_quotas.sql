-- The most that the files of a project may hold together, in bytes. Null: what the deployment gives to each project.
alter table project add column if not exists storage_quota_bytes bigint check (storage_quota_bytes >= 0);
