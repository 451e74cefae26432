-- Second factors: apps that show codes, devices that were trusted after one, and sign-ins that wait for one.
-- What a factor has proven ends with the factor, and what a password has opened ends with the password,
-- whichever way they go: through the auth engine, an administrator or SQL.

-- lastStep is the time step of the last code of the app that was accepted: no code is taken twice.
-- The attempts are those of the window that ends at the moment beside them: codes that complete a sign-in
-- apart from codes on a session that lives, so that whoever knows a password cannot lock the user out there.
alter table auth."twoFactor"
  add column if not exists "createdAt" timestamptz not null default current_timestamp,
  add column if not exists "lastStep" bigint,
  add column if not exists "signInAttempts" integer not null default 0,
  add column if not exists "signInWindowEnd" timestamptz,
  add column if not exists "stepUpAttempts" integer not null default 0,
  add column if not exists "stepUpWindowEnd" timestamptz;

create table if not exists auth.trusted_device (
  id text primary key,
  token_hash text not null unique,
  user_id {{user_id}} not null references auth."user" (id) on delete cascade,
  user_agent text,
  ip_address text,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index if not exists trusted_device_user_id_idx on auth.trusted_device (user_id);

-- A right password that still lacks its second factor. It is no session and opens nothing. What is over goes
-- with the next of the same user, as for devices.
create table if not exists auth.second_factor_challenge (
  token_hash text primary key,
  user_id {{user_id}} not null references auth."user" (id) on delete cascade,
  is_remembered boolean not null,
  expires_at timestamptz not null
);
create index if not exists second_factor_challenge_user_id_idx on auth.second_factor_challenge (user_id);

-- Also when the hash of the same password is renewed, which cannot be told apart here: then the device is
-- asked for a code once more.
create or replace function auth.end_password_trust() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  delete from auth.trusted_device where user_id = old."userId";
  delete from auth.second_factor_challenge where user_id = old."userId";
  return null;
end
$$;

create or replace trigger end_password_trust after update of password on auth.account
  for each row when (old."providerId" = 'credential' and old.password is distinct from new.password)
  execute function auth.end_password_trust();

create or replace function auth.end_second_factor() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  delete from auth.trusted_device where user_id = old."userId";
  delete from auth.second_factor_challenge where user_id = old."userId";
  update auth.session set aal = 'aal1' where "userId" = old."userId" and aal <> 'aal1';
  update auth."user" set "twoFactorEnabled" = false where id = old."userId" and "twoFactorEnabled";
  return null;
end
$$;

create or replace trigger end_second_factor after delete on auth."twoFactor"
  for each row execute function auth.end_second_factor();

revoke all on function auth.end_password_trust(), auth.end_second_factor() from public;
grant select, insert, update, delete on auth.trusted_device, auth.second_factor_challenge
  to platform_engine;
