-- What an operator may do: in a whole organization, or on one of its projects.

create table if not exists membership (
  id text primary key,
  operator_id text not null references operator (id) on delete cascade,
  organization_id text not null references organization (id) on delete cascade,
  -- Null: the whole organization.
  project_ref text,
  role text not null check (role in ('owner', 'developer', 'support', 'viewer', 'custom')),
  capabilities text[] not null default '{}',
  created_at timestamptz not null default now(),
  -- A project is named together with its own organization.
  foreign key (project_ref, organization_id)
    references project (ref, organization_id) on delete cascade,
  unique nulls not distinct (operator_id, organization_id, project_ref)
);
create index if not exists membership_organization_id_idx on membership (organization_id);
