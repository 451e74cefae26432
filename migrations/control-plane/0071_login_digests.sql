-- Digest of the passwords and settings that the platform last gave the logins of the project; null: not computed yet.
alter table project add column if not exists login_digest pg_catalog.text;
