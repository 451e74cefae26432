// The rights of the current role on tables and functions, and their comments: one statement, so that it runs in one
// batch with the lookup of the caller. Its result is one JSON text of short lists, read by `rights.ts`. $1 is a JSON
// array with the names of the schemas whose functions count.
//
// - Rights to read and write are `true`, `false`, or a list of the columns for which the role has them.
// - Functions are identified by schema, name and the names of their input arguments, like calls.
// - Functions and operators are PostgreSQL's own: it runs as the caller, for whom the project may have defined others
//   with the same names.

const columnsWith = (privilege: string): string => `
           case when pg_catalog.has_table_privilege(c.oid, '${privilege}') then pg_catalog.json 'true'
                when pg_catalog.has_any_column_privilege(c.oid, '${privilege}') then
                  (select pg_catalog.json_agg(a.attname order by a.attnum)
                     from pg_catalog.pg_attribute a
                    where a.attrelid operator(pg_catalog.=) c.oid
                      and a.attnum operator(pg_catalog.>) 0 and not a.attisdropped
                      and pg_catalog.has_column_privilege(c.oid, a.attnum, '${privilege}'))
                else pg_catalog.json 'false' end`;

export const RIGHTS_SQL = `
select pg_catalog.json_build_object(
  'tables', (
    select pg_catalog.json_agg(pg_catalog.json_build_array(
           c.relname, pg_catalog.obj_description(c.oid, 'pg_class'),${columnsWith('select')},${columnsWith('insert')},${columnsWith('update')},
           pg_catalog.has_table_privilege(c.oid, 'delete'),
           (select pg_catalog.json_object_agg(a.attname, d.description)
              from pg_catalog.pg_description d
              join pg_catalog.pg_attribute a
                on a.attrelid operator(pg_catalog.=) d.objoid
               and a.attnum operator(pg_catalog.=) d.objsubid
             where d.objoid operator(pg_catalog.=) c.oid
               and d.classoid operator(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass
               and d.objsubid operator(pg_catalog.>) 0)))
      from pg_catalog.pg_class c
      join pg_catalog.pg_namespace n on n.oid operator(pg_catalog.=) c.relnamespace
     where n.nspname operator(pg_catalog.=) 'public' and pg_catalog.has_schema_privilege(n.oid, 'usage')
       and c.relkind operator(pg_catalog.=) any ('{r,p}') and not c.relispartition
       and (pg_catalog.has_any_column_privilege(c.oid, 'select, insert, update')
            or pg_catalog.has_table_privilege(c.oid, 'delete'))),
  'routines', (
    select pg_catalog.json_agg(pg_catalog.json_build_array(
           n.nspname, p.proname,
           (select pg_catalog.json_agg(
                     case when p.proargnames[i] operator(pg_catalog.<>) '' then p.proargnames[i] end order by i)
              from pg_catalog.generate_series(
                     1, coalesce(pg_catalog.cardinality(p.proargmodes), p.pronargs)) i
             where coalesce(p.proargmodes[i], 'i') operator(pg_catalog.=) any ('{i,b,v}')),
           pg_catalog.obj_description(p.oid, 'pg_proc')) order by p.oid)
      from pg_catalog.pg_proc p
      join pg_catalog.pg_namespace n on n.oid operator(pg_catalog.=) p.pronamespace
     where n.nspname operator(pg_catalog.=) any (
             select pg_catalog.json_array_elements_text($1::pg_catalog.json))
       and p.prokind operator(pg_catalog.=) 'f'
       and p.prorettype operator(pg_catalog.<>) 'pg_catalog.trigger'::pg_catalog.regtype
       and pg_catalog.has_schema_privilege(n.oid, 'usage')
       and pg_catalog.has_function_privilege(p.oid, 'execute'))
)::pg_catalog.text as rights`;
