// What answers hold in a process, from its metrics.
import { waitFor } from '#libs/testing';

import type { Deployment } from './deployment.js';

export interface ReplyFigures {
  /** Bytes in memory. */
  readonly memory: number;
  /** Bytes in files. */
  readonly spool: number;
  readonly refused: number;
  /** Connections that were closed. */
  readonly slow: number;
}

export async function replyFigures({ apiOrigin }: Deployment): Promise<ReplyFigures> {
  const response = await fetch(`${apiOrigin}/metrics`);
  const lines = (await response.text()).split('\n');
  const read = (name: string): number =>
    Number(lines.find((line) => line.startsWith(`${name} `))?.slice(name.length));
  return {
    memory: read('rowhouse_reply_bytes{place="memory"}'),
    spool: read('rowhouse_reply_bytes{place="spool"}'),
    refused: read('rowhouse_replies_refused_total'),
    slow: read('rowhouse_slow_readers_total'),
  };
}

/** Waits until nothing of a reply is held any more. */
export async function repliesReleased(deployment: Deployment): Promise<void> {
  await waitFor(async () => {
    const { memory, spool } = await replyFigures(deployment);
    return memory === 0 && spool === 0;
  });
}
