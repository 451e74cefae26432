-- One-row counters. schema_version is read in the lookup of every request: it moves with each change of
-- the catalog. settings_version moves with each save of a settings group.

create table if not exists platform.schema_version (
  is_only_row boolean primary key default true check (is_only_row),
  version bigint not null default 1
);
insert into platform.schema_version default values on conflict do nothing;

create table if not exists platform.settings_version (
  is_only_row boolean primary key default true check (is_only_row),
  version bigint not null default 1
);
insert into platform.settings_version default values on conflict do nothing;

grant select on platform.schema_version to platform_engine;
grant select, update on platform.settings_version to platform_engine;
