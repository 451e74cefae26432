-- The versions of each settings group: what was stored before and after a change. Secrets are not part of it, only the
-- paths of those that have changed. The audit log has the values that were in force, and does not separate stored values
-- from those of the environment, so it cannot be returned to.

create table if not exists platform.settings_history (
  id pg_catalog.int8 generated always as identity primary key,
  name pg_catalog.text not null,
  at pg_catalog.timestamptz not null default pg_catalog.now(),
  actor_kind pg_catalog.text not null,
  actor_id pg_catalog.text,
  actor_email pg_catalog.text,
  action pg_catalog.text not null check (action in ('save', 'revert', 'restore')),
  -- The version that a `restore` has returned to.
  restored_id pg_catalog.int8,
  -- Null: the group was not stored.
  before pg_catalog.jsonb,
  after pg_catalog.jsonb,
  -- The paths of the secrets that have another value after the change.
  changed_secrets pg_catalog.text[] not null
);
create index if not exists settings_history_name_idx on platform.settings_history (name, id desc);

grant select, insert, delete on platform.settings_history to platform_engine;
