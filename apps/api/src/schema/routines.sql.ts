// Enums and functions as parts of the description of a schema ($1), and one function by itself.
import {
  boundedJson,
  cutComment,
  cutDefinition,
  type JsonBytes,
  type JsonRow,
  jsonBytesOf,
  type Transaction,
} from '#libs/database';

import { isOfNoExtension, isOfProject } from './catalog-parts.sql.js';
import type { FunctionDetails } from './schema-content.js';

export const enums = `
  array(select pg_catalog.json_build_object(
          'schema', n.nspname, 'name', y.typname,
          'values', array(select l.enumlabel from pg_catalog.pg_enum l
                           where l.enumtypid operator(pg_catalog.=) y.oid order by l.enumsortorder),
          'comment', ${cutComment("pg_catalog.obj_description(y.oid, 'pg_type')")})
        from pg_catalog.pg_type y
        join pg_catalog.pg_namespace n on n.oid operator(pg_catalog.=) y.typnamespace
       where n.nspname operator(pg_catalog.=) $1::pg_catalog.name
         and y.typtype operator(pg_catalog.=) 'e'
         and ${isOfNoExtension('pg_type', 'y.oid')}
       order by y.typname)`;

const functionFields = `
  'id', p.oid::pg_catalog.text, 'schema', n.nspname, 'name', p.proname,
  'arguments', ${cutDefinition('pg_catalog.pg_get_function_arguments(p.oid)')},
  'identityArguments', pg_catalog.pg_get_function_identity_arguments(p.oid),
  'returns', pg_catalog.pg_get_function_result(p.oid),
  'language', l.lanname,
  'kind', case p.prokind when 'p' then 'procedure' when 'a' then 'aggregate' when 'w' then 'window'
               else 'function' end,
  'volatility', case p.provolatile when 'i' then 'immutable' when 's' then 'stable' else 'volatile' end,
  'isSecurityDefiner', p.prosecdef,
  'comment', ${cutComment("pg_catalog.obj_description(p.oid, 'pg_proc')")}`;

const functionTables = `
  pg_catalog.pg_proc p
  join pg_catalog.pg_namespace n on n.oid operator(pg_catalog.=) p.pronamespace
  join pg_catalog.pg_language l on l.oid operator(pg_catalog.=) p.prolang`;

export const functions = `
  array(select pg_catalog.json_build_object(${functionFields})
        from ${functionTables}
       where n.nspname operator(pg_catalog.=) $1::pg_catalog.name
         and ${isOfNoExtension('pg_proc', 'p.oid')}
       order by p.proname, p.oid)`;

const functionDetails = `pg_catalog.json_build_object(${functionFields},
  'definition', case when p.prokind operator(pg_catalog.<>) 'a'
                     then pg_catalog.pg_get_functiondef(p.oid) end,
  'grantedTo', array(
    select r.rolname from pg_catalog.pg_roles r
     where r.rolname operator(pg_catalog.=) any ('{anon,authenticated,service_role}')
       and pg_catalog.has_function_privilege(r.oid, p.oid, 'execute')
     order by r.rolname))`;

/**
 * A function of the project with its whole definition, which is edited; undefined if there is none with the oid. Throws
 * RESULT_TOO_LARGE.
 */
export async function findFunction(
  tx: Transaction,
  oid: string,
): Promise<JsonBytes<FunctionDetails> | undefined> {
  const { rows } = await tx.query<JsonRow>(
    `select ${boundedJson(functionDetails)} as content
       from ${functionTables}
      where p.oid operator(pg_catalog.=) $1::pg_catalog.oid
        and ${isOfProject}
        and ${isOfNoExtension('pg_proc', 'p.oid')}`,
    [oid],
  );
  return rows[0] && jsonBytesOf(rows[0]);
}
