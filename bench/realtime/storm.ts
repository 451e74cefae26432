// Two projects in one process: how soon a client of one receives a change while the other one is quiet, and while
// the other one sends as many changes to 100 clients as the machine can carry.

import type { Measurement } from '../rate-book.js';
import type { CheckedSeries } from '../storage/place.js';
import { delaysOf, openWaiter, type Waiter, writeByApi } from './delays.js';
import { NEIGHBOR_ALONE, NEIGHBOR_STORM, STORM } from './demands.js';
import { openReaders, startFlow } from './flow.js';
import { measuredTogether, type RealtimePlace, timesMeasured } from './place.js';

const WRITES = 60;
const PAUSES = { count: WRITES, pauseMs: 20, spreadMs: 40 };
const CROWD = 'storm';

type Name = 'alone' | 'storm' | 'flow';

async function measureStorm(place: RealtimePlace, waiter: Waiter) {
  const write = writeByApi(place, place.neighbor);
  const alone = timesMeasured(await delaysOf(waiter, write, PAUSES));
  await openReaders(place, CROWD, STORM.connections);
  try {
    const flow = startFlow(place, CROWD);
    const storm = await delaysOf(waiter, write, PAUSES)
      .then(timesMeasured)
      .finally(() => flow.stop());
    const measured: Record<Name, Measurement> = {
      alone,
      storm,
      flow: { perSecond: await flow.done },
    };
    return measured;
  } finally {
    await place.crowds.run({ kind: 'close', crowd: CROWD });
  }
}

export function openStorm(place: RealtimePlace): Promise<CheckedSeries[]> {
  const series = measuredTogether<Name>(
    { alone: NEIGHBOR_ALONE, storm: NEIGHBOR_STORM, flow: STORM },
    async () => {
      const waiter = await openWaiter(place, place.neighbor);
      return measureStorm(place, waiter).finally(() => waiter.close());
    },
    () => Promise.resolve(undefined),
  );
  return Promise.resolve(series);
}
