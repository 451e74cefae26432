-- What policies ask about the caller. Claims are set for one transaction by the lookup of the request.

create or replace function auth.jwt() returns jsonb
  language sql stable parallel safe
  return nullif(pg_catalog.current_setting('request.jwt.claims', true), '')::jsonb;

create or replace function auth.role() returns text
  language sql stable parallel safe
  return auth.jwt() ->> 'role';

create or replace function auth.email() returns text
  language sql stable parallel safe
  return auth.jwt() ->> 'email';

-- The caller's id in the id type of the project; null for a signed-out caller and, in a project of
-- uuids, for a subject that is not one.
create or replace function auth.try_uuid(value text) returns uuid
  language sql immutable parallel safe
  return case
    when value operator(pg_catalog.~) '^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$'
    then value::uuid
  end;

-- The subject has a setting of its own, because reading it out of all claims costs more than most policies.
create or replace function auth.subject() returns text
  language sql stable parallel safe
  return coalesce(
    nullif(pg_catalog.current_setting('request.jwt.claim.sub', true), ''),
    nullif(pg_catalog.current_setting('request.jwt.claims', true), '')::json ->> 'sub'
  );

do $$
begin
  if '{{user_id}}' = 'uuid' then
    create or replace function auth.uid() returns uuid
      language sql stable parallel safe
      return auth.try_uuid(auth.subject());
  else
    create or replace function auth.uid() returns text
      language sql stable parallel safe
      return auth.subject();
  end if;
end
$$;

-- Ends a request from inside its lookup: `PT` and a status is how a statement names an HTTP status.
create or replace function auth.deny(status text, reason text) returns text
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception '%', reason using errcode = 'PT' || status;
end
$$;
