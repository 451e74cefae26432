-- The bytes of a presigned upload may be put again for as long as the URL works, where the store does not keep that
-- from happening. Such an upload is finalized with a copy that no URL names; what the URL names is removed now and
-- twice later. Locks are taken in the order of all functions of uploads: user, bucket, upload.
create or replace function storage.commit_copied_upload(
  upload_id pg_catalog.uuid, size pg_catalog.int8, copied_to pg_catalog.uuid
) returns table (outcome pg_catalog.text, file storage.stored_files)
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  upload storage.uploads;
begin
  select u.* into upload from storage.uploads u where u.id = commit_copied_upload.upload_id;
  perform from auth."user" where id = upload.owner_id for key share;
  perform from storage.buckets b where b.slug = upload.bucket for no key update;
  select u.* into upload from storage.uploads u where u.id = commit_copied_upload.upload_id for update;
  if found then
    perform storage.discard_upload(upload);
    update storage.uploads u set version = copied_to where u.id = upload.id;
  end if;
  return query select c.outcome, c.file from storage.commit_upload(upload_id, commit_copied_upload.size) c;
end
$$;

revoke all on function storage.commit_copied_upload from public;
grant execute on function storage.commit_copied_upload to platform_engine;
