// Turns a run into tables in Markdown, which a document can take over, and one JSON value.

import { AUTH_DEMANDS } from './auth/demands.js';
import { CASES } from './cases.js';
import {
  DEMANDS,
  FEW_CONNECTIONS,
  PEER_TITLES,
  type BenchResults,
  type Demand,
  type Unit,
} from './demands.js';
import {
  PEERS,
  type Failure,
  type Measurement,
  type PeerName,
  type RateBook,
  type SeriesKey,
} from './rate-book.js';
import { table } from './table.js';

export type Verdict = 'stretch met' | 'met' | 'NOT MET' | 'no bar' | 'FAILED' | 'not measured';

export interface CheckedDemand {
  readonly title: string;
  readonly unit: Unit;
  readonly better: Demand['better'];
  readonly value?: number;
  readonly demand?: number;
  readonly stretch?: number;
  readonly verdict: Verdict;
}

function verdictOf(demand: Demand, { rates }: BenchResults, value: number | undefined): Verdict {
  if (value === undefined) {
    return demand.of.some((key) => rates.hasFailed(key)) ? 'FAILED' : 'not measured';
  }
  const reaches = (bar: number | undefined): boolean => {
    if (bar === undefined) return false;
    return demand.better === 'higher' ? value >= bar : value <= bar;
  };
  if (reaches(demand.stretch)) return 'stretch met';
  if (demand.demand === undefined) return 'no bar';
  return reaches(demand.demand) ? 'met' : 'NOT MET';
}

/** Every demand with the value that the run gives it. */
export function checkDemands(
  results: BenchResults,
  demands: readonly Demand[] = DEMANDS,
): CheckedDemand[] {
  return demands.map((one) => {
    const value = one.value(results);
    const { title, unit, better, demand, stretch } = one;
    return {
      title,
      unit,
      better,
      ...(value === undefined ? {} : { value }),
      ...(demand === undefined ? {} : { demand }),
      ...(stretch === undefined ? {} : { stretch }),
      verdict: verdictOf(one, results, value),
    };
  });
}

function withUnit(value: number, unit: Unit): string {
  switch (unit) {
    case 'x':
      return value.toFixed(2);
    case '%':
      return `${value.toFixed(1)} %`;
    case 'us':
      return `${value.toFixed(value < 10 ? 2 : 0)} us`;
    case 'ms':
      return `${value.toFixed(1)} ms`;
    case '/s':
      return `${value.toFixed(0)} /s`;
    case 'kB':
      return `${value.toFixed(0)} kB`;
    case 'MB':
      return `${value.toFixed(1)} MB`;
    case 'connections':
      return value.toFixed(0);
  }
}

function bar(better: Demand['better'], value: number | undefined, unit: Unit): string {
  if (value === undefined) return '';
  return `${better === 'higher' ? '>=' : '<='} ${withUnit(value, unit)}`;
}

export function demandTable(checked: readonly CheckedDemand[], title = ''): string {
  return table(
    [title, 'measured', 'demand', 'stretch', 'verdict'],
    checked.map(({ title, value, unit, better, demand, stretch, verdict }) => [
      title,
      value === undefined ? '-' : withUnit(value, unit),
      bar(better, demand, unit),
      bar(better, stretch, unit),
      verdict,
    ]),
  );
}

function figure(value: number | undefined, digits: number): string {
  return value === undefined ? '-' : value.toFixed(digits);
}

/** A rate; slow ones with a digit more, or transfers of large files would all be alike. */
export function rateText(perSecond: number | undefined): string {
  return figure(perSecond, perSecond !== undefined && perSecond < 100 ? 1 : 0);
}

export function rateTable(rates: RateBook): string {
  return table(
    ['target', 'work', 'connections', 'per second', 'p50 ms', 'p99 ms', 'server CPU us'],
    rates.series().map(({ key }) => [
      key.target,
      key.work,
      String(key.connections),
      rateText(rates.median(key)),
      figure(
        rates.median(key, ({ p50Ms }) => p50Ms),
        2,
      ),
      figure(
        rates.median(key, ({ p99Ms }) => p99Ms),
        2,
      ),
      figure(
        rates.median(key, ({ cpuMicros }) => cpuMicros),
        0,
      ),
    ]),
  );
}

function leadOver(rates: RateBook, peer: PeerName, work: SeriesKey['work']): number | undefined {
  const at = { work, connections: FEW_CONNECTIONS };
  return rates.ratio({ target: 'product', ...at }, { target: peer, ...at });
}

/** How many times as fast as each peer the product is; a case that no peer can do is left out. */
export function peerTable(rates: RateBook): string {
  const rows = CASES.flatMap(({ name, title }) => {
    const leads = PEERS.map((peer) => leadOver(rates, peer, name));
    const isKnown = leads.some((lead) => lead !== undefined);
    return isKnown ? [[title, ...leads.map((lead) => figure(lead, 2))]] : [];
  });
  const heads = PEERS.map((peer) => `/ ${PEER_TITLES[peer]}`);
  return rows.length === 0 ? '' : table(['', ...heads], rows);
}

/** What could not be measured, and why. */
export function failureList(failures: readonly Failure[]): string {
  const lines = failures.map(
    ({ target, work, reason }) => `- ${target}${work === undefined ? '' : `, ${work}`}: ${reason}`,
  );
  return lines.length === 0 ? '' : ['Could not be measured:', '', ...lines].join('\n');
}

export interface MachineFacts {
  readonly measuredAt: string;
  readonly node: string;
  readonly platform: string;
  readonly cpus: string;
  readonly postgres: string;
}

export interface RunFacts extends MachineFacts {
  /** What the machine did besides, in the minute before the run. */
  readonly loadAverage: number;
  readonly baseline: string;
  readonly rounds: number;
  readonly seconds: number;
}

/** What the rounds of any run gave. */
export interface MeasuredSeries {
  readonly series: readonly (SeriesKey & { readonly rounds: readonly Measurement[] })[];
  readonly failures: readonly Failure[];
}

export interface BenchReport extends MeasuredSeries {
  readonly run: RunFacts;
  readonly demands: readonly CheckedDemand[];
  readonly authentication: readonly CheckedDemand[];
  readonly fleet?: BenchResults['fleet'];
  readonly saves?: BenchResults['saves'];
  readonly heap?: BenchResults['heap'];
}

export function measuredSeries(rates: RateBook): MeasuredSeries {
  return {
    series: rates.series().map(({ key, rounds }) => ({ ...key, rounds })),
    failures: rates.failures(),
  };
}

export function buildReport(run: RunFacts, results: BenchResults): BenchReport {
  return {
    run,
    demands: checkDemands(results),
    authentication: checkDemands(results, AUTH_DEMANDS),
    ...measuredSeries(results.rates),
    ...(results.fleet === undefined ? {} : { fleet: results.fleet }),
    ...(results.saves === undefined ? {} : { saves: results.saves }),
    ...(results.heap === undefined ? {} : { heap: results.heap }),
  };
}

/** On what and how a run measured. */
export function headOf(run: RunFacts): string {
  return [
    `${run.cpus} (load ${run.loadAverage.toFixed(1)} before the run), Node ${run.node}, PostgreSQL ${run.postgres}, baseline: ${run.baseline}`,
    `medians of ${String(run.rounds)} rounds of ${String(run.seconds)} s`,
  ].join('\n');
}

/** What the person who ran it reads. */
export function renderReport(run: RunFacts, results: BenchResults): string {
  return [
    headOf(run),
    rateTable(results.rates),
    demandTable(checkDemands(results)),
    demandTable(checkDemands(results, AUTH_DEMANDS), 'authentication'),
    peerTable(results.rates),
    failureList(results.rates.failures()),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}
