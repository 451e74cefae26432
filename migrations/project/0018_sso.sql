-- SSO providers: whose domains they speak for, and what ends with them.

alter table auth."ssoProvider" add column if not exists "createdAt" timestamptz not null default current_timestamp;
alter table auth."ssoProvider" add column if not exists "updatedAt" timestamptz not null default current_timestamp;

-- A provider is its organization's or the project's, not the user's who has registered it.
alter table auth."ssoProvider" drop constraint if exists "ssoProvider_userId_fkey";
alter table auth."ssoProvider" add constraint "ssoProvider_userId_fkey"
  foreign key ("userId") references auth."user" (id) on delete set null;
create index if not exists sso_provider_user_id_idx on auth."ssoProvider" ("userId");
create index if not exists sso_provider_organization_id_idx on auth."ssoProvider" ("organizationId");

-- Ids stand in addresses, where people take one spelling for another.
create unique index if not exists sso_provider_id_key on auth."ssoProvider" (lower("providerId"));

-- Domains in lower case, as in the DNS. Anybody may claim one; whoever proves it first has it.
create table if not exists auth."ssoDomain" (
  domain text not null check (domain = lower(domain)),
  "ssoProviderId" text not null references auth."ssoProvider" (id) on delete cascade,
  "verifiedAt" timestamptz,
  primary key (domain, "ssoProviderId")
);
create unique index if not exists sso_domain_verified_key on auth."ssoDomain" (domain)
  where "verifiedAt" is not null;
create index if not exists sso_domain_provider_id_idx on auth."ssoDomain" ("ssoProviderId");
grant select, insert, update, delete on auth."ssoDomain" to platform_engine;

-- Identities end with the provider that vouches for them, however it is deleted. Otherwise whoever registers
-- one under the same id could sign in as the people of the old one.
create or replace function auth.delete_sso_accounts() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  delete from auth.account where "providerId" = old."providerId";
  return null;
end
$$;

create or replace trigger delete_sso_accounts after delete on auth."ssoProvider"
  for each row execute function auth.delete_sso_accounts();

revoke all on function auth.delete_sso_accounts() from public;
