import type { EngineQueries, ProjectDatabase } from '#libs/database';

/** A table of the schema public; partitions are part of their table. */
export interface CapturedTable {
  readonly table: string;
  /** Whether its changes are captured for clients that listen. */
  readonly enabled: boolean;
}

/** The tables by name; one of them if `table` is given. */
export function listTables(db: EngineQueries, table?: string): Promise<readonly CapturedTable[]> {
  return db.queryAsEngine<CapturedTable>(
    `select c.relname::pg_catalog.text as table, (
       select pg_catalog.count(*) operator(pg_catalog.=) 3 from pg_catalog.pg_trigger t
       where t.oid operator(pg_catalog.=) any (pg_catalog.rowhouse_capture_triggers(c.oid))
         and t.tgenabled operator(pg_catalog.=) any ('{O,A}'::pg_catalog."char"[])
     ) as enabled
     from pg_catalog.pg_class c
     join pg_catalog.pg_namespace n on n.oid operator(pg_catalog.=) c.relnamespace
     where n.nspname operator(pg_catalog.=) 'public'
       and c.relkind operator(pg_catalog.=) any ('{r,p}'::pg_catalog."char"[])
       and not c.relispartition and c.relname operator(pg_catalog.=) coalesce($1::pg_catalog.name, c.relname)
     order by c.relname`,
    [table ?? null],
  );
}

/** Switches the capture of a table, as the owner of the project: its triggers are the owner's to change. */
export async function switchTable(
  db: ProjectDatabase,
  { table, enabled }: CapturedTable,
): Promise<void> {
  await db.runScript(
    `select realtime.switch(pg_catalog.format('public.%I', $1::pg_catalog.text)::pg_catalog.regclass, $2::pg_catalog.bool)`,
    [table, enabled],
  );
}
