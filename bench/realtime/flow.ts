// Changes written as fast as they arrive: the writer is ahead of its readers by a bounded number of rows.

import type { Client } from 'pg';
import type { Measurement } from '../rate-book.js';
import type { CheckedSeries } from '../storage/place.js';
import { INGEST } from './demands.js';
import { machineMs } from './load-socket.js';
import { type RealtimePlace, socketTargetOf } from './place.js';
import { LIVE } from './tables.js';

const BATCH_ROWS = 500;
/** Rows that may be on their way: what waits for a client must stay below the limits for slow ones. */
const AHEAD_ROWS = 2_000;
const OPENED_AT_ONCE = 20;
const LIMIT_MS = 60_000;
const CHECKED_ROWS = 1_000;

export interface Flow {
  /** Writes until it is stopped, and gives how many rows every socket has received a second. */
  readonly done: Promise<number>;
  stop(): void;
}

async function writeBatch(writer: Client): Promise<void> {
  await writer.query(
    `insert into public.${LIVE} (body) select 'row of a flow' from generate_series(1, $1::integer)`,
    [BATCH_ROWS],
  );
}

/** Opens signed-out clients that have joined the changes of a table. */
export async function openReaders(
  place: RealtimePlace,
  crowd: string,
  count: number,
): Promise<void> {
  const { crowds } = place;
  const target = socketTargetOf(place);
  await crowds.run({ kind: 'open', crowd, target, count, auths: [{}], atOnce: OPENED_AT_ONCE });
  const join = { topic: crowd, tables: [LIVE] };
  await crowds.run({ kind: 'join', crowd, join, atOnce: OPENED_AT_ONCE });
}

/** Begins to write for readers that have received nothing yet. */
export function startFlow({ crowds, writer }: RealtimePlace, crowd: string): Flow {
  let isStopped = false;
  const received = (events: number) =>
    crowds.run({ kind: 'await', crowd, events, limitMs: LIMIT_MS });
  const run = async (): Promise<number> => {
    const startedAt = machineMs();
    let written = 0;
    while (!isStopped) {
      await writeBatch(writer);
      written += BATCH_ROWS;
      if (written > AHEAD_ROWS) await received(written - AHEAD_ROWS);
    }
    const { atMs } = await received(written);
    return (written * 1000) / (atMs - startedAt);
  };
  const done = run();
  // It may break while its owner still waits for other work, which then learns of it.
  done.catch(() => undefined);
  return {
    done,
    stop() {
      isStopped = true;
    },
  };
}

async function measureFlow(place: RealtimePlace, count: number): Promise<Measurement> {
  const crowd = 'ingest';
  await openReaders(place, crowd, count);
  try {
    const flow = startFlow(place, crowd);
    setTimeout(() => flow.stop(), place.by.seconds * 1000);
    return { perSecond: await flow.done };
  } finally {
    await place.crowds.run({ kind: 'close', crowd });
  }
}

export function openIngest(place: RealtimePlace): Promise<CheckedSeries[]> {
  const series: CheckedSeries = {
    key: INGEST,
    async faultOf() {
      const crowd = 'ingest check';
      await openReaders(place, crowd, 2);
      for (let rows = 0; rows < CHECKED_ROWS; rows += BATCH_ROWS) await writeBatch(place.writer);
      await place.crowds.run({ kind: 'await', crowd, events: CHECKED_ROWS, limitMs: LIMIT_MS });
      await place.crowds.run({ kind: 'close', crowd });
      return undefined;
    },
    measure: () => measureFlow(place, INGEST.connections),
  };
  return Promise.resolve([series]);
}
