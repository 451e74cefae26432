// Lists tables as one JSON text. $1 is a schema, or null for all schemas of the project.
import { boundedJson, cutComment, cutDefinition } from '#libs/database';

import { isExposedTable, isOfNoExtension, isOfProject, primaryKeyOf } from '../schema/index.js';
import { commandInWords, rolesOfPolicy } from './policy-facts.sql.js';

const equals = 'operator(pg_catalog.=)';
/** More tables than a person reads; the list would be too long for an answer. */
const maxTables = 2_000;

const grantsOf = (role: string): string => `coalesce((
  select pg_catalog.json_agg(pg_catalog.lower(word) order by word)
  from pg_catalog.unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE']) as word
  where pg_catalog.has_schema_privilege('${role}', n.oid, 'usage')
    and (pg_catalog.has_table_privilege('${role}', c.oid, word)
      or case when word operator(pg_catalog.<>) 'DELETE'
        then pg_catalog.has_any_column_privilege('${role}', c.oid, word) end)), '[]')`;

/** Foreign keys of one column. */
const referenceOf = `(
  select pg_catalog.json_build_object('schema', tn.nspname, 'table', t.relname, 'column', ta.attname)
  from pg_catalog.pg_constraint k
  join pg_catalog.pg_class t on t.oid ${equals} k.confrelid
  join pg_catalog.pg_namespace tn on tn.oid ${equals} t.relnamespace
  join pg_catalog.pg_attribute ta on ta.attrelid ${equals} t.oid and ta.attnum ${equals} k.confkey[1]
  where k.conrelid ${equals} c.oid and k.contype ${equals} 'f'::pg_catalog."char"
    and pg_catalog.array_length(k.conkey, 1) ${equals} 1 and k.conkey[1] ${equals} a.attnum
  order by k.oid limit 1)`;

const tables = `select pg_catalog.json_build_object(
  'schema', n.nspname, 'name', c.relname, 'hasRls', c.relrowsecurity, 'isForced', c.relforcerowsecurity,
  'isExposed', ${isExposedTable},
  'grants', pg_catalog.json_build_object('anon', ${grantsOf('anon')},
    'authenticated', ${grantsOf('authenticated')}, 'service_role', ${grantsOf('service_role')}),
  'primaryKey', ${primaryKeyOf},
  'columns', coalesce((
    select pg_catalog.json_agg(pg_catalog.json_build_object(
      'name', a.attname, 'type', pg_catalog.format_type(a.atttypid, a.atttypmod),
      'isNullable', not a.attnotnull, 'references', ${referenceOf}) order by a.attnum)
    from pg_catalog.pg_attribute a
    where a.attrelid ${equals} c.oid and a.attnum operator(pg_catalog.>) 0::pg_catalog.int2
      and not a.attisdropped), '[]'),
  'policies', coalesce((
    select pg_catalog.json_agg(pg_catalog.json_build_object(
      'name', p.polname, 'command', ${commandInWords}, 'roles', ${rolesOfPolicy},
      'using', ${cutDefinition('pg_catalog.pg_get_expr(p.polqual, p.polrelid)')},
      'check', ${cutDefinition('pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid)')}, 'isPermissive', p.polpermissive,
      'comment', ${cutComment("pg_catalog.obj_description(p.oid, 'pg_policy')")}) order by p.polname)
    from pg_catalog.pg_policy p where p.polrelid ${equals} c.oid), '[]')
) as "table"
from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid ${equals} c.relnamespace
where c.relkind in ('r', 'p') and not c.relispartition
  and ($1::pg_catalog.text is null or n.nspname ${equals} $1::pg_catalog.name)
  and (n.nspname ${equals} 'storage' and c.relname ${equals} 'files'
    or n.nspname ${equals} 'realtime' and c.relname ${equals} 'messages'
    or ${isOfProject} and ${isOfNoExtension('pg_class', 'c.oid')})
order by n.nspname, c.relname
limit ${maxTables}`;

/** The row of the JSON of a `PolicyList`. */
export const LIST_POLICIES_SQL = `select ${boundedJson(`pg_catalog.json_build_object('tables', coalesce((
  select pg_catalog.json_agg(listed."table") from (${tables}) as listed), '[]'))`)} as content`;
