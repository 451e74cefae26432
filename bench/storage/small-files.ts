// Files of 4 KiB, many at once: read by their owners, and uploaded.

import { startServer } from '../child.js';
import { call, callAny } from '../control.js';
import { SESSIONS, tokenOf } from '../database/accounts.js';
import { buildRequests, requestText } from '../requests.js';
import { httpSeries } from '../series.js';
import { FASTIFY, SMALL_GET, SMALL_PUT } from './demands.js';
import { idOf } from './file-answer.js';
import { addressOf, BUCKET, type CheckedSeries, type StoragePlace } from './place.js';

const FILES = 200;
const FILE_BYTES = 4096;
const UPLOADERS = 500;
/** Replaced by a number in the path of an upload. */
export const NUMBER_MARK = '{number}';

/** JSON of 4 KiB: a text in quotes. */
const TEXT = 'rowhouse'.repeat(FILE_BYTES / 8).slice(2);

function pathOf(key: string): string {
  return `/api/files/object/${BUCKET}/${key}`;
}

function authorization(session: number): { readonly authorization: string } {
  return { authorization: `Bearer ${tokenOf(session)}` };
}

/** Uploads a file of its own for each of the first sessions; gives the ids. */
async function putFiles(place: StoragePlace): Promise<string[]> {
  const ids: string[] = [];
  // One after another: they are few.
  for (let session = 1; session <= FILES; session += 1) {
    const reply = await call({
      ...addressOf(place),
      method: 'PUT',
      path: pathOf(`small/${String(session)}`),
      headers: authorization(session),
      body: TEXT,
    });
    ids.push(idOf(reply.body));
  }
  return ids;
}

/** Why a file is not shown to its owner alone; undefined when it is. */
async function faultOfRead(
  place: StoragePlace,
  path: string,
  owner: number,
): Promise<string | undefined> {
  const ask = (headers: Readonly<Record<string, string>>) =>
    callAny({ ...addressOf(place), method: 'GET', path, headers });
  const own = await ask(authorization(owner));
  if (own.status !== 200 || own.body !== TEXT) {
    return `other bytes than the file has; it answered ${String(own.status)}`;
  }
  for (const headers of [{}, authorization(owner + 1)]) {
    const { status } = await ask(headers);
    if (status !== 401 && status !== 404) return `a stranger is answered ${String(status)}`;
  }
  return undefined;
}

async function fastifySeries({ cleanup, by }: StoragePlace): Promise<CheckedSeries> {
  const server = await startServer('./servers/fastify.js');
  const { port, pid } = cleanup.keep(server, (started) => started.stop());
  const requests = [requestText('localhost', { method: 'GET', path: '/' })];
  return {
    ...httpSeries(FASTIFY, { port, pid, requests }, by),
    faultOf: () => Promise.resolve(undefined),
  };
}

async function getSeries(place: StoragePlace): Promise<CheckedSeries> {
  const ids = await putFiles(place);
  const { host, port } = addressOf(place);
  const requests = ids.map((id, index) =>
    requestText(host, { method: 'GET', path: `/api/files/${id}/raw` }, tokenOf(1 + index)),
  );
  const { pid } = place.product.current();
  return {
    ...httpSeries(SMALL_GET, { port, pid, requests }, place.by),
    faultOf: () => faultOfRead(place, `/api/files/${ids[0] ?? ''}/raw`, 1),
  };
}

/** Uploads of new files by many users. */
export function uploadRequests(host: string): string[] {
  const body = JSON.stringify(TEXT);
  return buildRequests({
    host,
    keys: 1,
    sessions: Math.min(SESSIONS, UPLOADERS),
    call: () => ({ method: 'PUT', path: pathOf(`many/${NUMBER_MARK}`), body }),
    bearer: tokenOf,
  });
}

function putSeries(place: StoragePlace): CheckedSeries {
  const { host, port } = addressOf(place);
  const { pid } = place.product.current();
  const requests = uploadRequests(host);
  return {
    ...httpSeries(SMALL_PUT, { port, pid, requests, numberMark: NUMBER_MARK }, place.by),
    async faultOf() {
      const path = pathOf('many/first');
      const at = { ...addressOf(place), method: 'PUT', path, body: TEXT } as const;
      const { status } = await callAny({ ...at, headers: authorization(1) });
      if (status !== 201) return `no success; it answered ${String(status)}`;
      const again = await callAny({ ...at, headers: authorization(1) });
      if (again.status !== 409) return `a key is taken twice; it answered ${String(again.status)}`;
      return faultOfRead(place, path, 1);
    },
  };
}

export async function openSmallFiles(place: StoragePlace): Promise<CheckedSeries[]> {
  return [await fastifySeries(place), await getSeries(place), putSeries(place)];
}
