// What one event to many costs the server: a message to 1,000 connections, and twenty changes of one transaction
// to 500, held against a frame that is written to each connection and against Socket.IO.

import { setTimeout as delay } from 'node:timers/promises';

import { askChild, startServer, type ServerChild } from '../child.js';
import { cpuMicrosOf } from '../cpu.js';
import type { Measurement, SeriesKey } from '../rate-book.js';
import type { CheckedSeries } from '../storage/place.js';
import {
  BURST,
  BURST_RAW,
  BURST_SOCKET_IO,
  FAN_OUT,
  FAN_OUT_RAW,
  FAN_OUT_SOCKET_IO,
} from './demands.js';
import type { EmitPlan } from './emit-plan.js';
import { joinTopic, type LoadSocket, okAnswer, type SocketTarget } from './load-socket.js';
import { openSocket, type RealtimePlace, socketTargetOf } from './place.js';
import { LIVE } from './tables.js';

const MESSAGES = 300;
const BURSTS = 100;
const BURST_EVENTS = 20;
const OPENED_AT_ONCE = 20;
const LIMIT_MS = 60_000;

const PAYLOAD = { x: 1, text: 'm'.repeat(110) };
const MESSAGE = { t: 'fan-out', event: 'moved', payload: PAYLOAD };

/** Who sends: once to everybody, when what was sent before has left. */
interface Source {
  readonly key: SeriesKey;
  readonly pid: () => number;
  readonly target: () => SocketTarget;
  /** Events of one sending, to each socket. */
  readonly events: number;
  readonly sendings: number;
  /** Whether all have received a sending before the next one, so that the server cannot join them. */
  readonly isApart: boolean;
  readonly join?: { readonly topic: string; readonly tables?: readonly string[] };
  readonly send: () => Promise<unknown>;
}

/** Opens the sockets, and sends until the time is over; gives the CPU time of an event for one socket. */
async function measureSource({ crowds }: RealtimePlace, source: Source): Promise<Measurement> {
  const crowd = `${source.key.target} ${source.key.work}`;
  const { connections: count } = source.key;
  const target = source.target();
  await crowds.run({ kind: 'open', crowd, target, count, auths: [{}], atOnce: OPENED_AT_ONCE });
  try {
    if (source.join !== undefined) {
      await crowds.run({ kind: 'join', crowd, join: source.join, atOnce: OPENED_AT_ONCE });
    }
    let sent = 0;
    const received = () => crowds.run({ kind: 'await', crowd, events: sent, limitMs: LIMIT_MS });
    const sendAll = async (times: number): Promise<void> => {
      for (let done = 0; done < times; done += 1) {
        await source.send();
        sent += source.events;
        if (source.isApart) await received();
      }
      await received();
    };
    await sendAll(Math.ceil(source.sendings / 10));
    const startedAt = performance.now();
    const before = cpuMicrosOf(source.pid());
    await sendAll(source.sendings);
    const after = cpuMicrosOf(source.pid());
    const seconds = (performance.now() - startedAt) / 1000;
    const deliveries = source.sendings * source.events * count;
    return {
      perSecond: deliveries / seconds,
      ...(before === undefined || after === undefined
        ? {}
        : { cpuMicros: (after - before) / deliveries }),
    };
  } finally {
    await crowds.run({ kind: 'close', crowd });
  }
}

function seriesOf(place: RealtimePlace, source: Source): CheckedSeries {
  return {
    key: source.key,
    faultOf: () =>
      measureSource(place, { ...source, sendings: 2, key: { ...source.key, connections: 2 } }).then(
        () => undefined,
      ),
    measure: () => measureSource(place, source),
  };
}

function serverSource(
  server: ServerChild,
  key: SeriesKey,
  {
    events,
    ...plan
  }: { events: number } & Omit<EmitPlan, 'kind' | 'times'> & Partial<Pick<EmitPlan, 'times'>>,
): Source {
  const emit: EmitPlan = { kind: 'emit', times: events, ...plan };
  return {
    key,
    events,
    sendings: events === 1 ? MESSAGES : BURSTS,
    isApart: events > 1,
    pid: () => server.pid,
    target: () => ({ port: server.port, host: 'localhost' }),
    send: () => askChild(server, emit),
  };
}

/** An event as the product sends it. */
const EVENT = {
  id: '1234567.1234567',
  b: ['Z'.repeat(43)],
  d: {
    schema: 'public',
    table: LIVE,
    eventType: 'INSERT',
    commit_timestamp: '2026-11-26T11:46:49.851323+00:00',
    new: { id: 1_000_000, body: 'row of a burst' },
    old: {},
  },
};
const CHANGE = { t: 'burst', e: [EVENT] };
/** All of a transaction, as the product sends them. */
const CHANGES = {
  t: 'burst',
  e: Array.from({ length: BURST_EVENTS }, () => EVENT),
  cur: 'c'.repeat(60),
};

/**
 * Sends a message as soon as it may be sent: the product limits the deliveries of a project, and the other servers do
 * not.
 */
async function sendMessage(sender: LoadSocket): Promise<void> {
  const { t: topic, event, payload } = MESSAGE;
  for (;;) {
    const answer = await sender.ask('rt:send', { topic, event, payload });
    const waitMs = waitOf(answer);
    if (waitMs === undefined) {
      okAnswer(answer);
      return;
    }
    await delay(waitMs);
  }
}

/** The milliseconds after which a limit lets the client send again; undefined in all other answers. */
function waitOf(answer: unknown): number | undefined {
  const isLimit = typeof answer === 'object' && answer !== null && 'retryAfterMs' in answer;
  return isLimit && typeof answer.retryAfterMs === 'number' ? answer.retryAfterMs : undefined;
}

/** Sends messages for the product's clients, and has joined their topic itself. */
async function openSender(place: RealtimePlace): Promise<LoadSocket> {
  const opened = await openSocket(place, { auth: {}, take: () => undefined });
  const sender = place.cleanup.keep(opened, (socket) => socket.close());
  await joinTopic(sender, { topic: MESSAGE.t });
  return sender;
}

export async function openFanOut(place: RealtimePlace): Promise<CheckedSeries[]> {
  const { cleanup, product, writer } = place;
  const start = async (module: string): Promise<ServerChild> =>
    cleanup.keep(await startServer(module), (server) => server.stop());
  const raw = await start('./servers/raw-sockets.js');
  const socketIo = await start('./servers/socket-io.js');
  const sender = await openSender(place);
  const own = { pid: () => product.current().pid, target: () => socketTargetOf(place) };
  const message = { event: 'rt:msg', payload: MESSAGE };
  const burstSql = `insert into public.${LIVE} (body)
    select 'row of a burst' from generate_series(1, ${String(BURST_EVENTS)})`;
  const sources: Source[] = [
    serverSource(raw, FAN_OUT_RAW, { events: 1, ...message }),
    serverSource(socketIo, FAN_OUT_SOCKET_IO, { events: 1, ...message }),
    {
      ...own,
      key: FAN_OUT,
      events: 1,
      sendings: MESSAGES,
      isApart: false,
      join: { topic: MESSAGE.t },
      send: () => sendMessage(sender),
    },
    serverSource(raw, BURST_RAW, {
      events: BURST_EVENTS,
      event: 'rt:pg',
      payload: CHANGES,
      times: 1,
    }),
    serverSource(socketIo, BURST_SOCKET_IO, {
      events: BURST_EVENTS,
      event: 'rt:pg',
      payload: CHANGE,
    }),
    {
      ...own,
      key: BURST,
      events: BURST_EVENTS,
      sendings: BURSTS,
      isApart: true,
      join: { topic: 'burst', tables: [LIVE] },
      send: () => writer.query(burstSql),
    },
  ];
  return sources.map((source) => seriesOf(place, source));
}
