-- API keys of users: a key is found by its hash alone, and ends with its user.

create unique index if not exists apikey_key_key on auth.apikey (key);
drop index if exists auth.apikey_key_idx;

-- The user that a key belongs to is named as text, so no foreign key can do this. It runs as its owner,
-- because whoever deletes users may touch nothing else.
create or replace function auth.delete_api_keys() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  delete from auth.apikey where "referenceId" = old.id::text;
  return null;
end
$$;

create or replace trigger delete_api_keys after delete on auth."user"
  for each row execute function auth.delete_api_keys();

revoke all on function auth.delete_api_keys() from public;
