import type { RetryPolicy } from '../retry.js';

/**
 * Pauses before a connection is opened or a channel is joined again. They are random below the limit, so that the clients
 * of a server that restarts do not all come back at the same moment.
 */
export const reconnection: Pick<RetryPolicy, 'firstPauseMs' | 'maxPauseMs'> = {
  firstPauseMs: 1_000,
  maxPauseMs: 30_000,
};
