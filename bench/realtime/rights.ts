// How long a user that is deactivated goes on to receive changes, which are written all the time.

import { setTimeout as delay } from 'node:timers/promises';
import { call } from '../control.js';
import type { CheckedSeries } from '../storage/place.js';
import { DEACTIVATED } from './demands.js';
import { joinTopic, machineMs } from './load-socket.js';
import { openSocket, type RealtimePlace, sessionAuth, timesMeasured } from './place.js';
import { LIVE } from './tables.js';

const USERS = 10;
/** Of other parts of the run only the first sessions are used. */
const LAST_SESSION = 20_000;
const WRITE_EVERY_MS = 5;
const RECEIVING_MS = 300;
const ENDED_MS = 5_000;

/** Milliseconds from the request that deactivates a user to the last frame that the user received. */
async function lastFrameMs(place: RealtimePlace, session: number): Promise<number> {
  let lastAt = 0;
  let received = 0;
  const socket = await openSocket(place, {
    auth: sessionAuth(session),
    take() {
      received += 1;
      lastAt = machineMs();
    },
  });
  await joinTopic(socket, { topic: 'rights', tables: [LIVE] });
  await delay(RECEIVING_MS);
  if (received === 0) throw new Error('The user receives nothing before it is deactivated');
  const { product } = place;
  const sentAt = machineMs();
  await call({
    port: product.current().apiPort,
    host: product.project.host,
    method: 'POST',
    path: `/api/admin/users/bench_user_${String(session)}/deactivate`,
    headers: { apikey: product.project.secretKey },
  });
  const giveUpAt = machineMs() + ENDED_MS;
  while (socket.failure === undefined) {
    if (machineMs() > giveUpAt) throw new Error('A deactivated user stays connected');
    await delay(5);
  }
  return Math.max(0, lastAt - sentAt);
}

/** Writes rows all the time until the work has ended. */
async function whileWriting<T>({ writer }: RealtimePlace, work: () => Promise<T>): Promise<T> {
  const stopping = new AbortController();
  const writing = (async () => {
    while (!stopping.signal.aborted) {
      await writer.query(`insert into public.${LIVE} (body) values ('while rights change')`);
      await delay(WRITE_EVERY_MS);
    }
  })();
  try {
    return await work();
  } finally {
    stopping.abort();
    await writing;
  }
}

export function openRights(place: RealtimePlace): Promise<CheckedSeries[]> {
  let session = LAST_SESSION;
  const next = (): number => {
    session -= 1;
    return session;
  };
  const series: CheckedSeries = {
    key: DEACTIVATED,
    faultOf: () => whileWriting(place, () => lastFrameMs(place, next())).then(() => undefined),
    measure: () =>
      whileWriting(place, async () => {
        const times: number[] = [];
        for (let user = 0; user < USERS; user += 1) times.push(await lastFrameMs(place, next()));
        return timesMeasured(times);
      }),
  };
  return Promise.resolve([series]);
}
