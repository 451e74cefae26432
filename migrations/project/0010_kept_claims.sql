-- What the lookup of a request needs of a user, kept ready in the row: building it for every request costs
-- more than finding the session does. It is the text of a JSON object without its last brace; the lookup
-- adds what belongs to the session.

create or replace function auth.keep_claims() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  new.claims := left(json_build_object(
    'sub', new.id,
    'role', 'authenticated',
    'user_role', new.role,
    'email', new.email,
    'is_anonymous', new."isAnonymous",
    'app_metadata', new.app_metadata,
    'user_metadata', new.user_metadata
  )::text, -1);
  return new;
end
$$;

create or replace trigger keep_claims before insert or update on auth."user"
  for each row execute function auth.keep_claims();

-- The claims of an active organization and team, as far as the membership is there now; null for none.
-- It runs as its owner, so that the role of requests reads no table of memberships.
create or replace function auth.membership_claims(
  member_id {{user_id}}, organization_id text, team_id text
) returns text
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  found text;
begin
  select left(substr(json_build_object(
    'org_id', member."organizationId",
    'org_role', member.role,
    'team_id', team.id
  )::text, 2), -1) into found
  from auth.member
  left join auth."teamMember" on "teamMember"."teamId" = team_id and "teamMember"."userId" = member_id
  left join auth.team on team.id = "teamMember"."teamId" and team."organizationId" = organization_id
  where member."organizationId" = organization_id and member."userId" = member_id;
  return found;
end
$$;

revoke all on function auth.keep_claims(), auth.membership_claims({{user_id}}, text, text) from public;
