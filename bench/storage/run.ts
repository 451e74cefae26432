// The storage run: files, buckets and images of one project, measured in interleaved rounds.

import { turnOffRateLimits } from '../auth/open-auth.js';
import type { Cleanup } from '../cleanup.js';
import { call } from '../control.js';
import { isAskedFor } from '../only.js';
import type { TargetRun } from '../open-targets.js';
import { measureRounds, reasonOf, type Series } from '../series.js';
import { temporaryFolder } from '../site.js';
import { LARGE_BYTES } from './content.js';
import { sender } from './curl.js';
import { openImages } from './images.js';
import { openGrowth, openLargeFiles } from './large-files.js';
import { addressOf, BUCKET, type CheckedSeries, type StoragePlace } from './place.js';
import { openReservations } from './reservations.js';
import { openSmallFiles } from './small-files.js';
import { findProgram } from './tools.js';
import { openWebhooks } from './webhooks.js';

export interface StorageRun extends TargetRun {
  readonly rounds: number;
  readonly searchPath: readonly string[];
}

// The large files last: what they leave to be written has time until the next round.
const PARTS = [
  openLargeFiles,
  openSmallFiles,
  openReservations,
  openImages,
  openWebhooks,
  openGrowth,
] as const;

async function preparePlace(run: StorageRun, cleanup: Cleanup): Promise<StoragePlace> {
  const { product } = run.site;
  if (product === undefined) throw new Error('A storage run measures the product');
  const curl = findProgram('curl', run.searchPath);
  if (curl === undefined) throw new Error('A storage run needs curl');
  const folder = await temporaryFolder(cleanup);
  const place = { ...run, product, folder, send: sender(curl) };
  await turnOffRateLimits(product);
  await product
    .current()
    .saveSettings(product.project, 'storage', { maxUploadBytes: 2 * LARGE_BYTES });
  await call({
    ...addressOf(place),
    method: 'POST',
    path: '/api/admin/storage/buckets',
    headers: { apikey: product.project.secretKey },
    body: { slug: BUCKET },
  });
  return place;
}

async function faultOf(series: CheckedSeries): Promise<string | undefined> {
  try {
    return await series.faultOf();
  } catch (error) {
    return reasonOf(error);
  }
}

/** The series of parts that are asked for and answered rightly; why one is not is noted. */
export async function openVerified<Place extends TargetRun>(
  place: Place,
  parts: readonly ((place: Place) => Promise<CheckedSeries[]>)[],
): Promise<Series[]> {
  const right: Series[] = [];
  // One after another, so that none is looked at under the load of another.
  for (const open of parts) {
    for (const series of await open(place)) {
      const { target, work } = series.key;
      if (!isAskedFor(place.only, series.key)) continue;
      const reason = await faultOf(series);
      if (reason === undefined) right.push(series);
      else {
        place.rates.fail({ target, work, reason });
        place.say(`${target}, ${work}: FAILED: ${reason}`);
      }
    }
  }
  return right;
}

/** Measures into the rates of the run. */
export async function measureStorage(run: StorageRun): Promise<void> {
  const { rates, rounds, cleanup, say } = run;
  const place = await preparePlace(run, cleanup);
  const series = await openVerified(place, PARTS);
  // Files that are there make no other slower: each round adds its own.
  await measureRounds(series, rates, {
    rounds,
    writes: () => false,
    reset: () => Promise.resolve(),
    say,
  });
}
