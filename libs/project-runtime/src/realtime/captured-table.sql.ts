import type { EngineQueries } from '#libs/database';

/**
 * The number of a table of `public` whose changes are captured; undefined if there is none. A partition has no changes of
 * its own: they are those of its table.
 */
export async function findCapturedTable(
  db: EngineQueries,
  name: string,
): Promise<number | undefined> {
  const [row] = await db.queryAsEngine<{ id: number }>(
    `select c.oid::pg_catalog.int8::pg_catalog.float8 as id
     from pg_catalog.pg_class c
     join pg_catalog.pg_namespace n on n.oid operator(pg_catalog.=) c.relnamespace
     where n.nspname operator(pg_catalog.=) 'public' and c.relname operator(pg_catalog.=) $1::pg_catalog.name
       and c.relkind operator(pg_catalog.=) any ('{r,p}'::pg_catalog."char"[]) and not c.relispartition
       and exists (
         select from pg_catalog.pg_trigger t
         where t.oid operator(pg_catalog.=) any (pg_catalog.rowhouse_capture_triggers(c.oid))
           and t.tgenabled operator(pg_catalog.=) any ('{O,A}'::pg_catalog."char"[])
       )`,
    [name],
  );
  return row?.id;
}
