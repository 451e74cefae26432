// How soon a saved group of settings holds. The group of magic links is turned off and on in turn, and its
// route is called at once until it is gone or there again: then the new auth engine answers.

import { call, callAny } from '../control.js';
import type { Product, Project } from '../product.js';
import { spread, type Spread } from '../spread.js';

const GROUP = 'auth.methods.magicLink';
const ROUTE = '/api/auth/sign-in/magic-link';
const LIMIT_MS = 10_000;

/** The times of one save, in milliseconds. */
export interface SaveTime {
  /** Until the save was answered. */
  readonly savedMs: number;
  /** From then until the first request was answered under the new settings. */
  readonly servedMs: number;
}

export interface SaveResult {
  readonly saves: number;
  /** From the answer to a save to the end of the first request that it holds for. */
  readonly servedMs: Spread;
  /** The same from the sending of the save. */
  readonly wholeMs: Spread;
}

export function summarizeSaves(times: readonly SaveTime[]): SaveResult {
  return {
    saves: times.length,
    servedMs: spread(times.map(({ servedMs }) => servedMs)),
    wholeMs: spread(times.map(({ savedMs, servedMs }) => savedMs + servedMs)),
  };
}

/** Whether the route is there. The request has no address in it, so no mail leaves. */
async function isServed(product: Product, { host }: Project): Promise<boolean> {
  const port = product.apiPort;
  const { status } = await callAny({ port, host, method: 'POST', path: ROUTE, body: {} });
  if (status === 404 || status === 400) return status === 400;
  throw new Error(`${ROUTE} answered ${String(status)}`);
}

async function saveOnce(product: Product, project: Project, enabled: boolean): Promise<SaveTime> {
  const { ms: savedMs } = await product.saveSettings(project, GROUP, { enabled });
  const answeredAt = performance.now();
  while ((await isServed(product, project)) !== enabled) {
    if (performance.now() - answeredAt > LIMIT_MS) throw new Error(`${GROUP} does not take hold`);
  }
  return { savedMs, servedMs: performance.now() - answeredAt };
}

/** Saves that number of times and gives the project its own settings back. Its rate limits must be off. */
export async function measureSaves(
  product: Product,
  project: Project,
  saves: number,
): Promise<SaveResult> {
  // The first builds the engine of a project that had none.
  await saveOnce(product, project, true);
  const times: SaveTime[] = [];
  // One after another: the time of one is measured.
  for (let count = 0; count < saves; count += 1) {
    times.push(await saveOnce(product, project, count % 2 === 1));
  }
  await call({
    port: product.apiPort,
    host: project.host,
    method: 'DELETE',
    path: `/api/admin/settings/${GROUP}`,
    headers: { apikey: project.secretKey },
  });
  return summarizeSaves(times);
}
