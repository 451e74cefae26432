-- When a worker looks into the database of a project for deliveries that wait; null: nothing there can have any.
alter table project add column if not exists deliver_at timestamptz default now();
create index if not exists project_deliver_at_idx on project (deliver_at) where deliver_at is not null;
