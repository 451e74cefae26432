-- Invitations: a membership for whoever shows the token, of which only the hash is kept.
create table if not exists operator_invitation (
  id text primary key,
  email text not null check (email = lower(email)),
  organization_id text not null references organization on delete cascade,
  -- Null: the whole organization.
  project_ref text,
  role text not null check (role in ('owner', 'developer', 'support', 'viewer', 'custom')),
  capabilities text[] not null default '{}',
  token_hash text not null,
  invited_by text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  foreign key (project_ref, organization_id)
    references project (ref, organization_id) on delete cascade
);
create unique index if not exists operator_invitation_token_key
  on operator_invitation (token_hash);
create index if not exists operator_invitation_organization
  on operator_invitation (organization_id);
