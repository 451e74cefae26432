-- One row: what proves that the server holds the master key of this deployment.
create table if not exists deployment (
  id boolean primary key default true check (id),
  canary text not null,
  created_at timestamptz not null default now()
);
