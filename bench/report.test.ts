import { describe, expect, test } from 'vitest';
import { AUTH_DEMANDS } from './auth/demands.js';
import { DEMANDS, type BenchResults, type Demand } from './demands.js';
import { RateBook, type Measurement, type TargetName } from './rate-book.js';
import { demandTable, failureList, checkDemands, peerTable, rateText } from './report.js';
import { table } from './table.js';

function resultsOf(rates: RateBook): BenchResults {
  return { rates, fleet: undefined, saves: undefined, heap: undefined };
}

const nothing = resultsOf(new RateBook());

const KEY = { target: 'product', work: 'embed', connections: 32 } as const;

function demandOf(better: Demand['better'], value: number | undefined): Demand {
  const bars = better === 'higher' ? { demand: 1, stretch: 2 } : { demand: 2, stretch: 1 };
  return { title: 'x', unit: 'x', better, of: [KEY], ...bars, value: () => value };
}

describe('checkDemands', () => {
  test.each([
    { better: 'higher', value: 0.9, verdict: 'NOT MET' },
    { better: 'higher', value: 1, verdict: 'met' },
    { better: 'higher', value: 2, verdict: 'stretch met' },
    { better: 'lower', value: 2.1, verdict: 'NOT MET' },
    { better: 'lower', value: 2, verdict: 'met' },
    { better: 'lower', value: 1, verdict: 'stretch met' },
    { better: 'lower', value: undefined, verdict: 'not measured' },
  ] as const)('$value where $better is better: $verdict', ({ better, value, verdict }) => {
    expect(checkDemands(nothing, [demandOf(better, value)])[0]?.verdict).toBe(verdict);
  });

  test('what failed is not passed over', () => {
    const rates = new RateBook();
    rates.fail({ target: 'product', work: 'embed', reason: 'answered 400' });
    const [checked] = checkDemands(resultsOf(rates), [demandOf('higher', undefined)]);
    expect(checked?.verdict).toBe('FAILED');
  });

  test('a figure without a bar is reported and not compared', () => {
    const free: Demand = { title: 'x', unit: 'x', better: 'higher', of: [], value: () => 1 };
    expect(checkDemands(nothing, [free])[0]).toMatchObject({ value: 1, verdict: 'no bar' });
  });

  test.each([
    { value: 3, verdict: 'stretch met' },
    { value: 1, verdict: 'no bar' },
  ])('$value where only a stretch of 2 is set: $verdict', ({ value, verdict }) => {
    const aim = { title: 'x', unit: 'x', better: 'higher', of: [], stretch: 2 } as const;
    expect(checkDemands(nothing, [{ ...aim, value: () => value }])[0]?.verdict).toBe(verdict);
  });

  test('without the product nothing of it is measured and nothing is claimed', () => {
    expect(new Set(checkDemands(nothing).map(({ verdict }) => verdict))).toEqual(
      new Set(['not measured']),
    );
  });
});

describe('demands', () => {
  const rates = new RateBook();
  const add = (target: TargetName, measurement: Measurement): void =>
    rates.add({ target, work: 'single', connections: 32 }, measurement);
  add('product', { perSecond: 600, cpuMicros: 70, p50Ms: 1, p99Ms: 4 });
  add('baseline', { perSecond: 1_000 });
  add('baseline-claims', { perSecond: 1_250 });
  add('typeorm', { perSecond: 100 });
  add('supabase-lite', { perSecond: 300 });
  const valueOf = (title: string): number | undefined =>
    DEMANDS.find((demand) => demand.title === title)?.value(resultsOf(rates));

  test.each([
    { title: 'single row / pgbench pipelined', is: 0.6 },
    { title: 'single row / Nest + TypeORM', is: 6 },
    { title: 'least lead over @supabase/lite', is: 2 },
    { title: 'server CPU of one reply, single', is: 70 },
    { title: 'p99 / p50, single row', is: 4 },
    { title: 'live session lookup in the database, single', is: 20 },
  ])('$title', ({ title, is }) => {
    expect(valueOf(title)).toBeCloseTo(is);
  });
});

describe('demands of a fleet', () => {
  const times = (median: number) => ({ median, max: 2 * median });
  const fleet = {
    projects: 20,
    createMs: times(149),
    deleteMs: times(151),
    coldMs: times(34),
    coldAboveMs: times(36),
    coldWideMs: times(50),
    connectionsAfterTouch: 60,
    connectionsAfterIdle: 1,
    idleSeconds: 1,
    sweepMs: times(48),
  };
  const checked = checkDemands({ ...nothing, fleet });

  test.each([
    { title: 'a new project, median', value: 149, verdict: 'met' },
    { title: 'a project deleted at once, median', value: 151, verdict: 'NOT MET' },
    { title: 'first request of a cold project, one table, median', value: 34, verdict: 'met' },
    {
      title: 'first request of a cold project, one table, above MAX_LIVE_PROJECTS, median',
      value: 36,
      verdict: 'NOT MET',
    },
    { title: 'connections left after the idle time', value: 1, verdict: 'NOT MET' },
    { title: 'an idle project in an hourly round, average of a day', value: 2, verdict: 'met' },
    { title: 'a sweep of an idle project, median', value: 48, verdict: 'NOT MET' },
  ])('$title of $value: $verdict', ({ title, value, verdict }) => {
    expect(checked.find((each) => each.title === title)).toMatchObject({ value, verdict });
  });
});

test('the lead over each peer, case by case; what no peer does has no row', () => {
  const rates = new RateBook();
  const at = { work: 'embed', connections: 32 } as const;
  rates.add({ target: 'product', ...at }, { perSecond: 900 });
  rates.add({ target: 'product', ...at, work: 'batch' }, { perSecond: 900 });
  rates.add({ target: 'typeorm', ...at }, { perSecond: 100 });
  rates.add({ target: 'supabase-lite', ...at }, { perSecond: 300 });
  const [, , ...rows] = peerTable(rates).split('\n');
  expect(rows).toHaveLength(1);
  expect(rows[0]?.split('|').map((cell) => cell.trim())).toEqual(
    expect.arrayContaining(['9.00', '-', '3.00']),
  );
});

test.each([
  { failures: [], is: '' },
  {
    failures: [{ target: 'postgraphile', reason: 'npm failed' }],
    is: '- postgraphile: npm failed',
  },
  {
    failures: [{ target: 'product', work: 'rpc-get', reason: 'answered 404' }],
    is: '- product, rpc-get: answered 404',
  },
] as const)('the list of failures: "$is"', ({ failures, is }) => {
  expect(failureList(failures).split('\n').at(-1)).toBe(is);
});

test('a table lines up', () => {
  expect(table(['a', 'figure'], [['long text', '1']])).toBe(
    ['| a         | figure |', '| --------- | -----: |', '| long text |      1 |'].join('\n'),
  );
});

test('the session lookup is among the figures of the tables and of authentication, from one series', () => {
  const ofLookup = (demands: readonly Demand[]): Demand[] =>
    demands.filter(({ title }) => title.startsWith('live session lookup'));
  expect(ofLookup(AUTH_DEMANDS)).toHaveLength(2);
  expect(ofLookup(AUTH_DEMANDS)).toEqual(ofLookup(DEMANDS));
});

test.each([
  { unit: '/s', value: 120.4, is: '120 /s' },
  { unit: 'kB', value: 355.6, is: '356 kB' },
  { unit: 'MB', value: 12.34, is: '12.3 MB' },
] as const)('$value in $unit is shown as "$is"', ({ unit, value, is }) => {
  const timed: Demand = { ...demandOf('higher', value), unit };
  const text = demandTable(checkDemands(nothing, [timed]), 'authentication');
  expect(text).toMatch(/^\| authentication /);
  expect(text).toContain(` ${is} | >=`);
});

test.each([
  { rate: 3.25, is: '3.3' },
  { rate: 1234.5, is: '1235' },
  { rate: undefined, is: '-' },
])('a rate of $rate is shown as "$is"', ({ rate, is }) => {
  expect(rateText(rate)).toBe(is);
});

test('what was not measured is shown as such', () => {
  expect(demandTable(checkDemands(nothing, [demandOf('higher', undefined)]))).toContain(
    '|        - | >= 1.00 | >= 2.00 | not measured |',
  );
});
