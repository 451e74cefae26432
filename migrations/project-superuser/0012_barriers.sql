-- PostgreSQL runs the cheapest condition of a query first. A condition of the caller's could see the rows that a view
-- leaves out, and tell of them in a notice or an error. It is not run before the view's own condition when the view is
-- a security barrier.
do $$
declare
  view text;
begin
  for view in
    select oid::regclass from pg_class
    where relnamespace = 'pg_catalog'::regnamespace and relkind = 'v'
      and pg_get_viewdef(oid) ~ 'rowhouse_|hidden_'
  loop
    execute format('alter view %s set (security_barrier = true)', view);
  end loop;
end
$$;

call rowhouse_note_rights();
