-- Variables have types of pg_catalog, whatever the search path of the caller leads to: this function keeps that path,
-- because functions in policies are found on it.
create or replace function storage.list_deletable(file_ids pg_catalog.uuid[]) returns setof pg_catalog.uuid
  language plpgsql volatile
as $$
declare
  file_id pg_catalog.uuid;
begin
  foreach file_id in array file_ids loop
    begin
      delete from storage.files f where f.id operator(pg_catalog.=) file_id;
    exception
      when sqlstate 'RH001' then return next file_id;
      when insufficient_privilege then null;
    end;
  end loop;
end
$$;
