// Parts of statements on the catalogs of a project: `c` is a row of pg_class, and `n` the one of pg_namespace for it.
import { blockedNames } from '#libs/catalog';

/** Schemas whose objects belong to the platform or to PostgreSQL. */
export const platformSchemas: readonly string[] = [
  'auth',
  'information_schema',
  'jobs',
  'platform',
  'realtime',
  'storage',
];

/** The condition that the schema `n` belongs to the project. */
export const isOfProject = `n.nspname operator(pg_catalog.!~) '^pg_'
  and n.nspname operator(pg_catalog.<>) all ('{${platformSchemas.join(',')}}')`;

/** The condition that an object belongs to no extension. */
export const isOfNoExtension = (catalog: string, oid: string): string => `not exists (
  select from pg_catalog.pg_depend x
   where x.classid operator(pg_catalog.=) 'pg_catalog.${catalog}'::pg_catalog.regclass
     and x.objid operator(pg_catalog.=) ${oid} and x.deptype operator(pg_catalog.=) 'e')`;

/** Whether requests to `/rest/v1` reach the relation `c`. Policies and grants decide what they see. */
export const isExposedTable = `n.nspname operator(pg_catalog.=) 'public'
  and c.relkind operator(pg_catalog.=) any ('{r,p}') and not c.relispartition
  and c.relname operator(pg_catalog.<>) all ('{${blockedNames.join(',')}}'::pg_catalog.name[])`;

/** The names of the columns of `relation` with the numbers in the array `numbers`, in its order. */
export const namesOf = (relation: string, numbers: string): string => `
  array(select a.attname::pg_catalog.text
          from pg_catalog.unnest(${numbers}) with ordinality as u (number, place)
          join pg_catalog.pg_attribute a on a.attrelid operator(pg_catalog.=) ${relation}
           and a.attnum operator(pg_catalog.=) u.number
         order by u.place)`;

/** The names of the columns of the primary key of `c`; an index may have others after them. Empty without a key. */
export const primaryKeyOf = `coalesce(
  (select ${namesOf('i.indrelid', '(i.indkey::pg_catalog.int2[])[0:i.indnkeyatts operator(pg_catalog.-) 1]')}
     from pg_catalog.pg_index i
    where i.indrelid operator(pg_catalog.=) c.oid and i.indisprimary), '{}')`;
