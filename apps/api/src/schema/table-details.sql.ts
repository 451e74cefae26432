import {
  boundedJson,
  cutComment,
  cutDefinition,
  type JsonBytes,
  type JsonRow,
  jsonBytesOf,
  type Transaction,
} from '#libs/database';

import { isOfNoExtension } from './catalog-parts.sql.js';

export interface TableIndex {
  readonly name: string;
  /** The statement that makes it. Definitions, expressions and comments that are very long are cut; they end with "…". */
  readonly definition: string;
  readonly isUnique: boolean;
  readonly isPrimary: boolean;
  /** False after `create index concurrently` has failed. */
  readonly isValid: boolean;
}

export interface TableConstraint {
  readonly name: string;
  /** As `alter table … add constraint` takes it. */
  readonly definition: string;
}

export interface TableTrigger {
  readonly name: string;
  /** The statement that makes it. */
  readonly definition: string;
  readonly isEnabled: boolean;
}

export interface TablePolicy {
  readonly name: string;
  readonly command: 'all' | 'select' | 'insert' | 'update' | 'delete';
  /** `public` means every role. */
  readonly roles: readonly string[];
  /** Whether it allows; restrictive policies narrow the permissive ones down. */
  readonly isPermissive: boolean;
  readonly using: string | null;
  readonly check: string | null;
  readonly comment: string | null;
}

/** What PostgreSQL keeps only while the table, or one of its columns, is there. */
export interface TableDependent {
  /** In words, as PostgreSQL names it in errors: `view public.notes_of_today`. */
  readonly object: string;
  /** The columns that it needs; empty if it needs the table alone. */
  readonly columns: readonly string[];
  /** Those of them that cannot be dropped without `cascade`. It goes with the others by itself. */
  readonly heldColumns: readonly string[];
  /** Whether it goes with the table by itself. Without, the table cannot be dropped without `cascade`. */
  readonly isOwn: boolean;
}

/** Privileges on the whole table: select, insert, update, delete, truncate, references, trigger. */
export interface TableGrants {
  readonly anon: readonly string[];
  readonly authenticated: readonly string[];
  readonly service_role: readonly string[];
}

/** What a table has beside the columns and keys of the list. */
export interface TableDetails {
  readonly schema: string;
  readonly name: string;
  readonly indexes: readonly TableIndex[];
  readonly uniques: readonly TableConstraint[];
  readonly checks: readonly TableConstraint[];
  /** Those of the platform and of foreign keys are left out. */
  readonly triggers: readonly TableTrigger[];
  readonly policies: readonly TablePolicy[];
  readonly dependents: readonly TableDependent[];
  readonly hasRls: boolean;
  /** Whether policies hold for the owner too. */
  readonly isRlsForced: boolean;
  readonly grants: TableGrants;
  /** Without indexes. */
  readonly tableBytes: number;
  readonly indexBytes: number;
}

const constraints = (kind: string): string => `
  array(select pg_catalog.json_build_object(
          'name', k.conname, 'definition', ${cutDefinition('pg_catalog.pg_get_constraintdef(k.oid)')})
        from pg_catalog.pg_constraint k
       where k.conrelid operator(pg_catalog.=) c.oid and k.contype operator(pg_catalog.=) '${kind}'
       order by k.conname)`;

const grantsOf = (role: string): string => `
  array(select p.name
          from pg_catalog.unnest('{select,insert,update,delete,truncate,references,trigger}'::pg_catalog.text[])
               with ordinality as p (name, place)
         where pg_catalog.has_table_privilege('${role}'::pg_catalog.name, c.oid, p.name)
         order by p.place)`;

const isOf = (catalog: string): string =>
  `d.classid operator(pg_catalog.=) 'pg_catalog.${catalog}'::pg_catalog.regclass`;
const catalogOf = (catalog: string, alias: string): string => `
            left join pg_catalog.${catalog} ${alias}
              on ${isOf(catalog)} and ${alias}.oid operator(pg_catalog.=) d.objid`;
const columnsWhere = (condition: string): string => `
  coalesce(pg_catalog.array_agg(distinct x.attname::pg_catalog.text) filter (where ${condition}), '{}')`;

const captureTriggers = `pg_catalog.array_cat(
  pg_catalog.rowhouse_capture_triggers(c.oid), pg_catalog.rowhouse_capture_triggers(c.oid, 'first'))`;

// A view depends by its rule; a rule is shown as its view. What depends on the row type depends on the table. Left out:
// tables for large values, the constraint that says "not null", the default of a column, and triggers of the platform.
const dependents = `
  array(select pg_catalog.json_build_object(
          'object', x.object,
          'columns', ${columnsWhere('x.attname is not null')},
          'heldColumns', ${columnsWhere('x.attname is not null and not x.is_own')},
          'isOwn', pg_catalog.bool_or(x.is_own))
        from (
          select case when ${isOf('pg_rewrite')}
                      then pg_catalog.pg_describe_object(
                        'pg_catalog.pg_class'::pg_catalog.regclass, r.ev_class, 0)
                      else pg_catalog.pg_describe_object(d.classid, d.objid, d.objsubid) end as object,
                 a.attname, d.deptype operator(pg_catalog.=) any ('{a,i,P,S}'::pg_catalog."char"[]) as is_own
            from pg_catalog.pg_depend d${catalogOf('pg_rewrite', 'r')}${catalogOf('pg_class', 'k')}${catalogOf('pg_constraint', 'o')}${catalogOf('pg_attrdef', 'f')}
            left join pg_catalog.pg_attribute a
              on d.refobjsubid operator(pg_catalog.>) 0
             and a.attrelid operator(pg_catalog.=) d.refobjid
             and a.attnum operator(pg_catalog.=) d.refobjsubid
           where (d.refclassid operator(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass
                  and d.refobjid operator(pg_catalog.=) c.oid
                  or d.refclassid operator(pg_catalog.=) 'pg_catalog.pg_type'::pg_catalog.regclass
                  and d.refobjid operator(pg_catalog.=) c.reltype
                  and d.deptype operator(pg_catalog.=) 'n')
             and not ${isOf('pg_type')}
             and (r.oid is null or r.ev_class operator(pg_catalog.<>) c.oid)
             and (k.oid is null or k.relkind operator(pg_catalog.<>) 't' and k.oid operator(pg_catalog.<>) c.oid)
             and (o.oid is null or o.contype operator(pg_catalog.<>) 'n')
             and (f.oid is null or f.adnum operator(pg_catalog.<>) d.refobjsubid)
             and not (${isOf('pg_trigger')} and d.objid operator(pg_catalog.=) any (
               ${captureTriggers}))
        ) x
       group by x.object
       order by x.object)`;

const details = `pg_catalog.json_build_object(
  'schema', n.nspname, 'name', c.relname,
  'indexes', array(select pg_catalog.json_build_object(
          'name', x.relname, 'definition', ${cutDefinition('pg_catalog.pg_get_indexdef(i.indexrelid)')},
          'isUnique', i.indisunique, 'isPrimary', i.indisprimary, 'isValid', i.indisvalid)
        from pg_catalog.pg_index i
        join pg_catalog.pg_class x on x.oid operator(pg_catalog.=) i.indexrelid
       where i.indrelid operator(pg_catalog.=) c.oid
       order by x.relname),
  'uniques', ${constraints('u')}, 'checks', ${constraints('c')},
  'triggers', array(select pg_catalog.json_build_object(
          'name', t.tgname, 'definition', ${cutDefinition('pg_catalog.pg_get_triggerdef(t.oid)')},
          'isEnabled', t.tgenabled operator(pg_catalog.<>) 'D')
        from pg_catalog.pg_trigger t
       where t.tgrelid operator(pg_catalog.=) c.oid and not t.tgisinternal
         and not exists (
           select from pg_catalog.unnest(${captureTriggers}) as w (oid)
            where w.oid operator(pg_catalog.=) t.oid)
       order by t.tgname),
  'policies', array(select pg_catalog.json_build_object(
          'name', p.polname,
          'command', case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update'
                          when 'd' then 'delete' else 'all' end,
          'roles', array(select case u.role when 0 then 'public'
                                else pg_catalog.pg_get_userbyid(u.role)::pg_catalog.text end
                           from pg_catalog.unnest(p.polroles) with ordinality as u (role, place)
                          order by u.place),
          'isPermissive', p.polpermissive,
          'using', ${cutDefinition('pg_catalog.pg_get_expr(p.polqual, p.polrelid)')},
          'check', ${cutDefinition('pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid)')},
          'comment', ${cutComment("pg_catalog.obj_description(p.oid, 'pg_policy')")})
        from pg_catalog.pg_policy p
       where p.polrelid operator(pg_catalog.=) c.oid
       order by p.polname),
  'dependents', ${dependents},
  'hasRls', c.relrowsecurity, 'isRlsForced', c.relforcerowsecurity,
  'grants', pg_catalog.json_build_object('anon', ${grantsOf('anon')}, 'authenticated', ${grantsOf('authenticated')},
    'service_role', ${grantsOf('service_role')}),
  'tableBytes', s.table_bytes, 'indexBytes', s.index_bytes)`;

const FIND_TABLE = `
select ${boundedJson(details)} as content
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid operator(pg_catalog.=) c.relnamespace
cross join lateral (
  with recursive members (oid) as (
    select c.oid
    union all
    select i.inhrelid
      from members m
      join pg_catalog.pg_inherits i on i.inhparent operator(pg_catalog.=) m.oid
      join pg_catalog.pg_class p on p.oid operator(pg_catalog.=) m.oid
     where p.relkind operator(pg_catalog.=) 'p')
  select pg_catalog.sum(pg_catalog.pg_table_size(m.oid))::pg_catalog.float8 as table_bytes,
         pg_catalog.sum(pg_catalog.pg_indexes_size(m.oid))::pg_catalog.float8 as index_bytes
    from members m) s
where n.nspname operator(pg_catalog.=) $1::pg_catalog.name
  and c.relname operator(pg_catalog.=) $2::pg_catalog.name
  and c.relkind operator(pg_catalog.=) any ('{r,p,v,m,f}')
  and ${isOfNoExtension('pg_class', 'c.oid')}`;

/** One table of a schema; undefined if there is none of that name. Throws RESULT_TOO_LARGE. */
export async function findTable(
  tx: Transaction,
  schema: string,
  table: string,
): Promise<JsonBytes<TableDetails> | undefined> {
  const { rows } = await tx.query<JsonRow>(FIND_TABLE, [schema, table]);
  return rows[0] && jsonBytesOf(rows[0]);
}
