// Turns a storage run into a table and one JSON value.

import type { BenchResults } from '../demands.js';
import type { RateBook } from '../rate-book.js';
import {
  demandTable,
  failureList,
  headOf,
  judge,
  measuredSeries,
  rateTable,
  type Judged,
  type MeasuredSeries,
  type RunFacts,
} from '../report.js';
import { STORAGE_DEMANDS } from './demands.js';

function judgeStorage(rates: RateBook): Judged[] {
  const results: BenchResults = { rates, fleet: undefined, saves: undefined, heap: undefined };
  return judge(results, STORAGE_DEMANDS);
}

export interface StorageReport extends MeasuredSeries {
  readonly run: RunFacts;
  readonly storage: readonly Judged[];
}

export function buildStorageReport(run: RunFacts, rates: RateBook): StorageReport {
  return { run, storage: judgeStorage(rates), ...measuredSeries(rates) };
}

/** What the person who ran it reads. */
export function renderStorage(run: RunFacts, rates: RateBook): string {
  return [
    headOf(run),
    rateTable(rates),
    demandTable(judgeStorage(rates), 'files'),
    failureList(rates.failures()),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}
