-- Asking whether a caller may make a file tried to insert one: a row was written and taken back, and the table that
-- never has rows grew with every upload, for every later look at files to read through. A constraint says no sooner:
-- it is asked after the policies and before anything is written. The trigger stays for changes and deletions.

create or replace function storage.refuse_insert() returns boolean
  language plpgsql volatile
as $$
begin
  raise exception 'files are written by the routes of storage' using errcode = 'RH001';
end
$$;

-- The constraint runs with the rights of whoever inserts.
revoke all on function storage.refuse_insert() from public;
grant execute on function storage.refuse_insert() to anon, authenticated, service_role;

do $$
begin
  if not exists (
    select from pg_constraint where conrelid = 'storage.files'::regclass and conname = 'files_are_not_inserted'
  ) then
    alter table storage.files
      add constraint files_are_not_inserted check (storage.refuse_insert()) no inherit;
  end if;
end
$$;
