// The bars: what a run must reach, and what would be better still. One row, one sentence of the report.

import { CASE_NAMES, type CaseName } from './case.js';
import type { HeapResult } from './auth/heap.js';
import type { SaveResult } from './auth/saves.js';
import type { FleetResult } from './fleet.js';
import { PEERS, type PeerName, type RateBook, type SeriesKey } from './rate-book.js';
import { ROUNDS_PER_DAY } from './sweep-times.js';

export const FEW_CONNECTIONS = 32;
export const MANY_CONNECTIONS = 128;
/** Connections that the product may hold to all projects together. */
export const CONNECTION_BUDGET = 60;

export interface BenchResults {
  readonly rates: RateBook;
  /** Absent, like all below, when it was not asked for or the product was not measured. */
  readonly fleet: FleetResult | undefined;
  readonly saves: SaveResult | undefined;
  readonly heap: HeapResult | undefined;
}

export type Unit = 'x' | '%' | 'us' | 'ms' | '/s' | 'kB' | 'MB' | 'connections';

export interface Bars {
  /** Absent where no bar is set: the figure is reported and not compared. */
  readonly demand?: number;
  readonly stretch?: number;
}

export interface Demand extends Bars {
  readonly title: string;
  readonly unit: Unit;
  readonly better: 'higher' | 'lower';
  /** The series that the value is made of. */
  readonly of: readonly SeriesKey[];
  value(results: BenchResults): number | undefined;
}

export const PEER_TITLES: Readonly<Record<PeerName, string>> = {
  typeorm: 'Nest + TypeORM',
  postgraphile: 'PostGraphile',
  'supabase-lite': '@supabase/lite',
};

/** The key of a series, with few connections unless others are named. */
export function at(
  target: SeriesKey['target'],
  work: SeriesKey['work'],
  connections = FEW_CONNECTIONS,
): SeriesKey {
  return { target, work, connections };
}

/** The rate of the first series by that of the second. */
export function rate(
  title: string,
  pair: readonly [SeriesKey, SeriesKey],
  bars: Bars = {},
): Demand {
  const [over, under] = pair;
  return {
    title,
    unit: 'x',
    better: 'higher',
    of: pair,
    ...bars,
    value: ({ rates }) => rates.ratio(over, under),
  };
}

/** The rate of a series. */
export function perSecond(title: string, key: SeriesKey, bars: Bars = {}): Demand {
  return {
    title,
    unit: '/s',
    better: 'higher',
    of: [key],
    ...bars,
    value: ({ rates }) => rates.median(key),
  };
}

function overPgbench(title: string, work: CaseName, bars?: Bars): Demand {
  return rate(`${title} / pgbench pipelined`, [at('product', work), at('baseline', work)], bars);
}

function overSerial(title: string, work: CaseName, bars: Bars): Demand {
  return rate(title, [at('product', work), at('baseline-serial', work)], bars);
}

function overPeer(title: string, work: CaseName, bars: Bars): Demand {
  return rate(`${title} / Nest + TypeORM`, [at('product', work), at('typeorm', work)], bars);
}

/** The least lead over a peer in all that it can do. */
function leastLead(peer: PeerName): Demand {
  const pairs = CASE_NAMES.map((work) => [at('product', work), at(peer, work)] as const);
  return {
    title: `least lead over ${PEER_TITLES[peer]}`,
    unit: 'x',
    better: 'higher',
    of: [at(peer, 'single')],
    demand: 1,
    value({ rates }) {
      const leads = pairs.flatMap(([product, other]) => rates.ratio(product, other) ?? []);
      return leads.length === 0 ? undefined : Math.min(...leads);
    },
  };
}

/** The share of the rate that the live lookup takes, in percent, in the database alone. */
function lookupShare(work: CaseName, bars: Bars): Demand {
  const pair = [at('baseline', work), at('baseline-claims', work)] as const;
  return {
    title: `live session lookup in the database, ${work}`,
    unit: '%',
    better: 'lower',
    of: pair,
    ...bars,
    value({ rates }) {
      const kept = rates.ratio(...pair);
      return kept === undefined ? undefined : (1 - kept) * 100;
    },
  };
}

function cpu(work: CaseName, bars: Bars): Demand {
  const key = at('product', work);
  return {
    title: `server CPU of one reply, ${work}`,
    unit: 'us',
    better: 'lower',
    of: [key],
    ...bars,
    value: ({ rates }) => rates.median(key, (measured) => measured.cpuMicros),
  };
}

function tail(title: string, work: CaseName): Demand {
  const key = at('product', work);
  return {
    title: `p99 / p50, ${title}`,
    unit: 'x',
    better: 'lower',
    of: [key],
    demand: 5,
    stretch: 3,
    value: ({ rates }) =>
      rates.median(key, ({ p50Ms, p99Ms }) =>
        p50Ms === undefined || p99Ms === undefined ? undefined : p99Ms / p50Ms,
      ),
  };
}

function fleet(
  title: string,
  unit: Unit,
  bars: Bars,
  read: (result: FleetResult) => number,
): Demand {
  return {
    title,
    unit,
    better: 'lower',
    of: [],
    ...bars,
    value: (results) => (results.fleet === undefined ? undefined : read(results.fleet)),
  };
}

/** What looking the session up costs; figures of the tables and of authentication alike. */
export const LOOKUP_DEMANDS: readonly Demand[] = [
  lookupShare('single', { demand: 20, stretch: 12 }),
  lookupShare('list1000', { demand: 5, stretch: 2 }),
];

export const DEMANDS: readonly Demand[] = [
  overPgbench('single row', 'single', { demand: 0.45, stretch: 0.65 }),
  overPgbench('20 rows', 'list20', { demand: 0.45, stretch: 0.65 }),
  overPgbench('1,000 rows', 'list1000', { demand: 0.75, stretch: 1.2 }),
  overPgbench('filter + embed', 'embed', { demand: 0.5, stretch: 0.75 }),
  overPgbench('nested embed', 'nested'),
  overPgbench('exact count', 'count'),
  overPgbench('function call by GET', 'rpc-get'),
  overPgbench('function call by POST', 'rpc-post'),
  overPgbench('insert', 'insert', { demand: 0.4, stretch: 0.6 }),
  overPgbench('1,000-row insert', 'bulk', { demand: 0.7, stretch: 0.9 }),
  overPgbench('upsert', 'upsert'),
  overPgbench('batch of 100', 'batch'),
  overSerial('single row / pgbench, four round trips', 'single', { demand: 1, stretch: 1.5 }),
  overSerial('20 rows / pgbench, four round trips', 'list20', { demand: 1, stretch: 1.5 }),
  overSerial('filter + embed / pgbench, four round trips', 'embed', { demand: 1, stretch: 1.5 }),
  overSerial('batch of 100 / pgbench, 103 round trips', 'batch', { demand: 1.5, stretch: 3 }),
  rate('single row / bare node:http', [at('product', 'single'), at('node-http', 'hello')], {
    demand: 0.17,
    stretch: 0.3,
  }),
  rate(
    'single row, 128 connections / 32 connections',
    [at('product', 'single', MANY_CONNECTIONS), at('product', 'single')],
    { demand: 0.8, stretch: 1 },
  ),
  overPeer('single row', 'single', { demand: 5, stretch: 8 }),
  overPeer('1,000 rows', 'list1000', { demand: 4, stretch: 8 }),
  overPeer('filter + embed', 'embed', { demand: 10, stretch: 30 }),
  ...PEERS.map(leastLead),
  cpu('single', { demand: 75, stretch: 45 }),
  cpu('list1000', { demand: 700, stretch: 450 }),
  tail('single row', 'single'),
  tail('filter + embed', 'embed'),
  ...LOOKUP_DEMANDS,
  fleet('a new project, median', 'ms', { demand: 150 }, (of) => of.createMs.median),
  fleet('a project deleted at once, median', 'ms', { demand: 150 }, (of) => of.deleteMs.median),
  fleet(
    'first request of a cold project, one table, median',
    'ms',
    { demand: 35 },
    (of) => of.coldMs.median,
  ),
  fleet(
    'first request of a cold project, one table, above MAX_LIVE_PROJECTS, median',
    'ms',
    { demand: 35 },
    (of) => of.coldAboveMs.median,
  ),
  fleet(
    'first request of a cold project, 200 tables, median',
    'ms',
    { demand: 50, stretch: 20 },
    (of) => of.coldWideMs.median,
  ),
  fleet(
    'connections after every project was touched once',
    'connections',
    { demand: CONNECTION_BUDGET },
    (of) => of.connectionsAfterTouch,
  ),
  fleet(
    'connections left after the idle time',
    'connections',
    { demand: 0 },
    (of) => of.connectionsAfterIdle,
  ),
  fleet(
    'an idle project in an hourly round, average of a day',
    'ms',
    { demand: 10 },
    (of) => of.sweepMs.median / ROUNDS_PER_DAY,
  ),
  fleet('a sweep of an idle project, median', 'ms', { demand: 10 }, (of) => of.sweepMs.median),
];
