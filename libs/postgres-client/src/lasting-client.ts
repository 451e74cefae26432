// The connection of pg that every pool and every single client of the process is made of. pg reports a lost
// connection as the event `error`, and Node.js ends the process when an event of that name meets no listener.
// Pools take their listener off while a connection is lent, and TypeORM, Kysely and BullMQ add theirs a moment
// later or never; the server can end a connection in any of these moments.
import pg from 'pg';
import { limitMessages } from './message-limit.js';

const ignore = (): void => undefined;

/**
 * A pg client that never ends the process: it has a listener for `error` from its first moment to its last. The loss
 * of its connection fails the statement that waits and all later ones. A message of the server that is too long to be
 * read loses the connection. Pools take it as their option `Client`.
 */
export class LastingClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.on('error', ignore);
    const { connection } = this;
    connection.once(this.ssl ? 'sslconnect' : 'connect', () => limitMessages(connection.stream));
  }

  override removeAllListeners(event?: string | symbol): this {
    super.removeAllListeners(event);
    if (event === undefined || event === 'error') this.on('error', ignore);
    return this;
  }
}
