-- The metadata of a file has at most 8 KiB of JSON. The routes check that; these rules hold whatever writes.
-- PostgreSQL puts a space behind each comma and colon, which makes a text longer by half at most, so the
-- database allows 12 KiB.
--
-- Files of earlier releases may hold more. They stay as they are, and may be moved, replaced and given another
-- owner: a constraint would refuse each of these updates, so a trigger looks at new metadata only.

create or replace function storage.refuse_large_metadata() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception 'the metadata of a file has more than 8 KiB'
    using errcode = 'check_violation', constraint = 'stored_files_metadata_size';
end
$$;

revoke all on function storage.refuse_large_metadata() from public;

create or replace trigger refuse_large_metadata_on_insert before insert on storage.stored_files
  for each row
  when (pg_catalog.octet_length(new.user_metadata::pg_catalog.text) operator(pg_catalog.>) 12288)
  execute function storage.refuse_large_metadata();

create or replace trigger refuse_large_metadata_on_update before update of user_metadata on storage.stored_files
  for each row
  when (
    pg_catalog.octet_length(new.user_metadata::pg_catalog.text) operator(pg_catalog.>) 12288
    and new.user_metadata operator(pg_catalog.<>) old.user_metadata
  )
  execute function storage.refuse_large_metadata();

do $$
begin
  if not exists (
    select from pg_catalog.pg_constraint
    where conrelid operator(pg_catalog.=) 'storage.uploads'::pg_catalog.regclass
      and conname operator(pg_catalog.=) 'uploads_metadata_size'
  ) then
    alter table storage.uploads add constraint uploads_metadata_size
      check (pg_catalog.octet_length(user_metadata::pg_catalog.text) operator(pg_catalog.<=) 12288) not valid;
  end if;
end
$$;
