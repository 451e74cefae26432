// Ten thousand connections of different users in one process: how fast they connect and join, what an idle one
// takes of memory, and how long one event needs to all of them. Each round begins with a fresh process.

import { setTimeout as delay } from 'node:timers/promises';
import type { RateBook } from '../rate-book.js';
import { reasonOf } from '../series.js';
import { allowedSockets, openFilesLimit } from './crowd.js';
import { CONNECTED, JOINED, MESSAGE_TO_ALL, ROW_TO_ALL } from './demands.js';
import { joinTopic, machineMs, okAnswer } from './load-socket.js';
import { openSocket, type RealtimePlace, sessionAuth, socketTargetOf } from './place.js';
import { LIVE, OWNED } from './tables.js';

const AT_ONCE = 50;
const WARM_UP_SOCKETS = 200;
const SETTLE_MS = 2_000;
const LIMIT_MS = 120_000;
const CROWD = 'many';
const TOPIC = 'many';

interface Filled {
  readonly rssBytes: number;
  readonly heapBytes: number;
}

/** Memory in use when nothing is under way. */
async function readSettled({ product }: RealtimePlace): Promise<Filled> {
  await delay(SETTLE_MS);
  return product.current().readMemory();
}

async function openCrowd(place: RealtimePlace, count: number): Promise<number> {
  const auths = Array.from({ length: count }, (_, index) => sessionAuth(1 + index));
  const target = socketTargetOf(place);
  const { seconds } = await place.crowds.run({
    kind: 'open',
    crowd: CROWD,
    target,
    count,
    auths,
    atOnce: AT_ONCE,
  });
  return seconds;
}

async function joinAll({ crowds }: RealtimePlace): Promise<number> {
  const join = { topic: TOPIC, tables: [OWNED] };
  const { seconds } = await crowds.run({ kind: 'join', crowd: CROWD, join, atOnce: AT_ONCE });
  return seconds;
}

/** Sends one event and gives the milliseconds until the last socket has it. */
async function untilAll(
  { crowds }: RealtimePlace,
  events: number,
  send: () => Promise<unknown>,
): Promise<number> {
  const arrived = crowds.run({ kind: 'await', crowd: CROWD, events, limitMs: LIMIT_MS });
  const sentAt = machineMs();
  const [{ atMs }] = await Promise.all([arrived, send()]);
  return atMs - sentAt;
}

let rowId = 0;

/** A row that every user sees. */
function publish({ writer }: RealtimePlace): Promise<unknown> {
  rowId += 1;
  return writer.query(`insert into public.${OWNED} values ($1, null, true, 'for all')`, [
    1_000_000 + rowId,
  ]);
}

/** Compiles what connections and joins run, so that a fresh process is compared with itself. */
async function warmUp(place: RealtimePlace): Promise<void> {
  await openCrowd(place, WARM_UP_SOCKETS);
  await joinAll(place);
  await untilAll(place, 1, () => publish(place));
  await place.crowds.run({ kind: 'close', crowd: CROWD });
}

async function measureRound(place: RealtimePlace, sockets: number): Promise<void> {
  const { rates, crowds } = place;
  await warmUp(place);
  const before = await readSettled(place);
  const growth = ({ rssBytes, heapBytes }: Filled) => ({
    grownBytes: (rssBytes - before.rssBytes) / sockets,
    grownHeapBytes: (heapBytes - before.heapBytes) / sockets,
  });
  const connectSeconds = await openCrowd(place, sockets);
  const connected = await readSettled(place);
  rates.add(CONNECTED, { perSecond: sockets / connectSeconds, ...growth(connected) });
  const joinSeconds = await joinAll(place);
  const joined = await readSettled(place);
  rates.add(JOINED, { perSecond: sockets / joinSeconds, ...growth(joined) });
  const rowMs = await untilAll(place, 1, () => publish(place));
  rates.add(ROW_TO_ALL, { perSecond: (sockets * 1000) / rowMs, p50Ms: rowMs });
  const sender = await openSocket(place, { auth: sessionAuth(1), take: () => undefined });
  await joinTopic(sender, { topic: TOPIC });
  const messageMs = await untilAll(place, 2, async () => {
    const payload = { text: 'm'.repeat(110) };
    okAnswer(await sender.ask('rt:send', { topic: TOPIC, event: 'moved', payload }));
  });
  rates.add(MESSAGE_TO_ALL, { perSecond: (sockets * 1000) / messageMs, p50Ms: messageMs });
  sender.close();
  await crowds.run({ kind: 'close', crowd: CROWD });
}

function failAll(rates: RateBook, reason: string): void {
  for (const { target, work } of [CONNECTED, JOINED, ROW_TO_ALL, MESSAGE_TO_ALL]) {
    rates.fail({ target, work, reason });
  }
}

/** Measures into the rates of the run; ends with a fresh process. */
export async function measureMany(place: RealtimePlace, rounds: number): Promise<void> {
  const { say, product, rates, writer } = place;
  const sockets = allowedSockets(place.sockets);
  const limit = String(openFilesLimit());
  say(`${String(sockets)} sockets; a process may have ${limit} files open (ulimit -n)`);
  try {
    for (let round = 1; round <= rounds; round += 1) {
      await measureRound(place, sockets);
      say(`round ${String(round)}: ${String(sockets)} sockets have connected, joined and received`);
      await product.restart();
    }
  } catch (error) {
    failAll(rates, reasonOf(error));
    say(`product, many sockets: FAILED: ${reasonOf(error)}`);
    await product.restart();
  }
  await writer.query(`truncate public.${OWNED}, public.${LIVE}`);
}
