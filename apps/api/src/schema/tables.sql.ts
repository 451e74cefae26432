// The statement that describes a schema. Its answer is one JSON text, which is sent as it is: a schema of many thousand
// columns would hold the event loop while it is read into objects and written again.
import {
  boundedJson,
  cutComment,
  cutDefinition,
  type JsonBytes,
  type JsonRow,
  jsonBytesOf,
  type Transaction,
} from '#libs/database';
import { fail } from '#libs/errors';

import { isExposedTable, isOfNoExtension, namesOf, primaryKeyOf } from './catalog-parts.sql.js';
import { enums, functions } from './routines.sql.js';
import type { SchemaContent } from './schema-content.js';

const keyAction = (column: string): string => `
  case ${column} when 'r' then 'restrict' when 'c' then 'cascade' when 'n' then 'set null'
       when 'd' then 'set default' else 'no action' end`;

// A default other than that of a generated column names no column, so it is written without the table: PostgreSQL
// would lock the table for the moment of writing.
const columns = `
  array(select pg_catalog.json_build_object(
          'name', a.attname,
          'type', pg_catalog.format_type(a.atttypid, a.atttypmod),
          'baseType', pg_catalog.format_type(y.oid, coalesce(b.typmod, a.atttypmod)),
          'category', y.typcategory,
          'isNullable', not a.attnotnull and not coalesce(b.is_not_null, false),
          'default', ${cutDefinition(`pg_catalog.pg_get_expr(
            d.adbin, case when a.attgenerated operator(pg_catalog.=) '' then 0 else d.adrelid end)`)},
          'isGenerated', a.attgenerated operator(pg_catalog.<>) '',
          'identity', case a.attidentity when 'a' then 'always' when 'd' then 'by default' end,
          'enumValues', (
            select pg_catalog.json_agg(l.enumlabel order by l.enumsortorder)
              from pg_catalog.pg_enum l
             where l.enumtypid operator(pg_catalog.=)
                   case when y.typcategory operator(pg_catalog.=) 'A' then y.typelem else y.oid end),
          'comment', ${cutComment('pg_catalog.col_description(c.oid, a.attnum)')})
        from pg_catalog.pg_attribute a
        left join below b on b.oid operator(pg_catalog.=) a.atttypid
        join pg_catalog.pg_type y
          on y.oid operator(pg_catalog.=) coalesce(b.base, a.atttypid)
        left join pg_catalog.pg_attrdef d
          on d.adrelid operator(pg_catalog.=) a.attrelid and d.adnum operator(pg_catalog.=) a.attnum
       where a.attrelid operator(pg_catalog.=) c.oid
         and a.attnum operator(pg_catalog.>) 0 and not a.attisdropped
       order by a.attnum)`;

// A key that refers to a partitioned table has further rows, one for each partition of that table, below its own.
const foreignKeys = `
  array(select pg_catalog.json_build_object(
          'name', k.conname,
          'columns', ${namesOf('k.conrelid', 'k.conkey')},
          'schema', s.nspname,
          'table', f.relname,
          'foreignColumns', ${namesOf('k.confrelid', 'k.confkey')},
          'onUpdate', ${keyAction('k.confupdtype')},
          'onDelete', ${keyAction('k.confdeltype')})
        from pg_catalog.pg_constraint k
        join pg_catalog.pg_class f on f.oid operator(pg_catalog.=) k.confrelid
        join pg_catalog.pg_namespace s on s.oid operator(pg_catalog.=) f.relnamespace
       where k.conrelid operator(pg_catalog.=) c.oid and k.contype operator(pg_catalog.=) 'f'
         and not exists (
           select from pg_catalog.pg_constraint p
            where p.oid operator(pg_catalog.=) k.conparentid
              and p.conrelid operator(pg_catalog.=) k.conrelid)
       order by k.conname)`;

/** The relations of the schema $1 that are listed. */
const relations = `
  select c.oid, n.nspname, c.relname, c.relkind, c.relispartition, c.relrowsecurity,
         ${isExposedTable} as is_exposed
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid operator(pg_catalog.=) c.relnamespace
   where n.nspname operator(pg_catalog.=) $1::pg_catalog.name
     and c.relkind operator(pg_catalog.=) any ('{r,p,v,m,f}')
     and ${isOfNoExtension('pg_class', 'c.oid')}`;

/** A table with its partitions at any depth, as pairs of its oid and one of theirs or its own. */
const members = `
  select r.oid as root, r.oid as member from relations r
  union all
  select m.root, i.inhrelid
    from members m
    join pg_catalog.pg_inherits i on i.inhparent operator(pg_catalog.=) m.member
    join pg_catalog.pg_class p on p.oid operator(pg_catalog.=) m.member
   where p.relkind operator(pg_catalog.=) 'p'`;

const tables = `
  array(select pg_catalog.json_build_object(
          'schema', c.nspname, 'name', c.relname,
          'kind', case c.relkind when 'r' then 'table' when 'p' then 'partitioned' when 'v' then 'view'
                       when 'm' then 'materialized view' else 'foreign' end,
          'partitionOf', case when c.relispartition then
            (select p.relname
               from pg_catalog.pg_inherits i
               join pg_catalog.pg_class p on p.oid operator(pg_catalog.=) i.inhparent
              where i.inhrelid operator(pg_catalog.=) c.oid) end,
          'comment', ${cutComment("pg_catalog.obj_description(c.oid, 'pg_class')")},
          'hasRls', c.relrowsecurity,
          'policyCount', (select pg_catalog.count(*) from pg_catalog.pg_policy p
                           where p.polrelid operator(pg_catalog.=) c.oid),
          'estimatedRows', t.rows, 'bytes', t.bytes,
          'isExposed', c.is_exposed,
          'primaryKey', ${primaryKeyOf},
          'columns', ${columns}, 'foreignKeys', ${foreignKeys})
        from relations c
        join counted t on t.root operator(pg_catalog.=) c.oid
       order by c.relname)`;

const DESCRIBE_SCHEMA = `
with recursive relations as materialized (${relations}), bases (oid, base, typmod, is_not_null) as (
  select y.oid, y.typbasetype, y.typtypmod, y.typnotnull
    from pg_catalog.pg_type y where y.typtype operator(pg_catalog.=) 'd'
  union all
  select b.oid, y.typbasetype, y.typtypmod, b.is_not_null or y.typnotnull
    from bases b
    join pg_catalog.pg_type y on y.oid operator(pg_catalog.=) b.base
   where y.typtype operator(pg_catalog.=) 'd'
), below as materialized (
  select b.oid, b.base, b.typmod, b.is_not_null
    from bases b
    join pg_catalog.pg_type y on y.oid operator(pg_catalog.=) b.base
   where y.typtype operator(pg_catalog.<>) 'd'
), members (root, member) as (${members}), counted as materialized (
  select m.root,
         pg_catalog.sum(case when $2::pg_catalog.bool
                             then pg_catalog.pg_total_relation_size(m.member) end) as bytes,
         pg_catalog.sum(
           case when p.relkind operator(pg_catalog.=) 'p' then 0
                when pg_catalog.pg_stat_get_live_tuples(m.member) operator(pg_catalog.>) 0
                then pg_catalog.pg_stat_get_live_tuples(m.member)
                else greatest(p.reltuples::pg_catalog.float8, 0) end) as rows
    from members m
    join pg_catalog.pg_class p on p.oid operator(pg_catalog.=) m.member
   group by m.root
)
select ${boundedJson(`pg_catalog.json_build_object(
         'tables', ${tables}, 'enums', ${enums}, 'functions', ${functions})`)} as content`;

export interface DescribedSchema {
  readonly schema: string;
  /** Whether tables are measured. PostgreSQL locks each for that. */
  readonly isMeasured: boolean;
}

/** The JSON of a {@link SchemaContent}. Throws RESULT_TOO_LARGE. */
export async function describeSchema(
  tx: Transaction,
  { schema, isMeasured }: DescribedSchema,
): Promise<JsonBytes<SchemaContent>> {
  const values = [schema, isMeasured];
  const [row] = (await tx.query<JsonRow>(DESCRIBE_SCHEMA, values)).rows;
  if (!row) throw fail('DATABASE_ERROR');
  return jsonBytesOf(row);
}
