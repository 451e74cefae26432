// One statement, so that the version and the content come from one snapshot. Its answer is one JSON
// text of short lists which name tables by oid and columns by number; `load.ts` puts them together.
// Lists rather than one object per column: building JSON is most of the cost (1,000 tables, 10,000
// columns), and objects double it. They are not joined with each other: a new database has no
// statistics of its catalog yet, and PostgreSQL would choose nested loops.
//
// - Views, materialized views, foreign tables and partitions are left out: row level security of a
//   partitioned table does not hold for its partitions when they are addressed by themselves.
// - A type outside pg_catalog is written with its schema even where the search path would find it,
//   because the requests may run under another search path than this statement.
// - Unique keys are those that `on conflict (…)` can name: whole-table, immediate, without expressions.
export const CATALOG_SQL = `
with tables as materialized (
  select c.oid, c.relname, c.relkind, c.relrowsecurity
    from pg_catalog.pg_class c
   where c.relnamespace = pg_catalog.to_regnamespace('public')
     and c.relkind in ('r', 'p')
     and not c.relispartition
), attributes as materialized (
  select a.attrelid, a.attnum, a.attname, a.atttypid, a.atttypmod,
         case when a.attnotnull then 'n' else '' end
           || a.attidentity::text || a.attgenerated::text as flags
    from tables t
    join pg_catalog.pg_attribute a on a.attrelid = t.oid
   where a.attnum > 0 and not a.attisdropped
), types as (
  select u.atttypid, u.atttypmod, e.oid as element,
         case when y.typnamespace <> 'pg_catalog'::pg_catalog.regnamespace
               and pg_catalog.pg_type_is_visible(coalesce(e.oid, y.oid))
              then y.typnamespace::pg_catalog.regnamespace::text || '.' else '' end as prefix
    from (select distinct atttypid, atttypmod from attributes) u
    join pg_catalog.pg_type y on y.oid = u.atttypid
    left join pg_catalog.pg_type e on e.oid = y.typelem and e.typarray = y.oid
), foreign_keys as (
  select k.conrelid, k.conname, k.conkey, s.nspname, f.relname, k.confrelid, k.confkey,
         case when f.relnamespace <> pg_catalog.to_regnamespace('public') or f.relispartition then
           (select json_object_agg(a.attnum, a.attname)
              from pg_catalog.pg_attribute a
             where a.attrelid = k.confrelid and a.attnum = any(k.confkey))
         end as names
    from tables t
    join pg_catalog.pg_constraint k on k.conrelid = t.oid
    join pg_catalog.pg_class f on f.oid = k.confrelid
    join pg_catalog.pg_namespace s on s.oid = f.relnamespace
   where k.contype = 'f' and k.conparentid = 0
)
select json_build_object(
  'version', (select v.version::text from platform.schema_version v),
  'types', (
    select json_agg(json_build_array(
             y.atttypid || ':' || y.atttypmod,
             y.prefix || pg_catalog.format_type(y.atttypid, y.atttypmod),
             case when y.element is not null
                  then y.prefix || pg_catalog.format_type(y.element, y.atttypmod) end))
      from types y),
  'tables', (
    select json_agg(json_build_array(t.oid::int8, t.relname, t.relkind, t.relrowsecurity)
                    order by t.relname)
      from tables t),
  'columns', (
    select json_agg(json_build_array(a.attrelid::int8, a.numbers, a.names, a.types, a.flags))
      from (
        select a.attrelid,
               array_agg(a.attnum order by a.attnum) as numbers,
               array_agg(a.attname order by a.attnum) as names,
               array_agg(a.atttypid || ':' || a.atttypmod order by a.attnum) as types,
               array_agg(a.flags order by a.attnum) as flags
          from attributes a
         group by a.attrelid) a),
  'defaults', (
    select json_agg(json_build_array(d.adrelid::int8, d.adnum,
                                     pg_catalog.pg_get_expr(d.adbin, d.adrelid)))
      from tables t
      join pg_catalog.pg_attrdef d on d.adrelid = t.oid),
  'uniqueKeys', (
    select json_agg(json_build_array(i.indrelid::int8, x.relname, i.indisprimary, i.indnkeyatts,
                                     i.indkey::text))
      from tables t
      join pg_catalog.pg_index i on i.indrelid = t.oid
      join pg_catalog.pg_class x on x.oid = i.indexrelid
     where i.indisunique and i.indisvalid and i.indimmediate
       and i.indpred is null and i.indexprs is null),
  'foreignKeys', (
    select json_agg(json_build_array(k.conrelid::int8, k.conname, k.conkey, k.nspname, k.relname,
                                     k.confrelid::int8, k.confkey, k.names))
      from foreign_keys k)
)::text as catalog`;
