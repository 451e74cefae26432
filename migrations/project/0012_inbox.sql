-- The development inbox: where a project has no mail server, its last mails are kept here for administrators.
-- They hold codes and links that sign people in, so nobody but the platform's own role reads them.

create table if not exists platform.inbox (
  id bigint generated always as identity primary key,
  kind text not null,
  recipient text not null,
  subject text not null,
  text text not null,
  html text not null,
  created_at timestamptz not null default now()
);
-- Addresses are looked for in any case of letters.
create index if not exists inbox_recipient_idx on platform.inbox (lower(recipient), id desc);

grant select, insert, delete on platform.inbox to platform_engine;
