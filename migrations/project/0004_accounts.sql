-- Accounts and sessions: the superset of tables that the auth engine may use, so that turning a method
-- on never changes the schema. {{user_id}} is the id type of the project: text or uuid.

create table if not exists auth."user" (
  id {{user_id}} primary key,
  name text not null default '',
  email text not null unique,
  "emailVerified" boolean not null default false,
  image text,
  "createdAt" timestamptz not null default current_timestamp,
  "updatedAt" timestamptz not null default current_timestamp,
  "phoneNumber" text unique,
  "phoneNumberVerified" boolean,
  "twoFactorEnabled" boolean,
  "isAnonymous" boolean not null default false,
  username text,
  role text not null default 'USER',
  status text not null default 'active',
  app_metadata jsonb not null default '{}',
  user_metadata jsonb not null default '{}',
  claims text not null
);

-- A user name is kept as it is written and taken in every spelling of its letters.
create unique index if not exists user_username_key on auth."user" (lower(username));

create table if not exists auth.session (
  id text primary key,
  "expiresAt" timestamptz not null,
  token text not null unique,
  "tokenHash" bytea not null unique generated always as (sha256(decode(token, 'escape'))) stored,
  "createdAt" timestamptz not null default current_timestamp,
  "updatedAt" timestamptz not null default current_timestamp,
  "ipAddress" text,
  "userAgent" text,
  "userId" {{user_id}} not null references auth."user" (id) on delete cascade,
  "activeOrganizationId" text,
  "activeTeamId" text,
  aal text not null default 'aal1'
);
create index if not exists session_user_id_idx on auth.session ("userId");
create index if not exists session_expires_at_idx on auth.session ("expiresAt");

create table if not exists auth.account (
  id text primary key,
  "accountId" text not null,
  "providerId" text not null,
  "userId" {{user_id}} not null references auth."user" (id) on delete cascade,
  "accessToken" text,
  "refreshToken" text,
  "idToken" text,
  "accessTokenExpiresAt" timestamptz,
  "refreshTokenExpiresAt" timestamptz,
  scope text,
  password text,
  "createdAt" timestamptz not null default current_timestamp,
  "updatedAt" timestamptz not null default current_timestamp,
  unique ("providerId", "accountId")
);
create index if not exists account_user_id_idx on auth.account ("userId");

create table if not exists auth.verification (
  id text primary key,
  identifier text not null,
  value text not null,
  "expiresAt" timestamptz not null,
  "createdAt" timestamptz not null default current_timestamp,
  "updatedAt" timestamptz not null default current_timestamp
);
create index if not exists verification_identifier_idx on auth.verification (identifier);
create index if not exists verification_expires_at_idx on auth.verification ("expiresAt");

create table if not exists auth.jwks (
  id text primary key,
  "publicKey" text not null,
  "privateKey" text not null,
  "createdAt" timestamptz not null,
  "expiresAt" timestamptz,
  alg text,
  crv text
);

create table if not exists auth."twoFactor" (
  id text primary key,
  secret text not null,
  "backupCodes" text not null,
  "userId" {{user_id}} not null unique references auth."user" (id) on delete cascade,
  verified boolean,
  "failedVerificationCount" integer,
  "lockedUntil" timestamptz
);
create index if not exists two_factor_secret_idx on auth."twoFactor" (secret);

create table if not exists auth.passkey (
  id text primary key,
  name text,
  "publicKey" text not null,
  "userId" {{user_id}} not null references auth."user" (id) on delete cascade,
  "credentialID" text not null,
  counter integer not null,
  "deviceType" text not null,
  "backedUp" boolean not null,
  transports text,
  "createdAt" timestamptz,
  aaguid text
);
create index if not exists passkey_user_id_idx on auth.passkey ("userId");
create index if not exists passkey_credential_id_idx on auth.passkey ("credentialID");

create table if not exists auth.apikey (
  id text primary key,
  "configId" text not null,
  name text,
  start text,
  "referenceId" text not null,
  prefix text,
  key text not null,
  "refillInterval" integer,
  "refillAmount" integer,
  "lastRefillAt" timestamptz,
  enabled boolean,
  "rateLimitEnabled" boolean,
  "rateLimitTimeWindow" integer,
  "rateLimitMax" integer,
  "requestCount" integer,
  remaining integer,
  "lastRequest" timestamptz,
  "expiresAt" timestamptz,
  "createdAt" timestamptz not null,
  "updatedAt" timestamptz not null,
  permissions text,
  metadata text
);
create index if not exists apikey_reference_id_idx on auth.apikey ("referenceId");
create index if not exists apikey_key_idx on auth.apikey (key);
create index if not exists apikey_config_id_idx on auth.apikey ("configId");
