-- What administrators need about users: when each signed in last, why and until when a user is banned, and which
-- sessions an administrator has begun in the name of a user.

alter table auth."user" add column if not exists "banReason" text;
alter table auth."user" add column if not exists "bannedUntil" timestamptz;
-- The sweep looks for bans that are over; most projects have none.
create index if not exists user_banned_until_idx on auth."user" ("bannedUntil")
  where "bannedUntil" is not null;

-- {"kind", "id", "email"} of the administrator; null for a session of the user.
alter table auth.session add column if not exists "impersonatedBy" jsonb;

-- A table of its own, because a change of auth."user" would compute the claims again with every sign-in.
create table if not exists auth.last_sign_in (
  "userId" {{user_id}} primary key references auth."user" (id) on delete cascade,
  at timestamptz not null
);
create index if not exists last_sign_in_at_idx on auth.last_sign_in (at);
grant select, insert, update, delete on auth.last_sign_in to platform_engine;

create or replace function auth.note_sign_in() returns trigger
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  insert into auth.last_sign_in ("userId", at) values (new."userId", new."createdAt")
  on conflict ("userId") do update set at = excluded.at where last_sign_in.at < excluded.at;
  return null;
end
$$;
revoke all on function auth.note_sign_in() from public;

create or replace trigger note_sign_in after insert on auth.session
  for each row when (new."impersonatedBy" is null)
  execute function auth.note_sign_in();

-- The sessions of before this migration are what is known of earlier sign-ins.
insert into auth.last_sign_in ("userId", at)
select "userId", pg_catalog.max("createdAt") from auth.session group by "userId"
on conflict ("userId") do nothing;
