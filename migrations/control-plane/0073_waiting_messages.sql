-- Mails and SMS that wait in the databases of projects. An entry is written before the row of the project and deleted
-- after the message is sent or given up, so that the worker finds messages without a job and opens no database of a
-- project in which nothing waits.
create table if not exists waiting_message (
  ref pg_catalog.text not null references project (ref) on delete cascade,
  id pg_catalog.uuid not null,
  noted_at pg_catalog.timestamptz not null default pg_catalog.now(),
  -- When the worker adds a job for the message, unless it is done by then.
  due_at pg_catalog.timestamptz not null,
  primary key (ref, id)
);
create index if not exists waiting_message_due_at_idx on waiting_message (due_at);
