-- Users are deleted over a login that may do nothing else, because tables of the project refer to users and their
-- triggers run in that session. The engine requests a deletion here first: code of the project that runs as
-- platform_deleter can delete nobody else. What is told of a deletion is written in its transaction.

create table if not exists auth.user_deletion (
  user_id {{user_id}} primary key,
  -- Set for the sweep of guests: the user goes only if it had no session for so many days.
  unused_days integer check (unused_days operator(pg_catalog.>) 0),
  -- A row of platform.audit_log and one of platform.hook_deliveries, as far as there is something to tell.
  audit jsonb,
  event jsonb,
  requested_at timestamptz not null default pg_catalog.now()
);
grant select, insert, update, delete on auth.user_deletion to platform_engine;

create or replace function auth.check_deletion() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  request auth.user_deletion;
begin
  select * into request from auth.user_deletion where user_id = old.id;
  if not found then
    raise exception 'the deletion of this user was not requested' using errcode = 'insufficient_privilege';
  end if;
  if request.unused_days is not null and (
    not old."isAnonymous"
    or old."updatedAt" >= now() - make_interval(days => request.unused_days)
    or exists (
      select from auth.session
      where "userId" = old.id and "expiresAt" > now() - make_interval(days => request.unused_days)
    )
  ) then
    return null;
  end if;
  return old;
end
$$;

-- Other roles that may delete users are the platform's own.
create or replace trigger check_deletion before delete on auth."user"
  for each row when (current_user operator(pg_catalog.=) 'platform_deleter'::pg_catalog.name)
  execute function auth.check_deletion();

create or replace function auth.tell_of_deletion() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  request auth.user_deletion;
begin
  delete from auth.user_deletion where user_id = old.id returning * into request;
  if request.audit is not null then
    insert into platform.audit_log
      (actor_kind, actor_id, actor_email, action, target, before, after, ip, request_id)
    select actor_kind, actor_id, actor_email, action, target, before, after, ip, request_id
    from jsonb_populate_record(null::platform.audit_log, request.audit);
  end if;
  if request.event is not null then
    insert into platform.hook_deliveries
      (hook, event_id, target, status, attempts, payload, next_attempt_at)
    select hook, event_id, target, status, attempts, payload, now()
    from jsonb_populate_record(null::platform.hook_deliveries, request.event);
  end if;
  return null;
end
$$;

create or replace trigger tell_of_deletion after delete on auth."user"
  for each row execute function auth.tell_of_deletion();

revoke all on function auth.check_deletion(), auth.tell_of_deletion() from public;
