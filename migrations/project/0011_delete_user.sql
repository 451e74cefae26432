-- Users are deleted by a role that may do nothing else. Tables of the project refer to users, and before
-- PostgreSQL 18 a trigger that fires after a cascade runs as the role of the session: it must not be one
-- that reads accounts. Inside this function no code can go back to that role, and triggers that were put
-- off run here too.

grant usage on schema auth to platform_deleter;
grant select (id), delete on auth."user" to platform_deleter;

create or replace function auth.delete_user(target {{user_id}}) returns boolean
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  is_deleted boolean;
begin
  delete from auth."user" where id = target;
  is_deleted := found;
  set constraints all immediate;
  return is_deleted;
end
$$;

alter function auth.delete_user({{user_id}}) owner to platform_deleter;
revoke all on function auth.delete_user({{user_id}}) from public;
grant execute on function auth.delete_user({{user_id}}) to platform_engine;
revoke delete on auth."user" from platform_engine;
