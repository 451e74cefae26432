// The memory run: many different request shapes first, which must fill no cache beyond its bound, then
// everything that the product can do at once for as long as asked. Samples are taken between slices of
// load, when nothing is under way.

import type { BenchCase } from '../case.js';
import type { Cleanup } from '../cleanup.js';
import { forgetWrites } from '../database/tables.js';
import { FEW_CONNECTIONS } from '../demands.js';
import { openLoadClient, type LoadClient } from '../load-client.js';
import type { LoadPlan } from '../load-plan.js';
import { listVerified, productTarget } from '../open-targets.js';
import { RateBook } from '../rate-book.js';
import { requestText } from '../requests.js';
import type { ProductSite, Site } from '../site.js';
import { caseRequests, type ServedTarget } from '../targets.js';
import { prepareReading, readBackends } from './backends.js';
import type { MemoryResult, MemorySample } from './report.js';
import { shapePath } from './shapes.js';

const SHAPES_SENT = 10_000;
const SHAPES_AT_ONCE = 1_000;
const SLICE_SECONDS = 10;
const WARM_SECONDS = 5;

export interface MemoryRun {
  readonly minutes: number;
  readonly cleanup: Cleanup;
  readonly say: (line: string) => void;
}

/** What every sample reads. */
interface Watched {
  readonly site: Site;
  readonly product: ProductSite;
  readonly served: ServedTarget;
  readonly load: LoadClient;
}

/** The requests of all cases, one of each in turn. */
export function mixRequests(lists: readonly (readonly string[])[]): string[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, index) =>
    lists.flatMap((list) => list[index % list.length] ?? []),
  ).flat();
}

function planOf(served: ServedTarget, requests: readonly string[], seconds: number): LoadPlan {
  const { port, pid } = served;
  return {
    kind: 'load',
    port,
    serverPid: pid,
    connections: FEW_CONNECTIONS,
    warmUpSeconds: 0,
    seconds,
    requests,
  };
}

async function takeSample(
  { site, product, served }: Watched,
  at: Pick<MemorySample, 'minutes' | 'requests'>,
): Promise<MemorySample> {
  const { rssBytes, heapBytes, externalBytes } = await product.current().readMemory();
  const backends = await readBackends(site.server.admin, site.address.database, served);
  return { ...at, rssBytes, heapBytes, externalBytes, ...backends };
}

/** Sends every shape at least once; gives how many requests that took. */
async function sendShapes({ served, load }: Watched): Promise<number> {
  let requests = 0;
  for (let first = 0; first < SHAPES_SENT; first += SHAPES_AT_ONCE) {
    const shapes = Array.from({ length: SHAPES_AT_ONCE }, (_, index) =>
      requestText(
        served.host,
        { method: 'GET', path: shapePath(first + index) },
        served.bearer(1 + index),
      ),
    );
    // Each round begins with the first shape again, so it must last until it has come to the last one.
    for (let seconds = 2, replies = 0; replies < SHAPES_AT_ONCE; seconds *= 2) {
      ({ replies } = await load.run(planOf(served, shapes, seconds)));
      requests += replies;
    }
  }
  return requests;
}

async function mixedLoad(
  watched: Watched,
  cases: readonly BenchCase[],
  run: MemoryRun,
): Promise<MemorySample[]> {
  const requests = mixRequests(cases.map((measured) => caseRequests(watched.served, measured)));
  const slices = Math.round((run.minutes * 60) / SLICE_SECONDS);
  const samples: MemorySample[] = [];
  let answered = 0;
  for (let slice = 1; slice <= slices; slice += 1) {
    const plan = planOf(watched.served, requests, SLICE_SECONDS);
    answered += (await watched.load.run(plan)).replies;
    await forgetWrites(watched.site.client);
    const minutes = (slice * SLICE_SECONDS) / 60;
    samples.push(await takeSample(watched, { minutes, requests: answered }));
    run.say(
      `${minutes.toFixed(1)} of ${String(run.minutes)} minutes, ${String(answered)} requests`,
    );
  }
  return samples;
}

export async function measureMemory(site: Site, run: MemoryRun): Promise<MemoryResult> {
  const { product } = site;
  if (product === undefined) throw new Error('A memory run measures the product');
  const served = productTarget(product);
  const load = run.cleanup.keep(openLoadClient(), (opened) => opened.stop());
  const watched: Watched = { site, product, served, load };
  await prepareReading(site.client);
  const rates = new RateBook();
  const cases = await listVerified({ site, rates, only: '', say: run.say }, served);
  const [single] = cases;
  if (single === undefined) throw new Error('The product does no case rightly');
  await load.run(planOf(served, caseRequests(served, single), WARM_SECONDS));
  const warm = await takeSample(watched, { minutes: 0, requests: 0 });
  run.say(`sending ${String(SHAPES_SENT)} different shapes`);
  const requests = await sendShapes(watched);
  const shaped = await takeSample(watched, { minutes: 0, requests });
  return {
    shapes: SHAPES_SENT,
    cases: cases.map(({ name }) => name),
    failures: rates.failures(),
    before: [warm, shaped],
    samples: await mixedLoad(watched, cases, run),
  };
}
