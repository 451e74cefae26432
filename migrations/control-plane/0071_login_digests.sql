-- What the logins of a project were when the platform last set their passwords: a login may change its own, and the
-- worker compares. Null: not noted yet.
alter table project add column if not exists login_digest pg_catalog.text;
