// Whether the current role has a right on every name of a list: then an error may mention all of them.
// $1 is a JSON array of objects with `kind`, `schema`, `name` and maybe `column`. The answer is `true` or
// `false`. A function counts when the role may execute all functions of the name.
export const MENTIONED_NAMES_SQL = `
select coalesce(pg_catalog.bool_and(case
  when m.kind operator(pg_catalog.=) 'table' then exists (
    select from pg_catalog.pg_class c
     where c.relnamespace operator(pg_catalog.=) s.oid and c.relname operator(pg_catalog.=) m.name
       and case when m.column is null then
             pg_catalog.has_any_column_privilege(c.oid, 'select, insert, update')
             or pg_catalog.has_table_privilege(c.oid, 'delete')
           else exists (
             select from pg_catalog.pg_attribute a
              where a.attrelid operator(pg_catalog.=) c.oid and a.attname operator(pg_catalog.=) m.column
                and pg_catalog.has_column_privilege(c.oid, a.attnum, 'select, insert, update'))
           end)
  else coalesce((
    select pg_catalog.bool_and(pg_catalog.has_function_privilege(p.oid, 'execute'))
      from pg_catalog.pg_proc p
     where p.pronamespace operator(pg_catalog.=) s.oid and p.proname operator(pg_catalog.=) m.name), false)
  end and pg_catalog.has_schema_privilege(s.oid, 'usage')), false)::pg_catalog.text
from pg_catalog.json_to_recordset($1::pg_catalog.json)
  as m (kind pg_catalog.text, schema pg_catalog.text, name pg_catalog.text, "column" pg_catalog.text)
left join pg_catalog.pg_namespace s on s.nspname operator(pg_catalog.=) m.schema`;
