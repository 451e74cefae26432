-- A person who joins an organization or leaves it has no open invitation to it any more. The membership may be
-- written by the auth engine, a sign-in by SSO, an administrator, an import or SQL. Otherwise a member who was removed could come
-- back by an invitation from before, with the role that it gives. An acceptance has answered its own invitation by then.
create or replace function auth.end_invitations() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  update auth.invitation set status = 'canceled'
  where status = 'pending'
    and "organizationId" in (old."organizationId", new."organizationId")
    and lower(email) in (
      select lower(email) from auth."user" where id in (old."userId", new."userId")
    );
  return null;
end
$$;
revoke all on function auth.end_invitations from public;

create or replace trigger end_invitations
  after insert or delete or update of "organizationId", "userId" on auth.member
  for each row execute function auth.end_invitations();

-- Those of today's members.
update auth.invitation set status = 'canceled'
from auth.member join auth."user" on "user".id = member."userId"
where invitation.status = 'pending'
  and invitation."organizationId" = member."organizationId"
  and lower(invitation.email) = lower("user".email);
