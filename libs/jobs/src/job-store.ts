import { LastingClient } from '#libs/postgres-client';

/** Where signals travel and jobs wait. */
export type JobStore =
  | { readonly kind: 'postgres'; readonly url: string }
  | { readonly kind: 'redis'; readonly url: string };

/** The connection of BullMQ to PostgreSQL: everything lies in one schema, which it makes and upgrades itself. */
export function postgresConnection(url: string, max: number) {
  return { connectionString: url, schema: 'jobs', max, migrate: true, Client: LastingClient };
}

/**
 * Returns the backend after it was given the client with which it listens. BullMQ takes that one from its own import
 * of pg, and has no listener for its errors when it opens and when it closes.
 */
export function withLastingListener<Backend extends object>(backend: Backend): Backend {
  const connection: unknown = Reflect.get(backend, 'connection');
  if (typeof connection !== 'object' || connection === null || !('pgModule' in connection)) {
    throw new Error('BullMQ keeps its connection to PostgreSQL elsewhere than it did');
  }
  connection.pgModule = { Client: LastingClient };
  return backend;
}
