-- Organizations, teams and SSO providers of a project's users.

create table if not exists auth.organization (
  id text primary key,
  name text not null,
  slug text not null unique,
  logo text,
  "createdAt" timestamptz not null default current_timestamp,
  metadata text
);

create table if not exists auth.team (
  id text primary key,
  name text not null,
  "memberCount" integer not null default 0,
  "organizationId" text not null references auth.organization (id) on delete cascade,
  "createdAt" timestamptz not null default current_timestamp,
  "updatedAt" timestamptz
);
create index if not exists team_organization_id_idx on auth.team ("organizationId");

create table if not exists auth."teamMember" (
  id text primary key,
  "teamId" text not null references auth.team (id) on delete cascade,
  "userId" {{user_id}} not null references auth."user" (id) on delete cascade,
  "membershipKey" text unique,
  "createdAt" timestamptz,
  unique ("teamId", "userId")
);
create index if not exists team_member_user_id_idx on auth."teamMember" ("userId");

create table if not exists auth.member (
  id text primary key,
  "organizationId" text not null references auth.organization (id) on delete cascade,
  "userId" {{user_id}} not null references auth."user" (id) on delete cascade,
  role text not null,
  "createdAt" timestamptz not null default current_timestamp,
  unique ("organizationId", "userId")
);
create index if not exists member_user_id_idx on auth.member ("userId");

create table if not exists auth.invitation (
  id text primary key,
  "organizationId" text not null references auth.organization (id) on delete cascade,
  email text not null,
  role text,
  "teamId" text,
  status text not null,
  "expiresAt" timestamptz not null,
  "createdAt" timestamptz not null default current_timestamp,
  "inviterId" {{user_id}} not null references auth."user" (id) on delete cascade
);
create index if not exists invitation_organization_id_idx on auth.invitation ("organizationId");
create index if not exists invitation_email_idx on auth.invitation (email);

create table if not exists auth."ssoProvider" (
  id text primary key,
  issuer text not null,
  "oidcConfig" text,
  "samlConfig" text,
  "userId" {{user_id}} references auth."user" (id) on delete cascade,
  "providerId" text not null unique,
  "organizationId" text references auth.organization (id) on delete cascade,
  domain text not null
);
