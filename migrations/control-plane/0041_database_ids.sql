-- Databases and logins of projects have names that neighbors cannot guess. Those of earlier releases were made of the
-- ref; they are renamed with the first upgrade of their project.

do $$
begin
  if not exists (
    select from information_schema.columns
    where table_schema = current_schema() and table_name = 'project' and column_name = 'database_id'
  ) then
    alter table project
      add column database_id text,
      add column has_legacy_names boolean not null default false;
    update project set
      database_id = 'd' || left(replace(gen_random_uuid()::text, '-', ''), 20),
      has_legacy_names = true;
    alter table project alter column database_id set not null, add unique (database_id);
  end if;
end
$$;
