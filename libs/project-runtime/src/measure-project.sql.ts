import type { EngineQueries } from '#libs/database';

/** What a project takes, in bytes. */
export interface MeasuredSize {
  readonly databaseBytes: number;
  readonly storageBytes: number;
}

/** Measures the database and the files of a project. The files are those that its buckets count. */
export async function measureProject(db: EngineQueries): Promise<MeasuredSize> {
  const [size] = await db.queryAsEngine<MeasuredSize>(
    `select pg_catalog.pg_database_size(pg_catalog.current_database())::pg_catalog.float8 as "databaseBytes",
       (select coalesce(pg_catalog.sum(used_bytes), 0) from storage.buckets)::pg_catalog.float8 as "storageBytes"`,
  );
  if (!size) throw new Error('the statement that measures a project answered nothing');
  return size;
}
