import { setTimeout as delay } from 'node:timers/promises';

import { LastingClient } from '#libs/postgres-client';

/** The store through which signals and jobs go. */
export type JobStore =
  | { readonly kind: 'postgres'; readonly url: string }
  | { readonly kind: 'redis'; readonly url: string };

/** The connection of BullMQ to PostgreSQL: BullMQ creates and upgrades its own schema. */
export function postgresConnection(url: string, max: number) {
  return { connectionString: url, schema: 'jobs', max, migrate: true, Client: LastingClient };
}

/** The pause before a failed connection is tried again; milliseconds. */
const reconnectMs = 500;

/**
 * Passes the backend the client with which it listens, and returns it. BullMQ would take a client from its own import
 * of pg, and listens to no errors of it while it opens and closes.
 *
 * Makes it connect again after a failure of its first connection. BullMQ keeps the failure for good, in the connection
 * and in the backend, and its workers repeat a failed step without a pause: they would keep the event loop from all other
 * work, and run each job again and again because it cannot be completed.
 */
export function withLastingConnection<Backend extends object>(backend: Backend): Backend {
  const connection: unknown = 'connection' in backend ? backend.connection : undefined;
  if (
    typeof connection !== 'object' ||
    connection === null ||
    !('pgModule' in connection && 'bootstrap' in connection) ||
    typeof connection.bootstrap !== 'function'
  ) {
    throw new Error(
      'BullMQ no longer keeps its PostgreSQL connection where this release expects it',
    );
  }
  connection.pgModule = { Client: LastingClient };
  const connect = connection.bootstrap.bind(connection);
  connection.bootstrap = async () => {
    try {
      await connect();
    } catch (error) {
      await delay(reconnectMs);
      Reflect.deleteProperty(connection, 'readyPromise');
      Reflect.deleteProperty(backend, 'readyPromise');
      throw error;
    }
  };
  return backend;
}
