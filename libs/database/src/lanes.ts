// The two kinds of connections as lanes of the budget: pipelines for table requests, pg clients for the rest.

import type { Client } from 'pg';
import type { LanePlan } from './budget/types.js';
import {
  backendOf,
  type ConnectionPlan,
  openClient,
  openSocket,
  REPLY_GRACE_MS,
  sendCancelRequest,
} from './connect.js';
import { PipelineConnection } from './pipeline-connection.js';
import type { ReplyShare } from './replies/reply-budget.js';

/** Batches on their way over one shared connection. */
const PIPELINE_DEPTH = 8;
/** More than the largest batch of writes and its lookup, so that a batch never evicts its own statements. */
const MAX_STATEMENTS = 200;
const MAX_RESULT_BYTES = 64 * 1024 * 1024;

export function pipelineLane(
  plan: ConnectionPlan,
  replies: ReplyShare | undefined,
): LanePlan<PipelineConnection> {
  return {
    depth: PIPELINE_DEPTH,
    isPaced: true,
    async open(lost) {
      const socket = await openSocket(plan);
      return new PipelineConnection(socket, {
        address: plan.address,
        maxStatements: MAX_STATEMENTS,
        maxResultBytes: MAX_RESULT_BYTES,
        statementTimeoutMs: plan.statementTimeoutMs,
        replyGraceMs: REPLY_GRACE_MS,
        onLost: lost,
        replies,
      });
    },
    close: (connection) => connection.close(),
    isFilling: (connection) => connection.isFilling,
  };
}

export function clientLane(plan: ConnectionPlan): LanePlan<Client> {
  return {
    depth: 1,
    open: (lost) => openClient(plan, lost),
    close: (client) => client.end(),
  };
}

/** Cancels the current statement of a client's backend. */
export function cancelClient(plan: ConnectionPlan, client: Client): Promise<void> {
  return sendCancelRequest(plan.address, backendOf(client));
}

/**
 * Ends the backend of a client that ignores a cancel request. Opens one connection of the same login for a moment,
 * outside of the budget: the place in the budget belongs to the backend that is being ended.
 */
export async function terminateClient(plan: ConnectionPlan, client: Client): Promise<void> {
  const other = await openClient(plan, () => undefined);
  try {
    await other.query('select pg_catalog.pg_terminate_backend($1)', [backendOf(client).processId]);
  } finally {
    await other.end();
  }
}

/**
 * Closes the connection of a client whose backend ignores a cancel request. A session in which `NOTICE_LOSS` was
 * set ends with it.
 */
export function dropClient({ connection }: Client): Promise<void> {
  connection.stream.destroy();
  return Promise.resolve();
}
