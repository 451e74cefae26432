-- Whether the first migrations, those of the superuser, have run in the database of a project and the platform's own
-- role owns what they made. They never run there again, whatever the database shows.
do $$
begin
  if exists (
    select from pg_catalog.pg_attribute
    where attrelid = 'project'::pg_catalog.regclass and attname = 'has_foundation' and not attisdropped
  ) then
    return;
  end if;
  -- New databases are copies of a template, which has it.
  alter table project add column has_foundation pg_catalog.bool not null default true;
  alter table project_snapshot add column has_foundation pg_catalog.bool not null default true;
  -- Releases without that role were never recorded, so what an unknown release made is looked at once.
  update project set has_foundation = exists (
    select from project_release where hash = migrated_to and '0030_platform_role' = any (knows)
  );
  update project_snapshot set has_foundation = exists (
    select from project_release where hash = migrated_to and '0030_platform_role' = any (knows)
  );
end
$$;
