// Turns the samples of a memory run into a table, a small graph and verdicts.

import type { Failure } from '../rate-book.js';
import { failureList } from '../report.js';
import { table } from '../table.js';
import { blocks, growthOfLastHalf, thinned } from './curve.js';

export interface MemorySample {
  /** Since the mixed load began; 0 for the samples before it. */
  readonly minutes: number;
  /** Requests answered so far. */
  readonly requests: number;
  readonly rssBytes: number;
  readonly heapBytes: number;
  readonly externalBytes: number;
  /** Connections that the product holds to the project. */
  readonly backends: number;
  /** Memory of their own of all of them; absent where the system does not report it. */
  readonly backendBytes?: number;
  /** The most prepared statements that a connection holds; absent where it could not be asked. */
  readonly statements?: number;
}

export interface MemoryResult {
  readonly shapes: number;
  readonly cases: readonly string[];
  /** Cases that are not part of the load, because the answer to them was wrong. */
  readonly failures: readonly Failure[];
  /** Before any load, and after the different shapes. */
  readonly before: readonly MemorySample[];
  /** During the mixed load, evenly in time. */
  readonly samples: readonly MemorySample[];
}

interface Curve {
  readonly title: string;
  /** How much of its mean the last half may grow. */
  readonly maxGrowth: number;
  readonly read: (sample: MemorySample) => number | undefined;
}

const CURVES: readonly Curve[] = [
  { title: 'heap in use', maxGrowth: 0.05, read: ({ heapBytes }) => heapBytes },
  { title: 'resident memory', maxGrowth: 0.1, read: ({ rssBytes }) => rssBytes },
  {
    title: 'memory of a connection in the database',
    maxGrowth: 0.1,
    read: ({ backends, backendBytes }) =>
      backendBytes === undefined || backends === 0 ? undefined : backendBytes / backends,
  },
  {
    title: 'prepared statements of a connection',
    maxGrowth: 0.05,
    read: ({ statements }) => statements,
  },
];

const SHOWN_ROWS = 20;
const SHOWN_BLOCKS = 60;
const MEBIBYTE = 2 ** 20;

export interface CheckedCurve {
  readonly title: string;
  readonly values: readonly number[];
  readonly maxGrowth: number;
  readonly growth?: number;
  /** Also true when there is nothing to compare. */
  readonly isMet: boolean;
}

/** Every curve with the growth of its last half. */
export function checkMemory({ samples }: MemoryResult): CheckedCurve[] {
  return CURVES.map(({ title, maxGrowth, read }) => {
    const values = samples.map(read).filter((value) => value !== undefined);
    const growth = growthOfLastHalf(values);
    return {
      title,
      values,
      maxGrowth,
      ...(growth === undefined ? {} : { growth }),
      isMet: growth === undefined || growth <= maxGrowth,
    };
  });
}

function mebibytes(bytes: number | undefined): string {
  return bytes === undefined ? '-' : (bytes / MEBIBYTE).toFixed(1);
}

function percent(share: number | undefined): string {
  return share === undefined ? '-' : `${(share * 100).toFixed(1)} %`;
}

function rowOf(name: string, sample: MemorySample): string[] {
  return [
    name,
    String(sample.requests),
    mebibytes(sample.rssBytes),
    mebibytes(sample.heapBytes),
    mebibytes(sample.externalBytes),
    String(sample.backends),
    mebibytes(sample.backendBytes),
    sample.statements === undefined ? '-' : String(sample.statements),
  ];
}

function sampleTable({ before, samples, shapes }: MemoryResult): string {
  const [idle, ...afterShapes] = before;
  return table(
    [
      '',
      'requests',
      'RSS MiB',
      'heap MiB',
      'external MiB',
      'connections',
      'their MiB',
      'statements',
    ],
    [
      ...(idle === undefined ? [] : [rowOf('warm', idle)]),
      ...afterShapes.map((sample) => rowOf(`after ${String(shapes)} shapes`, sample)),
      ...thinned(samples, SHOWN_ROWS).map((sample) =>
        rowOf(`${sample.minutes.toFixed(1)} min of mixed load`, sample),
      ),
    ],
  );
}

function growthTable(checked: readonly CheckedCurve[]): string {
  return table(
    ['growth of the last half', 'measured', 'demand', 'verdict'],
    checked.map(({ title, growth, maxGrowth, isMet }) => [
      title,
      percent(growth),
      `<= ${percent(maxGrowth)}`,
      growth === undefined ? 'not measured' : isMet ? 'met' : 'NOT MET',
    ]),
  );
}

function graph(checked: readonly CheckedCurve[]): string {
  const known = checked.filter(({ values }) => values.length > 0);
  const width = Math.max(0, ...known.map(({ title }) => title.length));
  return known
    .map(({ title, values }) => `${title.padEnd(width)}  ${blocks(thinned(values, SHOWN_BLOCKS))}`)
    .join('\n');
}

/** What the person who ran it reads. */
export function renderMemory(result: MemoryResult): string {
  const checked = checkMemory(result);
  return [
    `mixed load: ${result.cases.join(', ')}`,
    sampleTable(result),
    graph(checked),
    growthTable(checked),
    failureList(result.failures),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}
