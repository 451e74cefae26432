// What the current role may do with tables and functions, and what their comments say: one statement, so
// that it runs in one batch with the lookup of the caller. Its answer is one JSON text of short lists,
// read by `rights.ts`. $1 is a JSON array with the names of the schemas whose functions count.
//
// - Rights to read and write are `true`, `false`, or a list of columns where the role has them on some.
// - Functions are named by schema, name and the names of their input arguments: a call tells them apart
//   by nothing else.

const columnsWith = (privilege: string): string => `
           case when pg_catalog.has_table_privilege(c.oid, '${privilege}') then json 'true'
                when pg_catalog.has_any_column_privilege(c.oid, '${privilege}') then
                  (select json_agg(a.attname order by a.attnum)
                     from pg_catalog.pg_attribute a
                    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
                      and pg_catalog.has_column_privilege(c.oid, a.attnum, '${privilege}'))
                else json 'false' end`;

export const RIGHTS_SQL = `
select json_build_object(
  'tables', (
    select json_agg(json_build_array(
           c.relname, pg_catalog.obj_description(c.oid, 'pg_class'),${columnsWith('select')},${columnsWith('insert')},${columnsWith('update')},
           pg_catalog.has_table_privilege(c.oid, 'delete'),
           (select json_object_agg(a.attname, d.description)
              from pg_catalog.pg_description d
              join pg_catalog.pg_attribute a on a.attrelid = d.objoid and a.attnum = d.objsubid
             where d.objoid = c.oid and d.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass
               and d.objsubid > 0)))
      from pg_catalog.pg_class c
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and pg_catalog.has_schema_privilege(n.oid, 'usage')
       and c.relkind in ('r', 'p') and not c.relispartition
       and (pg_catalog.has_any_column_privilege(c.oid, 'select, insert, update')
            or pg_catalog.has_table_privilege(c.oid, 'delete'))),
  'routines', (
    select json_agg(json_build_array(
           n.nspname, p.proname,
           (select json_agg(nullif(p.proargnames[i], '') order by i)
              from generate_series(1, coalesce(cardinality(p.proargmodes), p.pronargs)) i
             where coalesce(p.proargmodes[i], 'i') in ('i', 'b', 'v')),
           pg_catalog.obj_description(p.oid, 'pg_proc')) order by p.oid)
      from pg_catalog.pg_proc p
      join pg_catalog.pg_namespace n on n.oid = p.pronamespace
     where n.nspname in (select json_array_elements_text($1::json))
       and p.prokind = 'f' and p.prorettype <> 'pg_catalog.trigger'::pg_catalog.regtype
       and pg_catalog.has_schema_privilege(n.oid, 'usage')
       and pg_catalog.has_function_privilege(p.oid, 'execute'))
)::text as rights`;
