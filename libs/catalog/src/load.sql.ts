import { CAST_TYPE_NAMES, CLUSTER_TYPES } from './plain-types.js';

const arrayOf = (names: Iterable<string>): string => `'{${[...names].join(',')}}'`;

// One statement, so that the version and the content come from one snapshot. Its answer is one JSON
// text of short lists which name tables and types by oid and columns by number; `load.ts` puts them
// together. Lists rather than one object per column: building JSON is most of the cost (1,000 tables,
// 10,000 columns), and objects double it. They are not joined with each other: a new database has no
// statistics of its catalog yet, and PostgreSQL would choose nested loops.
//
// - Views, materialized views, foreign tables and partitions are left out: row level security of a
//   partitioned table does not hold for its partitions when they are addressed by themselves.
// - A type outside pg_catalog is written with its schema even where the search path would find it,
//   because the requests may run under another search path than this statement.
// - Unique keys are those of the whole table without expressions. `on conflict (…)` cannot name all of them.
// - A foreign key is temporal (PERIOD) exactly if the key that it refers to is WITHOUT OVERLAPS.
// - A column without a default of its own has that of its domain.
// - Functions of extensions are no interface of the project, and the schemas of the service itself
//   hold none that requests may call.
// - Functions, types and operators are PostgreSQL's own: the statement runs as a role of the platform, and the
//   project may have made others of the same names that fit better. "IN" and "nullif" cannot name theirs.
// - A type is tainted when one of its parts, at any depth, is a built-in type to which requests may not
//   cast; `of_cluster` says that the part prints names which all projects of the cluster share.
export const CATALOG_SQL = `
with recursive parts (container, part) as materialized (
  select y.oid, y.typbasetype from pg_catalog.pg_type y where y.typtype operator(pg_catalog.=) 'd'
  union all
  select e.typarray, e.oid from pg_catalog.pg_type e where e.typarray operator(pg_catalog.<>) 0
  union all
  select g.rngtypid, g.rngsubtype from pg_catalog.pg_range g
  union all
  select g.rngmultitypid, g.rngtypid from pg_catalog.pg_range g
  union all
  select y.oid, a.atttypid
    from pg_catalog.pg_attribute a
    join pg_catalog.pg_type y on y.typrelid operator(pg_catalog.=) a.attrelid
   where a.attnum operator(pg_catalog.>) 0 and not a.attisdropped
     and y.typnamespace operator(pg_catalog.<>) 'pg_catalog'::pg_catalog.regnamespace
), tainted (oid, of_cluster) as (
  select y.oid, y.typname operator(pg_catalog.=) any (${arrayOf(CLUSTER_TYPES)})
    from pg_catalog.pg_type y
   where y.typnamespace operator(pg_catalog.=) 'pg_catalog'::pg_catalog.regnamespace
     and y.typname operator(pg_catalog.<>) all (${arrayOf(CAST_TYPE_NAMES)})
     and not exists (
       select from pg_catalog.pg_type e
        where e.typarray operator(pg_catalog.=) y.oid
          and e.typname operator(pg_catalog.=) any (${arrayOf(CAST_TYPE_NAMES)}))
  union
  select p.container, t.of_cluster
    from tainted t
    join parts p on p.part operator(pg_catalog.=) t.oid
), tables as materialized (
  select c.oid, c.relname, c.relkind, c.relrowsecurity
    from pg_catalog.pg_class c
   where c.relnamespace operator(pg_catalog.=) pg_catalog.to_regnamespace('public')
     and c.relkind operator(pg_catalog.=) any ('{r,p}')
     and not c.relispartition
), routines as materialized (
  select s.nspname, p.proname, p.prorettype, p.proretset, p.prorows, p.provolatile, p.prosecdef,
         p.pronargdefaults, p.proargmodes::pg_catalog.text[] as modes, p.proargnames as names,
         coalesce(p.proallargtypes, p.proargtypes::pg_catalog.oid[]) as types
    from pg_catalog.pg_proc p
    join pg_catalog.pg_namespace s on s.oid operator(pg_catalog.=) p.pronamespace
   where p.pronamespace operator(pg_catalog.<>) 'pg_catalog'::pg_catalog.regnamespace
     and p.prokind operator(pg_catalog.=) 'f'
     and s.nspname operator(pg_catalog.!~) '^pg_'
     and s.nspname operator(pg_catalog.<>) all ('{information_schema,auth,storage,realtime,platform,jobs}')
     and not exists (
       select from pg_catalog.pg_depend d
        where d.classid operator(pg_catalog.=) 'pg_catalog.pg_proc'::pg_catalog.regclass
          and d.objid operator(pg_catalog.=) p.oid and d.deptype operator(pg_catalog.=) 'e')
), results (oid) as (
  select r.prorettype from routines r
  union
  select y.typbasetype
    from results r
    join pg_catalog.pg_type y on y.oid operator(pg_catalog.=) r.oid
   where y.typtype operator(pg_catalog.=) 'd'
), composites as materialized (
  select distinct c.oid
    from results r
    join pg_catalog.pg_type y on y.oid operator(pg_catalog.=) r.oid
    join pg_catalog.pg_class c on c.oid operator(pg_catalog.=) y.typrelid
   where c.relkind operator(pg_catalog.=) 'c'
), attributes as materialized (
  select a.attrelid, a.attnum, a.attname, a.atttypid, a.atttypmod,
         case when a.attnotnull then 'n' else '' end
           operator(pg_catalog.||) a.attidentity::pg_catalog.text
           operator(pg_catalog.||) a.attgenerated::pg_catalog.text as flags
    from (select oid from tables union all select oid from composites) t
    join pg_catalog.pg_attribute a on a.attrelid operator(pg_catalog.=) t.oid
   where a.attnum operator(pg_catalog.>) 0 and not a.attisdropped
), bases (typid, typmod, base, modifier) as (
  select u.typid, u.typmod, u.typid, u.typmod
    from (
      select atttypid as typid, atttypmod as typmod from attributes
      union select pg_catalog.unnest(types), -1 from routines
      union select prorettype, -1 from routines) u
  union all
  select b.typid, b.typmod, y.typbasetype, y.typtypmod
    from bases b
    join pg_catalog.pg_type y on y.oid operator(pg_catalog.=) b.base
   where y.typtype operator(pg_catalog.=) 'd'
), types as materialized (
  select b.typid, b.typmod, b.modifier, y.oid as base, y.typname, y.typtype, y.typcategory, y.typrelid,
         e.oid as element, pg_catalog.format_type(y.oid, -1) as base_name,
         y.typnamespace operator(pg_catalog.=) 'pg_catalog'::pg_catalog.regnamespace as is_built_in,
         case when y.typnamespace operator(pg_catalog.<>) 'pg_catalog'::pg_catalog.regnamespace
               and pg_catalog.pg_type_is_visible(coalesce(e.oid, y.oid))
              then y.typnamespace::pg_catalog.regnamespace::pg_catalog.text operator(pg_catalog.||) '.'
              else '' end as base_prefix,
         case when b.typid operator(pg_catalog.<>) y.oid and pg_catalog.pg_type_is_visible(b.typid) then
           (select d.typnamespace::pg_catalog.regnamespace::pg_catalog.text operator(pg_catalog.||) '.'
              from pg_catalog.pg_type d
             where d.oid operator(pg_catalog.=) b.typid
               and d.typnamespace operator(pg_catalog.<>) 'pg_catalog'::pg_catalog.regnamespace)
         end as domain_prefix
    from bases b
    join pg_catalog.pg_type y on y.oid operator(pg_catalog.=) b.base
    left join pg_catalog.pg_type e
      on e.oid operator(pg_catalog.=) y.typelem and e.typarray operator(pg_catalog.=) y.oid
   where y.typtype operator(pg_catalog.<>) 'd'
), foreign_keys as (
  select k.conrelid, k.conname, k.conkey, s.nspname, f.relname, k.confrelid, k.confkey,
         case when f.relnamespace operator(pg_catalog.<>) pg_catalog.to_regnamespace('public')
                   or f.relispartition then
           (select pg_catalog.json_object_agg(a.attnum, a.attname)
              from pg_catalog.pg_attribute a
             where a.attrelid operator(pg_catalog.=) k.confrelid
               and a.attnum operator(pg_catalog.=) any (k.confkey))
         end as names,
         (select i.indisexclusion from pg_catalog.pg_index i
           where i.indexrelid operator(pg_catalog.=) k.conindid) as is_temporal
    from tables t
    join pg_catalog.pg_constraint k on k.conrelid operator(pg_catalog.=) t.oid
    join pg_catalog.pg_class f on f.oid operator(pg_catalog.=) k.confrelid
    join pg_catalog.pg_namespace s on s.oid operator(pg_catalog.=) f.relnamespace
   where k.contype operator(pg_catalog.=) 'f' and k.conparentid operator(pg_catalog.=) 0
)
select pg_catalog.json_build_object(
  'version', (select v.version::pg_catalog.text from platform.schema_version v),
  'types', (
    select pg_catalog.json_agg(pg_catalog.json_build_array(
             y.typid operator(pg_catalog.||) ':' operator(pg_catalog.||) y.typmod,
             case when y.typid operator(pg_catalog.=) y.base then y.base_prefix
                  else coalesce(y.domain_prefix, '') end
               operator(pg_catalog.||) pg_catalog.format_type(y.typid, y.typmod),
             y.base_prefix operator(pg_catalog.||) y.base_name,
             case when y.element is not null
                  then y.base_prefix operator(pg_catalog.||) pg_catalog.format_type(y.element, y.modifier) end,
             case when y.typtype operator(pg_catalog.=) 'p' then 'pseudo'
                  when y.is_built_in and y.typname operator(pg_catalog.=) any ('{json,jsonb,tsvector}')
                  then y.typname::pg_catalog.text
                  when y.element is not null then 'array'
                  when y.typtype operator(pg_catalog.=) 'c' then 'composite'
                  when y.typcategory operator(pg_catalog.=) 'S' then 'text'
                  when y.typname operator(pg_catalog.=) any ('{geometry,geography}')
                       and y.typtype operator(pg_catalog.=) 'b' then 'geometry'
                  else 'other' end,
             y.typrelid::pg_catalog.int8, y.typid operator(pg_catalog.<>) y.base,
             y.typid operator(pg_catalog.=) any (select t.oid from tainted t where t.of_cluster)))
      from types y),
  'enums', (
    select pg_catalog.json_agg(pg_catalog.json_build_array(
             y.base_prefix operator(pg_catalog.||) pg_catalog.format_type(coalesce(y.element, y.base), -1),
             (select pg_catalog.array_agg(l.enumlabel order by l.enumsortorder)
                from pg_catalog.pg_enum l
               where l.enumtypid operator(pg_catalog.=) coalesce(y.element, y.base))))
      from (select distinct base, element, base_prefix from types
             where typtype operator(pg_catalog.=) 'e' or typcategory operator(pg_catalog.=) 'A') y
     where exists (select from pg_catalog.pg_enum l
                    where l.enumtypid operator(pg_catalog.=) coalesce(y.element, y.base))),
  'castTypes', (
    select pg_catalog.json_agg(y.typname)
      from pg_catalog.pg_type y
     where y.typnamespace operator(pg_catalog.=) pg_catalog.to_regnamespace('public')
       and y.typtype operator(pg_catalog.<>) 'p'
       and (y.typrelid operator(pg_catalog.=) 0 or exists (
         select from pg_catalog.pg_class c
          where c.oid operator(pg_catalog.=) y.typrelid and c.relkind operator(pg_catalog.=) 'c'))
       and not exists (
         select from pg_catalog.pg_type e where e.typarray operator(pg_catalog.=) y.oid)
       and not y.oid operator(pg_catalog.=) any (select t.oid from tainted t)),
  'tables', (
    select pg_catalog.json_agg(
             pg_catalog.json_build_array(
               t.oid::pg_catalog.int8, t.relname, t.relkind, t.relrowsecurity)
             order by t.relname)
      from tables t),
  'columns', (
    select pg_catalog.json_agg(pg_catalog.json_build_array(
             a.attrelid::pg_catalog.int8, a.numbers, a.names, a.types, a.flags))
      from (
        select a.attrelid,
               pg_catalog.array_agg(a.attnum order by a.attnum) as numbers,
               pg_catalog.array_agg(a.attname order by a.attnum) as names,
               pg_catalog.array_agg(
                 a.atttypid operator(pg_catalog.||) ':' operator(pg_catalog.||) a.atttypmod
                 order by a.attnum) as types,
               pg_catalog.array_agg(a.flags order by a.attnum) as flags
          from attributes a
         group by a.attrelid) a),
  'defaults', (
    select pg_catalog.json_agg(
             pg_catalog.json_build_array(d.relation::pg_catalog.int8, d.number, d.expression))
      from (
        select d.adrelid as relation, d.adnum as number,
               pg_catalog.pg_get_expr(d.adbin, d.adrelid) as expression
          from tables t
          join pg_catalog.pg_attrdef d on d.adrelid operator(pg_catalog.=) t.oid
        union all
        select a.attrelid, a.attnum, pg_catalog.pg_get_expr(y.typdefaultbin, 0)
          from pg_catalog.pg_type y
          join attributes a on a.atttypid operator(pg_catalog.=) y.oid
         where y.typtype operator(pg_catalog.=) 'd' and y.typdefaultbin is not null
           and not exists (
             select from pg_catalog.pg_attrdef o
              where o.adrelid operator(pg_catalog.=) a.attrelid
                and o.adnum operator(pg_catalog.=) a.attnum)) d),
  'uniqueKeys', (
    select pg_catalog.json_agg(pg_catalog.json_build_array(
             i.indrelid::pg_catalog.int8, x.relname, i.indisprimary, i.indnkeyatts,
             i.indkey::pg_catalog.text,
             case when i.indisexclusion then 'WITHOUT OVERLAPS'
                  when not i.indimmediate then 'deferrable' end))
      from tables t
      join pg_catalog.pg_index i on i.indrelid operator(pg_catalog.=) t.oid
      join pg_catalog.pg_class x on x.oid operator(pg_catalog.=) i.indexrelid
     where i.indisunique and i.indisvalid
       and i.indpred is null and i.indexprs is null),
  'foreignKeys', (
    select pg_catalog.json_agg(pg_catalog.json_build_array(
             k.conrelid::pg_catalog.int8, k.conname, k.conkey, k.nspname, k.relname,
             k.confrelid::pg_catalog.int8, k.confkey, k.names, k.is_temporal))
      from foreign_keys k),
  'routines', (
    select pg_catalog.json_agg(pg_catalog.json_build_array(
             r.nspname, r.proname,
             array(select t.type operator(pg_catalog.||) ':-1'
                     from pg_catalog.unnest(r.types) with ordinality as t (type, place)
                    order by t.place),
             r.modes, r.names, r.pronargdefaults, r.prorettype operator(pg_catalog.||) ':-1', r.proretset,
             r.prorows operator(pg_catalog.=) 1, r.provolatile, r.prosecdef)
             order by r.nspname, r.proname, r.types::pg_catalog.text)
      from routines r)
)::pg_catalog.text as catalog`;
