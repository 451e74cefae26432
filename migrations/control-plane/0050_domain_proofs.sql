-- Several projects may claim a host name; the one whose claim is proven answers under it. Claims from
-- before this file have always been served, so they count as proven.

alter table project_domain
  add column if not exists token text not null default replace(gen_random_uuid()::text, '-', ''),
  add column if not exists verified_at timestamptz default now(),
  -- How it was proven: by its DNS record, by an administrator of the deployment, or by being here before.
  add column if not exists proof text default 'migration'
    check (proof in ('dns', 'operator', 'migration')),
  add column if not exists checked_at timestamptz;
alter table project_domain
  alter column token drop default,
  alter column verified_at drop default,
  alter column proof drop default;

alter table project_domain drop constraint if exists project_domain_pkey;
alter table project_domain add constraint project_domain_pkey primary key (domain, ref);
create unique index if not exists project_domain_verified_key
  on project_domain (domain) where verified_at is not null;
