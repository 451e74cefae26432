-- Tests of policies: a request that is tried as a caller, and what must come of it. They are run by operators, by
-- administrators, and by the command `rowhouse test policies`.

create table if not exists platform.policy_tests (
  id pg_catalog.uuid primary key default pg_catalog.gen_random_uuid(),
  name pg_catalog.text not null unique check (name operator(pg_catalog.<>) ''),
  -- As whom, what, and what is expected, in the words of the API.
  caller pg_catalog.jsonb not null,
  request pg_catalog.jsonb not null,
  expectation pg_catalog.jsonb not null,
  created_at pg_catalog.timestamptz not null default pg_catalog.now(),
  updated_at pg_catalog.timestamptz not null default pg_catalog.now()
);

grant select, insert, update, delete on platform.policy_tests to platform_engine;
