// The bars: what a run must reach, and what would be better still. One row, one sentence of the report.

import type { CaseName } from './cases.js';
import type { FleetResult } from './fleet.js';
import type { RateBook, SeriesKey, TargetName } from './rate-book.js';

export const FEW_CONNECTIONS = 32;
export const MANY_CONNECTIONS = 128;
/** Connections that the product may hold to all projects together. */
export const CONNECTION_BUDGET = 60;

export interface BenchResults {
  readonly rates: RateBook;
  /** Absent when the product was not measured. */
  readonly fleet: FleetResult | undefined;
}

export type Unit = 'x' | '%' | 'us' | 'ms' | 'connections';

export interface Demand {
  readonly title: string;
  readonly unit: Unit;
  readonly better: 'higher' | 'lower';
  readonly demand: number;
  readonly stretch?: number;
  value(results: BenchResults): number | undefined;
}

function at(
  target: TargetName,
  work: CaseName | 'hello',
  connections = FEW_CONNECTIONS,
): SeriesKey {
  return { target, work, connections };
}

function rate(
  title: string,
  bars: { readonly demand: number; readonly stretch: number },
  pair: readonly [SeriesKey, SeriesKey],
): Demand {
  const [over, under] = pair;
  const value = ({ rates }: BenchResults): number | undefined => rates.ratio(over, under);
  return { title, unit: 'x', better: 'higher', ...bars, value };
}

/** The share of the rate that the live lookup takes, in percent, in the database alone. */
function lookupShare(work: CaseName, bars: { demand: number; stretch: number }): Demand {
  return {
    title: `live session lookup in the database, ${work}`,
    unit: '%',
    better: 'lower',
    ...bars,
    value({ rates }) {
      const kept = rates.ratio(at('baseline', work), at('baseline-claims', work));
      return kept === undefined ? undefined : (1 - kept) * 100;
    },
  };
}

function cpu(work: CaseName, bars: { demand: number; stretch: number }): Demand {
  return {
    title: `server CPU of one reply, ${work}`,
    unit: 'us',
    better: 'lower',
    ...bars,
    value: ({ rates }) => rates.median(at('product', work), (measured) => measured.cpuMicros),
  };
}

export const DEMANDS: readonly Demand[] = [
  rate('single row / pgbench pipelined', { demand: 0.45, stretch: 0.65 }, [
    at('product', 'single'),
    at('baseline', 'single'),
  ]),
  rate('20 rows / pgbench pipelined', { demand: 0.45, stretch: 0.65 }, [
    at('product', 'list20'),
    at('baseline', 'list20'),
  ]),
  rate('1,000 rows / pgbench pipelined', { demand: 0.75, stretch: 1.2 }, [
    at('product', 'list1000'),
    at('baseline', 'list1000'),
  ]),
  rate('insert / pgbench pipelined', { demand: 0.4, stretch: 0.6 }, [
    at('product', 'insert'),
    at('baseline', 'insert'),
  ]),
  rate('single row / pgbench, four round trips', { demand: 1, stretch: 1.5 }, [
    at('product', 'single'),
    at('baseline-serial', 'single'),
  ]),
  rate('20 rows / pgbench, four round trips', { demand: 1, stretch: 1.5 }, [
    at('product', 'list20'),
    at('baseline-serial', 'list20'),
  ]),
  rate('single row / bare node:http', { demand: 0.17, stretch: 0.3 }, [
    at('product', 'single'),
    at('node-http', 'hello'),
  ]),
  rate('single row, 128 connections / 32 connections', { demand: 0.8, stretch: 1 }, [
    at('product', 'single', MANY_CONNECTIONS),
    at('product', 'single'),
  ]),
  rate('single row / Nest + TypeORM', { demand: 5, stretch: 8 }, [
    at('product', 'single'),
    at('peer', 'single'),
  ]),
  rate('1,000 rows / Nest + TypeORM', { demand: 4, stretch: 8 }, [
    at('product', 'list1000'),
    at('peer', 'list1000'),
  ]),
  cpu('single', { demand: 75, stretch: 45 }),
  cpu('list1000', { demand: 700, stretch: 450 }),
  {
    title: 'p99 / p50, single row',
    unit: 'x',
    better: 'lower',
    demand: 5,
    stretch: 3,
    value: ({ rates }) =>
      rates.median(at('product', 'single'), ({ p50Ms, p99Ms }) =>
        p50Ms === undefined || p99Ms === undefined ? undefined : p99Ms / p50Ms,
      ),
  },
  lookupShare('single', { demand: 20, stretch: 12 }),
  lookupShare('list1000', { demand: 5, stretch: 2 }),
  {
    title: 'a new project, median',
    unit: 'ms',
    better: 'lower',
    demand: 500,
    stretch: 150,
    value: ({ fleet }) => fleet?.createMs.median,
  },
  {
    title: 'first request of a cold project, 200 tables, median',
    unit: 'ms',
    better: 'lower',
    demand: 50,
    stretch: 20,
    value: ({ fleet }) => fleet?.coldWideMs.median,
  },
  {
    title: 'connections after every project was touched once',
    unit: 'connections',
    better: 'lower',
    demand: CONNECTION_BUDGET,
    value: ({ fleet }) => fleet?.connectionsAfterTouch,
  },
  {
    title: 'connections left after the idle time',
    unit: 'connections',
    better: 'lower',
    demand: 0,
    value: ({ fleet }) => fleet?.connectionsAfterIdle,
  },
];
