-- The stored settings as one sealed text: the first request of a process on rows reads them, with the catalog, over the
-- connection that then reads the rows. Code of the project runs in sessions of that login, and sees no more than the
-- sealed text. It counts only for the version that it was sealed for, so a text of an earlier version has no effect.

alter table platform.settings_version
  add column if not exists sealed pg_catalog.text,
  add column if not exists sealed_version pg_catalog.int8;

-- Removes the text at every change of a group, also by hand. A process writes it again in a later transaction.
create or replace function platform.forget_sealed_settings() returns trigger
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  update platform.settings_version set sealed = null;
  return null;
end
$$;
revoke all on function platform.forget_sealed_settings from public;

create or replace trigger forget_sealed_settings
  after insert or update or delete or truncate on platform.app_settings
  for each statement execute function platform.forget_sealed_settings();
