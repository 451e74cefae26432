// Turns a run into two tables and one JSON value.

import { DEMANDS, type BenchResults, type Demand, type Unit } from './demands.js';
import type { Measurement, RateBook, SeriesKey } from './rate-book.js';

export type Verdict = 'stretch met' | 'met' | 'NOT MET' | 'not measured';

export interface Judged {
  readonly title: string;
  readonly unit: Unit;
  readonly better: Demand['better'];
  readonly value?: number;
  readonly demand: number;
  readonly stretch?: number;
  readonly verdict: Verdict;
}

function verdictOf(demand: Demand, value: number | undefined): Verdict {
  if (value === undefined) return 'not measured';
  const reaches = (bar: number): boolean =>
    demand.better === 'higher' ? value >= bar : value <= bar;
  if (demand.stretch !== undefined && reaches(demand.stretch)) return 'stretch met';
  return reaches(demand.demand) ? 'met' : 'NOT MET';
}

/** Every demand with the value that the run gives it. */
export function judge(results: BenchResults, demands: readonly Demand[] = DEMANDS): Judged[] {
  return demands.map((demand) => {
    const value = demand.value(results);
    const { title, unit, better, stretch } = demand;
    return {
      title,
      unit,
      better,
      demand: demand.demand,
      ...(value === undefined ? {} : { value }),
      ...(stretch === undefined ? {} : { stretch }),
      verdict: verdictOf(demand, value),
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
      return `${value.toFixed(0)} us`;
    case 'ms':
      return `${value.toFixed(1)} ms`;
    case 'connections':
      return value.toFixed(0);
  }
}

function bar(better: Demand['better'], value: number | undefined, unit: Unit): string {
  if (value === undefined) return '';
  return `${better === 'higher' ? '>=' : '<='} ${withUnit(value, unit)}`;
}

/** A Markdown table whose columns line up. The first column is text, the others are figures. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) =>
    Math.max(3, ...[head, ...rows].map((row) => (row[column] ?? '').length)),
  );
  const line = (row: readonly string[]): string =>
    `| ${widths
      .map((width, column) => {
        const cell = row[column] ?? '';
        return column === 0 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join(' | ')} |`;
  const rule = widths.map((width, column) =>
    column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}

export function demandTable(judged: readonly Judged[]): string {
  return table(
    ['', 'measured', 'demand', 'stretch', 'verdict'],
    judged.map(({ title, value, unit, better, demand, stretch, verdict }) => [
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

export function rateTable(rates: RateBook): string {
  return table(
    ['target', 'work', 'connections', 'per second', 'p50 ms', 'p99 ms', 'server CPU us'],
    rates.series().map(({ key }) => [
      key.target,
      key.work,
      String(key.connections),
      figure(rates.median(key), 0),
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

export interface RunFacts {
  readonly measuredAt: string;
  readonly node: string;
  readonly platform: string;
  readonly cpus: string;
  /** What the machine did besides, in the minute before the run. */
  readonly loadAverage: number;
  readonly postgres: string;
  readonly baseline: string;
  readonly rounds: number;
  readonly seconds: number;
}

export interface BenchReport {
  readonly run: RunFacts;
  readonly demands: readonly Judged[];
  readonly series: readonly (SeriesKey & { readonly rounds: readonly Measurement[] })[];
  readonly fleet?: BenchResults['fleet'];
}

export function buildReport(run: RunFacts, results: BenchResults): BenchReport {
  return {
    run,
    demands: judge(results),
    series: results.rates.series().map(({ key, rounds }) => ({ ...key, rounds })),
    ...(results.fleet === undefined ? {} : { fleet: results.fleet }),
  };
}

/** What the person who ran it reads. */
export function renderReport(run: RunFacts, results: BenchResults): string {
  return [
    `${run.cpus} (load ${run.loadAverage.toFixed(1)} before the run), Node ${run.node}, PostgreSQL ${run.postgres}, baseline: ${run.baseline}`,
    `medians of ${String(run.rounds)} rounds of ${String(run.seconds)} s`,
    '',
    rateTable(results.rates),
    '',
    demandTable(judge(results)),
  ].join('\n');
}
