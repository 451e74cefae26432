-- Who changed what. Rows outlive what they speak of, so nothing here refers to another table.

create table if not exists audit_entry (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  -- Null when the platform itself acted.
  operator_id text,
  operator_email text,
  action text not null,
  organization_id text,
  ref text,
  target text not null,
  before jsonb,
  after jsonb,
  ip text,
  request_id text
);
create index if not exists audit_entry_ref_idx on audit_entry (ref, id desc);
create index if not exists audit_entry_organization_id_idx on audit_entry (organization_id, id desc);
create index if not exists audit_entry_operator_id_idx on audit_entry (operator_id, id desc);
