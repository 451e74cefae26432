// A client that was away while 1,000 rows were written: how long it takes from its new connection until it has them.

import { setTimeout as delay } from 'node:timers/promises';
import type { CheckedSeries } from '../storage/place.js';
import { RESUMED } from './demands.js';
import { joinTopic, machineMs } from './load-socket.js';
import { openSocket, type RealtimePlace, sessionAuth } from './place.js';
import { LIVE } from './tables.js';

const TOPIC = 'resume';
const MISSED_ROWS = 1_000;
const STEPS = 100;
const AWAY_MS = 30_000;
const LIMIT_MS = 30_000;
/** What must not come any more has come by then. */
const QUIET_MS = 300;
const ENTRY_IDS = /"id":"(\d+\.\d+)"/g;

async function writeMissed({ writer }: RealtimePlace, awayMs: number): Promise<void> {
  for (let step = 0; step < STEPS; step += 1) {
    await writer.query(
      `insert into public.${LIVE} (body) select 'missed' from generate_series(1, $1::integer)`,
      [MISSED_ROWS / STEPS],
    );
    await delay(awayMs / STEPS);
  }
}

/** Joins, leaves, comes back; gives the milliseconds of coming back. */
async function resumeMs(place: RealtimePlace, awayMs: number): Promise<number> {
  const first = await openSocket(place, { auth: sessionAuth(1), take: () => undefined });
  const { cursor } = await joinTopic(first, { topic: TOPIC, tables: [LIVE] });
  first.close();
  await writeMissed(place, awayMs);
  // An entry may come twice, with the same id.
  const received = new Set<string>();
  let completeAt: number | undefined;
  const startedAt = machineMs();
  const again = await openSocket(place, {
    auth: sessionAuth(1),
    take(packet) {
      for (const [, id = ''] of packet.toString().matchAll(ENTRY_IDS)) received.add(id);
      if (received.size >= MISSED_ROWS) completeAt ??= machineMs();
    },
  });
  const joined = await joinTopic(again, {
    topic: TOPIC,
    tables: [LIVE],
    resume: String(cursor),
  });
  if (joined['recovered'] !== true) throw new Error('The client was not brought up to date');
  while (completeAt === undefined) {
    if (machineMs() > startedAt + LIMIT_MS) {
      throw new Error(`${String(received.size)} of ${String(MISSED_ROWS)} rows have come`);
    }
    await delay(1);
  }
  await delay(QUIET_MS);
  again.close();
  if (received.size !== MISSED_ROWS) throw new Error(`${String(received.size)} rows have come`);
  return completeAt - startedAt;
}

export function openResume(place: RealtimePlace): Promise<CheckedSeries[]> {
  const series: CheckedSeries = {
    key: RESUMED,
    async faultOf() {
      await resumeMs(place, 0);
      return undefined;
    },
    async measure() {
      const ms = await resumeMs(place, AWAY_MS);
      return { perSecond: 1000 / ms, p50Ms: ms };
    },
  };
  return Promise.resolve([series]);
}
