// The schemas of the platform in a project's database.
import pg from 'pg';

/** Those that the first migrations make, which the superuser runs. */
const foundationSchemas = ['auth', 'storage', 'platform'] as const;

/** Those that later migrations make, as the platform's own role. A release that brings a schema adds its name here. */
const laterSchemas = ['realtime'] as const;

/** All of them. */
export const platformSchemas = [...foundationSchemas, ...laterSchemas] as const;

/**
 * Returns SQL that gives the platform's role each schema that later migrations make, before they run. The owner of a
 * project may make schemas, so one of that name may exist: it is called `own_<name>` from then on, with all that is in
 * it and the rights that others have. Run it as the superuser, whose triggers are off.
 */
export function reserveSchemasSql(role: string): string {
  return `
do $reserve$
declare
  target constant pg_catalog.text := ${pg.escapeLiteral(role)};
  wanted pg_catalog.text;
  free pg_catalog.text;
  tries pg_catalog.int4;
begin
  foreach wanted in array array[${laterSchemas.map((name) => pg.escapeLiteral(name)).join(', ')}]::pg_catalog.text[] loop
    continue when exists (
      select from pg_catalog.pg_namespace join pg_catalog.pg_roles on pg_roles.oid = nspowner
      where nspname = wanted and rolname = target
    );
    if exists (select from pg_catalog.pg_namespace where nspname = wanted) then
      free := 'own_' || wanted;
      tries := 1;
      while exists (select from pg_catalog.pg_namespace where nspname = free) loop
        tries := tries + 1;
        free := pg_catalog.format('own_%s_%s', wanted, tries);
      end loop;
      execute pg_catalog.format('alter schema %I rename to %I', wanted, free);
    end if;
    execute pg_catalog.format('create schema %I authorization %I', wanted, target);
  end loop;
end
$reserve$`;
}
