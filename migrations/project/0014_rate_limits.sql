-- Uses of rate-limited keys in their window, for all processes that serve the project. Nothing here is worth
-- keeping over a crash, so the table writes no log. A key is a hash: no address of a user is in it.

create unlogged table if not exists auth.rate_limit (
  key text primary key,
  uses integer not null,
  ends_at timestamptz not null
) with (fillfactor = 50);

-- For the sweep of ended windows. Counting does not move ends_at, so that it needs no new index entry.
create index if not exists rate_limit_ends_at_idx on auth.rate_limit (ends_at);

grant select, insert, update, delete on auth.rate_limit to platform_engine;
