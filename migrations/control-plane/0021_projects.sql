-- Projects with their host names and keys. Secrets are sealed: the data key with the master key of the
-- deployment, the passwords of the database roles with the data key.

-- Versions come from one sequence, so that a project made again under an old ref is newer than every
-- copy of the old one.
create sequence if not exists project_version;

create table if not exists project (
  ref text primary key check (ref ~ '^[a-z][a-z0-9]{2,30}$'),
  organization_id text not null references organization (id),
  name text not null,
  status text not null check (status in ('creating', 'active', 'paused', 'deleting')),
  id_type text not null check (id_type in ('text', 'uuid')),
  version bigint not null default nextval('project_version'),
  sealed_data_key text not null,
  sealed_logins text not null,
  -- The set of project migrations that its database has, as the hash of their content.
  migrated_to text not null,
  created_at timestamptz not null default now(),
  unique (ref, organization_id)
);
create index if not exists project_organization_id_idx on project (organization_id);

create table if not exists project_domain (
  domain text primary key,
  ref text not null references project (ref) on delete cascade,
  created_at timestamptz not null default now()
);
create index if not exists project_domain_ref_idx on project_domain (ref);

create table if not exists project_key (
  id text primary key,
  ref text not null references project (ref) on delete cascade,
  kind text not null check (kind in ('publishable', 'secret')),
  hash text not null unique,
  -- The last four characters, so that people can tell keys apart.
  hint text not null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz
);
create index if not exists project_key_ref_idx on project_key (ref);
