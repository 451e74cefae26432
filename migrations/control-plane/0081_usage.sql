-- What projects were used for. Processes add their counts of each minute; there is a row only where something was counted.
create table if not exists project_usage_minute (
  project_ref pg_catalog.text not null references project (ref) on delete cascade,
  at pg_catalog.timestamptz not null,
  requests pg_catalog.int8 not null,
  client_errors pg_catalog.int8 not null,
  server_errors pg_catalog.int8 not null,
  bytes_received pg_catalog.int8 not null,
  bytes_sent pg_catalog.int8 not null,
  sign_ins pg_catalog.int8 not null,
  connections pg_catalog.int4 not null,
  -- Requests by their time: one count for each bound (libs/wire/src/usage.ts), and one for slower ones.
  latency pg_catalog.int8[] not null,
  primary key (project_ref, at)
);
create index if not exists project_usage_minute_at_idx on project_usage_minute (at);

-- The same by day (UTC), kept longer.
create table if not exists project_usage_day (
  like project_usage_minute including constraints,
  primary key (project_ref, at),
  foreign key (project_ref) references project (ref) on delete cascade
);

-- What the database and the files of a project took when they were last measured.
alter table project
  add column if not exists database_bytes pg_catalog.int8,
  add column if not exists storage_bytes pg_catalog.int8,
  add column if not exists measured_at pg_catalog.timestamptz;
