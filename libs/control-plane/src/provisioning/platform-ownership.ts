import pg from 'pg';
import { platformSchemas } from './platform-schemas.js';

/**
 * SQL that gives the schemas of the platform, with everything in them, to a role. It takes objects of superusers and of
 * the owner of the templates and leaves the rest: `storage.files` belongs to the project, for its policies.
 */
export function platformOwnership(role: string): string {
  return `
do $ownership$
declare
  target constant pg_catalog.text := ${pg.escapeLiteral(role)};
  command pg_catalog.text;
begin
  for command in
    with given as (
      select oid from pg_catalog.pg_roles where rolsuper or rolname = 'platform_owner'
    ), owned_schema as (
      select oid, nspname, nspowner from pg_catalog.pg_namespace
      where nspname in (${platformSchemas.map((name) => pg.escapeLiteral(name)).join(', ')})
    )
    select pg_catalog.format('alter schema %I owner to %I', nspname, target)
    from owned_schema where nspowner in (select oid from given)
    union all
    select pg_catalog.format('alter %s %I.%I owner to %I',
      case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end,
      nspname, relname, target)
    from pg_catalog.pg_class join owned_schema on owned_schema.oid = relnamespace
    where relkind in ('r', 'p', 'v', 'm', 'S') and relowner in (select oid from given)
      -- A sequence of a column goes with its table.
      and not exists (
        select from pg_catalog.pg_depend
        where classid = 'pg_catalog.pg_class'::pg_catalog.regclass and objid = pg_class.oid
          and relkind = 'S' and deptype in ('a', 'i')
      )
    union all
    select pg_catalog.format('alter routine %I.%I(%s) owner to %I',
      nspname, proname, pg_catalog.pg_get_function_identity_arguments(pg_proc.oid), target)
    from pg_catalog.pg_proc join owned_schema on owned_schema.oid = pronamespace
    where proowner in (select oid from given)
    union all
    select pg_catalog.format('alter type %I.%I owner to %I', nspname, typname, target)
    from pg_catalog.pg_type join owned_schema on owned_schema.oid = typnamespace
    where typtype in ('e', 'd') and typowner in (select oid from given)
  loop
    execute command;
  end loop;
end
$ownership$`;
}
