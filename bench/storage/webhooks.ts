// How soon a webhook arrives: from the answer to an upload to the call of a receiver on this machine.

import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import type { Cleanup } from '../cleanup.js';
import { call } from '../control.js';
import { tokenOf } from '../database/accounts.js';
import { median } from '../rate-book.js';
import { WEBHOOK } from './demands.js';
import { addressOf, type CheckedSeries, type StoragePlace } from './place.js';

const BUCKET = 'hooked';
const UPLOADS = 50;
const LIMIT_MS = 10_000;

/** The key of the file that a call names; undefined when it names none. */
export function keyOfCall(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('file' in body)) return undefined;
  const { file } = body;
  if (typeof file !== 'object' || file === null || !('key' in file)) return undefined;
  return typeof file.key === 'string' ? file.key : undefined;
}

/** When the first call for a key came, as `performance.now` counts time. */
export class Arrivals {
  readonly #times = new Map<string, number>();
  readonly #waiting = new Map<string, (at: number) => void>();

  add(key: string, at: number): void {
    if (this.#times.has(key)) return;
    this.#times.set(key, at);
    this.#waiting.get(key)?.(at);
    this.#waiting.delete(key);
  }

  /** Rejects when no call has come in time. */
  of(key: string, limitMs = LIMIT_MS): Promise<number> {
    const known = this.#times.get(key);
    if (known !== undefined) return Promise.resolve(known);
    return new Promise((resolve, reject) => {
      const limit = setTimeout(() => reject(new Error(`No webhook named ${key}`)), limitMs);
      this.#waiting.set(key, (at) => {
        clearTimeout(limit);
        resolve(at);
      });
    });
  }
}

interface Receiver {
  readonly url: string;
  readonly arrivals: Arrivals;
  /** Calls that were not signed, or named no file. */
  wrongCalls(): number;
}

async function openReceiver(cleanup: Cleanup): Promise<Receiver> {
  const arrivals = new Arrivals();
  let wrong = 0;
  const take = async (request: IncomingMessage, at: number): Promise<void> => {
    const key = keyOfCall(await json(request));
    const isSigned = request.headers['webhook-signature'] !== undefined;
    if (key !== undefined && isSigned) arrivals.add(key, at);
    else wrong += 1;
  };
  const server = createServer((request, reply) => {
    const at = performance.now();
    take(request, at)
      .catch(() => {
        wrong += 1;
      })
      .finally(() => reply.end());
  }).listen(0, '127.0.0.1');
  cleanup.keep(server, (opened) => {
    opened.closeAllConnections();
    opened.close();
  });
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The receiver has no port');
  const url = `http://127.0.0.1:${String(address.port)}/`;
  return { url, arrivals, wrongCalls: () => wrong };
}

async function createHook(place: StoragePlace, url: string): Promise<void> {
  const { secretKey } = place.product.project;
  const post = (path: string, body: object) =>
    call({
      ...addressOf(place),
      method: 'POST',
      path: `/api/admin/storage/buckets${path}`,
      headers: { apikey: secretKey },
      body,
    });
  await post('', { slug: BUCKET });
  await post(`/${BUCKET}/webhooks`, { url, events: ['uploaded'] });
}

/** Uploads a file and gives the milliseconds from the answer to the call. */
async function delayOf(place: StoragePlace, { arrivals }: Receiver, key: string): Promise<number> {
  await call({
    ...addressOf(place),
    method: 'PUT',
    path: `/api/files/object/${BUCKET}/${key}`,
    headers: { authorization: `Bearer ${tokenOf(1)}` },
    body: { key },
  });
  const answeredAt = performance.now();
  // The call may be on its way before the answer has arrived.
  return Math.max(0, (await arrivals.of(key)) - answeredAt);
}

export async function openWebhooks(place: StoragePlace): Promise<CheckedSeries[]> {
  const receiver = await openReceiver(place.cleanup);
  let round = 0;
  return [
    {
      key: WEBHOOK,
      async faultOf() {
        await createHook(place, receiver.url);
        await delayOf(place, receiver, 'first');
        const wrong = receiver.wrongCalls();
        return wrong === 0 ? undefined : `${String(wrong)} calls were wrong`;
      },
      async measure() {
        round += 1;
        const delaysMs: number[] = [];
        const startedAt = performance.now();
        // One after another: the delay of one is measured.
        for (let count = 1; count <= UPLOADS; count += 1) {
          delaysMs.push(await delayOf(place, receiver, `${String(round)}/${String(count)}`));
        }
        const seconds = (performance.now() - startedAt) / 1000;
        return { perSecond: UPLOADS / seconds, p50Ms: median(delaysMs) ?? 0 };
      },
    },
  ];
}
