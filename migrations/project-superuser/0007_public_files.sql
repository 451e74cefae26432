-- The policy by which users read public files takes in files that are public through their bucket, where the project
-- has not changed it. In databases of earlier releases only the superuser can do this: storage.files belongs to the
-- owner of the project.

do $$
declare
  is_first boolean;
begin
  select exists (
    select from pg_policy
    where polrelid = to_regclass('storage.files') and polname = 'public_files_read'
      and regexp_replace(pg_get_expr(polqual, polrelid), '\s+', '', 'g')
        = '((visibility=''public''::text)AND(bucketIN(SELECTbuckets.slugFROMstorage.bucketsWHEREbuckets.public)))'
  ) into is_first;
  if is_first then
    alter policy public_files_read on storage.files using (
      bucket in (select slug from storage.buckets where public)
      and (visibility = 'public' or storage.follows_bucket(id))
    );
  end if;
end
$$;
