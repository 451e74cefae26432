-- Where the bytes of a file are is read with the file: a function that told it to whoever had read the file cost as
-- much as finding it. storage.blob_place stays for processes of the release before.
--
-- And the planner learns that storage.files has no rows of its own, so that it looks at those of its child alone: a
-- lookup by id, bucket or key can meet no row that this constraint allows.

alter table storage.files add column if not exists driver text;
alter table storage.files add column if not exists stored_key text collate "C";

do $$
begin
  if not exists (
    select from pg_constraint where conrelid = 'storage.files'::regclass and conname = 'files_hold_no_rows'
  ) then
    alter table storage.files add constraint files_hold_no_rows
      check (id is null and bucket is null and key is null) no inherit;
  end if;
end
$$;
