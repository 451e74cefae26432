// The pg client class of every pool and every single client of the process. pg reports a lost connection as the event
// `error`, and Node.js ends the process if an `error` event has no listener. Pools remove their listener while a
// connection is lent, and TypeORM, Kysely and BullMQ add theirs a moment later or never; the server can close a
// connection in any of these moments.
import pg from 'pg';
import { limitMessages } from './message-limit.js';

const ignore = (): void => undefined;

/**
 * A pg client that never ends the process: it always has a listener for `error`. The loss of its connection fails the
 * waiting statement and all later ones. A server message that is too long closes the connection. Pools take it as their
 * option `Client`.
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
