// What every part of the storage run works with, and what it gives back.

import type { TargetRun } from '../open-targets.js';
import { median, type Measurement } from '../rate-book.js';
import type { Series } from '../series.js';
import type { ProductSite } from '../site.js';
import type { Send } from './curl.js';

/** Files are put here, one after another or many at once. */
export const BUCKET = 'bench';

export interface StoragePlace extends TargetRun {
  readonly product: ProductSite;
  readonly send: Send;
  readonly searchPath: readonly string[];
  /** A folder of the run on the disk that the product writes to. */
  readonly folder: string;
}

export interface CheckedSeries extends Series {
  /** Why the answers are wrong; undefined when they are right. Called once, before anything is measured. */
  readonly faultOf: () => Promise<string | undefined>;
}

/** Where the product answers. */
export function addressOf({ product }: Pick<StoragePlace, 'product'>): {
  readonly port: number;
  readonly host: string;
} {
  return { port: product.current().apiPort, host: product.project.host };
}

/** What the times of the same work, in seconds, say together: the middle one counts. */
export function measurementOf(seconds: readonly number[]): Measurement {
  const middle = median(seconds);
  if (middle === undefined || middle <= 0) throw new Error('Nothing was timed');
  return { perSecond: 1 / middle, p50Ms: middle * 1000 };
}

/** Does the same work `count` times, one after another, and gives the times, in seconds. */
export async function timesOf(count: number, work: () => Promise<number>): Promise<number[]> {
  const seconds: number[] = [];
  for (let done = 0; done < count; done += 1) seconds.push(await work());
  return seconds;
}
