// How soon a change reaches a client that waits for it, from the moment at which the write is sent.

import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { callAny } from '../control.js';
import { tokenOf } from '../database/accounts.js';
import type { Project } from '../product.js';
import type { CheckedSeries } from '../storage/place.js';
import { API_WRITE, SQL_CALM, SQL_COLD, SQL_HOT } from './demands.js';
import { joinTopic, machineMs } from './load-socket.js';
import { openSocket, type RealtimePlace, sessionAuth, timesMeasured } from './place.js';
import { LIVE } from './tables.js';

const API_WRITES = 100;
const HOT_WRITES = 40;
const CALM_WRITES = 6;
const LIMIT_MS = 10_000;
/** Pauses after which the product looks for changes every 250 ms, and every second (libs/realtime/src/feed/pace.ts). */
const CALM_PAUSE_MS = 3_000;
const COLD_PAUSE_MS = 33_000;
const SPREAD_MS = 400;

/** A client that waits for rows. */
export interface Waiter {
  /** When the row with this text in it arrived, by the clock of the machine. */
  arrival(text: string): Promise<number>;
  close(): void;
}

/** Opens a client that has joined the changes of a table. */
export async function openWaiter(place: RealtimePlace, project?: Project): Promise<Waiter> {
  const waiting = new Map<string, (atMs: number) => void>();
  const socket = await openSocket(
    place,
    {
      auth: project === undefined ? sessionAuth(1) : {},
      take(packet) {
        const atMs = machineMs();
        for (const [text, arrived] of waiting) {
          if (packet.includes(`"${text}"`)) arrived(atMs);
        }
      },
    },
    project,
  );
  await joinTopic(socket, { topic: 'delays', tables: [LIVE] });
  return {
    arrival(text) {
      return new Promise((resolve, reject) => {
        const late = (): void => reject(socket.failure ?? new Error(`No event with ${text} came`));
        const limit = setTimeout(late, LIMIT_MS);
        waiting.set(text, (atMs) => {
          clearTimeout(limit);
          waiting.delete(text);
          resolve(atMs);
        });
      });
    },
    close: () => socket.close(),
  };
}

let rows = 0;

/** Milliseconds from the sending of a write to the arrival of its change. */
export async function delayOf(
  waiter: Waiter,
  write: (body: string) => Promise<unknown>,
): Promise<number> {
  rows += 1;
  const body = `row ${String(rows)}`;
  const arrival = waiter.arrival(body);
  const sentAt = machineMs();
  const [arrivedAt] = await Promise.all([arrival, write(body)]);
  return arrivedAt - sentAt;
}

export function writeBySql(client: Client): (body: string) => Promise<unknown> {
  return (body) => client.query(`insert into public.${LIVE} (body) values ($1)`, [body]);
}

/** A row as a user of a project without sessions of its own, or as the first user. */
export function writeByApi(
  { product }: RealtimePlace,
  project: Project = product.project,
): (body: string) => Promise<unknown> {
  const headers =
    project === product.project
      ? { authorization: `Bearer ${tokenOf(1)}` }
      : { apikey: project.secretKey };
  return async (body) => {
    const { status } = await callAny({
      port: product.current().apiPort,
      host: project.host,
      method: 'POST',
      path: `/rest/v1/${LIVE}`,
      headers,
      body: { body },
    });
    if (status !== 201) throw new Error(`An insert was answered ${String(status)}`);
  };
}

/** The delays of writes, one after another with pauses that are not all alike. */
export async function delaysOf(
  waiter: Waiter,
  write: (body: string) => Promise<unknown>,
  { count, pauseMs, spreadMs }: { count: number; pauseMs: number; spreadMs: number },
): Promise<number[]> {
  const taken: number[] = [];
  for (let done = 0; done < count; done += 1) {
    await delay(pauseMs + Math.random() * spreadMs);
    taken.push(await delayOf(waiter, write));
  }
  return taken;
}

export async function openDelays(place: RealtimePlace): Promise<CheckedSeries[]> {
  const bySql = writeBySql(place.writer);
  const series = (
    key: CheckedSeries['key'],
    write: (body: string) => Promise<unknown>,
    pauses: { count: number; pauseMs: number; spreadMs: number },
  ): CheckedSeries => ({
    key,
    async faultOf() {
      const waiter = await openWaiter(place);
      await delayOf(waiter, write).finally(() => waiter.close());
      return undefined;
    },
    async measure() {
      const waiter = await openWaiter(place);
      try {
        return timesMeasured(await delaysOf(waiter, write, pauses));
      } finally {
        waiter.close();
      }
    },
  });
  const hot = { pauseMs: 50, spreadMs: 100 };
  return [
    series(API_WRITE, writeByApi(place), { ...hot, count: API_WRITES }),
    series(SQL_HOT, bySql, { ...hot, count: HOT_WRITES }),
    series(SQL_CALM, bySql, { count: CALM_WRITES, pauseMs: CALM_PAUSE_MS, spreadMs: SPREAD_MS }),
    await coldSeries(place),
  ];
}

/** Its client waits in the second project during the whole run, where nothing else is written meanwhile. */
async function coldSeries(place: RealtimePlace): Promise<CheckedSeries> {
  const waiter = place.cleanup.keep(await openWaiter(place, place.neighbor), (opened) =>
    opened.close(),
  );
  const write = writeBySql(place.neighborWriter);
  return {
    key: SQL_COLD,
    async faultOf() {
      await delayOf(waiter, write);
      return undefined;
    },
    async measure() {
      await delay(COLD_PAUSE_MS + Math.random() * 1_000);
      return timesMeasured([await delayOf(waiter, write)]);
    },
  };
}
