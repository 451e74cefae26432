import { LastingClient } from '#libs/postgres-client';

/** The store through which signals and jobs go. */
export type JobStore =
  | { readonly kind: 'postgres'; readonly url: string }
  | { readonly kind: 'redis'; readonly url: string };

/** The connection of BullMQ to PostgreSQL: BullMQ creates and upgrades its own schema. */
export function postgresConnection(url: string, max: number) {
  return { connectionString: url, schema: 'jobs', max, migrate: true, Client: LastingClient };
}

/**
 * Passes the backend the client with which it listens, and returns it. BullMQ would take a client from its own import
 * of pg, and listens to no errors of it while it opens and closes.
 */
export function withLastingListener<Backend extends object>(backend: Backend): Backend {
  const connection: unknown = Reflect.get(backend, 'connection');
  if (typeof connection !== 'object' || connection === null || !('pgModule' in connection)) {
    throw new Error(
      'BullMQ no longer keeps its PostgreSQL connection where this release expects it',
    );
  }
  connection.pgModule = { Client: LastingClient };
  return backend;
}
