import type { Client } from 'pg';

import type { AppError } from '#libs/errors';
import type { KeptReply } from './kept-reply.js';

/** The count of what a client receives. */
export interface CountedClient {
  /** Why the connection was closed: there was no space for the answer. */
  readonly refusal: AppError | undefined;
  /** Ends the count. The space stays taken until the owner of the reply ends. */
  stop(): void;
}

/**
 * Takes space for each byte that a client receives: pg keeps all rows of a statement in memory. If there is none, the
 * connection is closed and `onRefused` is called, because the server may work on.
 */
export function countClient(client: Client, kept: KeptReply, onRefused: () => void): CountedClient {
  const { stream } = client.connection;
  let refusal: AppError | undefined;
  const onData = (chunk: Buffer): void => {
    if (refusal || kept.takeMemory(chunk.length)) return;
    refusal = kept.refuse();
    stream.destroy();
    onRefused();
  };
  stream.on('data', onData);
  return {
    get refusal() {
      return refusal;
    },
    stop: () => stream.off('data', onData),
  };
}
