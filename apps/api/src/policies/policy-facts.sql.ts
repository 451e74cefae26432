// What decides on the rows of a table for the current role: $1 is the schema, $2 the table. One JSON value, or no row.
import { primaryKeyOf } from '../schema/index.js';

const equals = 'operator(pg_catalog.=)';

/** `polcmd` in words. */
export const commandInWords = `case p.polcmd
  when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end`;

/** Names of the roles of a policy `p`. */
export const rolesOfPolicy = `(
  select pg_catalog.json_agg(case when role.oid ${equals} 0::pg_catalog.oid then 'public'
    else pg_catalog.pg_get_userbyid(role.oid)::pg_catalog.text end order by role.place)
  from pg_catalog.unnest(p.polroles) with ordinality as role (oid, place))`;

export const POLICY_FACTS_SQL = `select pg_catalog.json_build_object(
  'table', pg_catalog.json_build_object(
    'schema', n.nspname, 'name', c.relname, 'hasRls', c.relrowsecurity,
    'isSecured', pg_catalog.row_security_active(c.oid),
    'grants', coalesce((
      select pg_catalog.json_agg(pg_catalog.lower(word) order by word)
      from pg_catalog.unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE']) as word
      where pg_catalog.has_schema_privilege(n.oid, 'usage')
        and (pg_catalog.has_table_privilege(c.oid, word)
          or case when word operator(pg_catalog.<>) 'DELETE'
            then pg_catalog.has_any_column_privilege(c.oid, word) end)), '[]')),
  'primaryKey', ${primaryKeyOf},
  'policies', coalesce((
    select pg_catalog.json_agg(pg_catalog.json_build_object(
      'name', p.polname, 'command', ${commandInWords}, 'isPermissive', p.polpermissive,
      'roles', ${rolesOfPolicy},
      'using', pg_catalog.pg_get_expr(p.polqual, p.polrelid),
      'check', pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid)) order by p.polname)
    from pg_catalog.pg_policy p
    where p.polrelid ${equals} c.oid and pg_catalog.row_security_active(c.oid) and exists (
      select from pg_catalog.unnest(p.polroles) as role (oid)
      where role.oid ${equals} 0::pg_catalog.oid or pg_catalog.pg_has_role(role.oid, 'usage'))), '[]')
  )::pg_catalog.text
from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid ${equals} c.relnamespace
where n.nspname ${equals} $1::pg_catalog.name and c.relname ${equals} $2::pg_catalog.name
  and c.relkind in ('r', 'p', 'v', 'm', 'f')`;
