// Turns the run of one part of the product, with demands of its own, into a table and one JSON value.

import type { Demand } from './demands.js';
import type { RateBook } from './rate-book.js';
import {
  demandTable,
  failureList,
  headOf,
  checkDemands,
  measuredSeries,
  rateTable,
  type CheckedDemand,
  type RunFacts,
} from './report.js';

export interface Part {
  /** Names the demands in the JSON value. */
  readonly name: 'functions' | 'realtime' | 'storage';
  /** The same in the table. */
  readonly title: string;
  readonly demands: readonly Demand[];
}

function verdictsOf({ demands }: Part, rates: RateBook): CheckedDemand[] {
  return checkDemands({ rates, fleet: undefined, saves: undefined, heap: undefined }, demands);
}

export function buildPartReport(part: Part, run: RunFacts, rates: RateBook): object {
  return { run, [part.name]: verdictsOf(part, rates), ...measuredSeries(rates) };
}

/** What the person who ran it reads. */
export function renderPart(part: Part, run: RunFacts, rates: RateBook): string {
  return [
    headOf(run),
    rateTable(rates),
    demandTable(verdictsOf(part, rates), part.title),
    failureList(rates.failures()),
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}
