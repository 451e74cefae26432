// The PostgreSQL server of a deployment, as the control plane sees it.
import type { DataSource } from 'typeorm';

export interface DatabaseServerState {
  /** Such as `17.4`. */
  readonly version: string;
  readonly startedAt: Date;
  /** Connections of clients that are open now, and the most that the server accepts. */
  readonly connections: {
    readonly open: number;
    readonly active: number;
    readonly limit: number;
    /** Of the limit, those that are kept for superusers and the platform. */
    readonly reserved: number;
  };
}

/** Reads the state of the database server. Throws what the driver throws while it cannot be reached. */
export async function readDatabaseServer(dataSource: DataSource): Promise<DatabaseServerState> {
  const [row]: (Omit<DatabaseServerState, 'connections'> & DatabaseServerState['connections'])[] =
    await dataSource.query(
      `select pg_catalog.split_part(pg_catalog.current_setting('server_version'), ' ', 1) as version,
         pg_catalog.pg_postmaster_start_time() as "startedAt",
         (select pg_catalog.count(*)::pg_catalog.int4 from pg_catalog.pg_stat_activity
          where backend_type = 'client backend') as open,
         (select pg_catalog.count(*)::pg_catalog.int4 from pg_catalog.pg_stat_activity
          where backend_type = 'client backend' and state <> 'idle') as active,
         pg_catalog.current_setting('max_connections')::pg_catalog.int4 as limit,
         pg_catalog.current_setting('superuser_reserved_connections')::pg_catalog.int4
           + coalesce(nullif(pg_catalog.current_setting('reserved_connections', true), ''), '0')::pg_catalog.int4
           as reserved`,
    );
  if (row === undefined) throw new Error('the database server has answered with no row');
  const { version, startedAt, ...connections } = row;
  return { version, startedAt, connections };
}
