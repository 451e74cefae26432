-- What holds for organizations whichever way a row comes: through the auth engine, a sign-in by SSO, an
-- import or SQL. Limits are exact because each of them is counted under the lock of the row that it belongs
-- to. Refusals carry the name of a constraint, by which the auth engine knows them.
--
-- A user that is deleted leaves its organizations behind, also those that it alone owned: their members and
-- what belongs to them are not the user's to take along. Who owns such an organization from then on is
-- decided by an administrator of the project.

-- Who created an organization, for the limit on organizations of a user. Roles may change hands.
alter table auth.organization add column if not exists "creatorId" {{user_id}}
  references auth."user" (id) on delete set null;
create index if not exists organization_creator_id_idx on auth.organization ("creatorId");

alter table auth.member drop constraint if exists member_role_check;
alter table auth.member add constraint member_role_check
  check (role in ('owner', 'admin', 'member')) not valid;
alter table auth.invitation drop constraint if exists invitation_role_check;
alter table auth.invitation add constraint invitation_role_check
  check (role in ('owner', 'admin', 'member')) not valid;

-- A limit of the settings group auth.organization; 0 for none. It is read where it is stored, so that a
-- saved limit holds for every process at once and no order of rebuilds can bring an older one back.
create or replace function auth.organization_limit(field text) returns integer
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select coalesce((
    select case
      when jsonb_typeof(value -> field) = 'number'
      then least(greatest((value ->> field)::numeric, 0), 1000000)::integer
    end
    from platform.app_settings
    where name = 'auth.organization'
  ), 0)
$$;

create or replace function auth.limit_members() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  max_members integer := auth.organization_limit('maxMembers');
begin
  if max_members = 0 then
    return new;
  end if;
  perform from auth.organization where id = new."organizationId" for no key update;
  if (select count(*) from auth.member where "organizationId" = new."organizationId") >= max_members then
    raise exception 'the organization is full'
      using errcode = 'check_violation', constraint = 'member_limit';
  end if;
  return new;
end
$$;

create or replace trigger limit_members before insert on auth.member
  for each row execute function auth.limit_members();
create or replace trigger limit_moved_members before update of "organizationId" on auth.member
  for each row when (new."organizationId" <> old."organizationId")
  execute function auth.limit_members();

create or replace function auth.limit_organizations() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  max_organizations integer := auth.organization_limit('maxOrganizations');
begin
  if max_organizations = 0 then
    return new;
  end if;
  perform from auth."user" where id = new."creatorId" for no key update;
  if (select count(*) from auth.organization where "creatorId" = new."creatorId") >= max_organizations then
    raise exception 'the user has created as many organizations as it may'
      using errcode = 'check_violation', constraint = 'organization_limit';
  end if;
  return new;
end
$$;

create or replace trigger limit_organizations before insert on auth.organization
  for each row when (new."creatorId" is not null)
  execute function auth.limit_organizations();

create or replace function auth.limit_teams() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  max_teams integer := auth.organization_limit('maxTeams');
begin
  if max_teams = 0 then
    return new;
  end if;
  perform from auth.organization where id = new."organizationId" for no key update;
  if (select count(*) from auth.team where "organizationId" = new."organizationId") >= max_teams then
    raise exception 'the organization has as many teams as it may'
      using errcode = 'check_violation', constraint = 'team_limit';
  end if;
  return new;
end
$$;

create or replace trigger limit_teams before insert on auth.team
  for each row execute function auth.limit_teams();

-- The last owner stays one. It is decided when the transaction ends, so that owners can be exchanged and
-- organizations deleted; whoever goes with its account or with the organization itself may go.
create or replace function auth.keep_owner() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform from auth.organization where id = old."organizationId" for no key update;
  if not found
    or not exists (select from auth."user" where id = old."userId")
    or exists (
      select from auth.member where "organizationId" = old."organizationId" and role = 'owner'
    )
  then
    return null;
  end if;
  raise exception 'an organization keeps at least one owner'
    using errcode = 'check_violation', constraint = 'organization_owner';
end
$$;

drop trigger if exists keep_owner on auth.member;
create constraint trigger keep_owner after update or delete on auth.member
  deferrable initially deferred
  for each row when (old.role = 'owner') execute function auth.keep_owner();

-- What was given with a membership ends with it: teams, the active organization of sessions, and
-- invitations that are still open. Otherwise whoever is removed could come back by one of its own.
create or replace function auth.end_membership() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  delete from auth."teamMember"
  where "userId" = old."userId"
    and "teamId" in (select id from auth.team where "organizationId" = old."organizationId");
  update auth.session set "activeOrganizationId" = null
  where "userId" = old."userId" and "activeOrganizationId" = old."organizationId";
  update auth.invitation set status = 'canceled'
  where "organizationId" = old."organizationId" and "inviterId" = old."userId" and status = 'pending';
  return null;
end
$$;

create or replace trigger end_membership after delete on auth.member
  for each row execute function auth.end_membership();

-- Open invitations may give no more than their sender may still give.
create or replace function auth.lower_invitations() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  update auth.invitation set status = 'canceled'
  where "organizationId" = old."organizationId" and "inviterId" = old."userId" and status = 'pending'
    and (new.role = 'member' or role = 'owner');
  return null;
end
$$;

create or replace trigger lower_invitations after update of role on auth.member
  for each row when (new.role <> old.role and new.role <> 'owner')
  execute function auth.lower_invitations();

-- An invitation is answered once. The engine takes an acceptance back when the member cannot be made.
create or replace function auth.keep_answer() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception 'the invitation has been answered'
    using errcode = 'check_violation', constraint = 'invitation_answered';
end
$$;

create or replace trigger keep_answer before update of status on auth.invitation
  for each row when (
    old.status <> 'pending' and new.status <> old.status
    and not (old.status = 'accepted' and new.status = 'pending')
  )
  execute function auth.keep_answer();

-- Teams are of members. It is decided when the transaction ends, because an accepted invitation joins the
-- teams first. The lock makes a removal that runs at the same time wait, or this one see it.
create or replace function auth.check_team_member() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  if not exists (select from auth."teamMember" where id = new.id) then
    return null;
  end if;
  perform from auth.team join auth.member on member."organizationId" = team."organizationId"
  where team.id = new."teamId" and member."userId" = new."userId"
  for key share of member;
  if not found then
    raise exception 'only members of its organization are in a team'
      using errcode = 'check_violation', constraint = 'team_member_organization';
  end if;
  return null;
end
$$;

drop trigger if exists check_team_member on auth."teamMember";
create constraint trigger check_team_member after insert or update on auth."teamMember"
  deferrable initially deferred
  for each row execute function auth.check_team_member();

-- Also when the team itself is deleted: its memberships go first.
create or replace function auth.end_team_membership() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  update auth.session set "activeTeamId" = null
  where "userId" = old."userId" and "activeTeamId" = old."teamId";
  return null;
end
$$;

create or replace trigger end_team_membership after delete on auth."teamMember"
  for each row execute function auth.end_team_membership();

-- Invitations name their teams as ids with commas between them.
create or replace function auth.forget_team() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  update auth.invitation
  set "teamId" = nullif(array_to_string(array_remove(string_to_array("teamId", ','), old.id), ','), '')
  where "organizationId" = old."organizationId" and status = 'pending'
    and old.id = any (string_to_array("teamId", ','));
  return null;
end
$$;

create or replace trigger forget_team after delete on auth.team
  for each row execute function auth.forget_team();

-- The active team is one of the active organization.
create or replace function auth.leave_active_team() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  new."activeTeamId" := (
    select id from auth.team
    where id = new."activeTeamId" and "organizationId" = new."activeOrganizationId"
  );
  return new;
end
$$;

create or replace trigger leave_active_team before update of "activeOrganizationId" on auth.session
  for each row when (
    new."activeTeamId" is not null
    and new."activeOrganizationId" is distinct from old."activeOrganizationId"
  )
  execute function auth.leave_active_team();

revoke all on function
  auth.organization_limit(text), auth.limit_members(), auth.limit_organizations(), auth.limit_teams(),
  auth.keep_owner(), auth.end_membership(), auth.lower_invitations(), auth.keep_answer(),
  auth.check_team_member(), auth.end_team_membership(), auth.forget_team(), auth.leave_active_team()
from public;
