import type { IncomingMessage } from 'node:http';

import type { ApiDeps } from '../http/api-deps.js';

/** What sockets need of the process. */
export interface SocketDeps extends Pick<
  ApiDeps,
  'registry' | 'assertionKey' | 'now' | 'log' | 'drain'
> {
  /** The network of the client of a request; undefined when its connection has ended. */
  readonly networkOf: (request: IncomingMessage) => string | undefined;
}
