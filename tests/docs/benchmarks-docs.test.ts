// The bars in the tables of docs/benchmarks.md are those that the benchmark compares with.
import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { AUTH_DEMANDS } from '../../bench/auth/demands.js';
import { type Demand, DEMANDS } from '../../bench/demands.js';
import { FUNCTION_DEMANDS } from '../../bench/functions/demands.js';
import { checkMemory } from '../../bench/memory/report.js';
import { REALTIME_DEMANDS } from '../../bench/realtime/demands.js';
import { demandTable } from '../../bench/report.js';
import { STORAGE_DEMANDS } from '../../bench/storage/demands.js';

/** What a figure must reach, in the words of the tables: `>= 0.45`; empty without a bar. */
interface Bars {
  readonly title: string;
  readonly demand: string;
  readonly stretch: string;
}

const page = readFileSync('docs/benchmarks.md', 'utf8');

/** The rows of the tables with a column `demand` in chapters of the page. */
function barsOfPage(chapters: readonly string[]): readonly Bars[] {
  return chapters.flatMap((title) => {
    const [, behind = ''] = page.split(`\n## ${title}\n`);
    const [chapter = ''] = behind.split('\n## ');
    return chapter.split('\n\n').flatMap(barsOfTable);
  });
}

function barsOfTable(text: string): readonly Bars[] {
  const [head = [], , ...rows] = text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const [demand, stretch] = [head.indexOf('demand'), head.indexOf('stretch')];
  if (demand === -1) return [];
  return rows.map((cells) => ({
    title: plain(cells[0] ?? ''),
    demand: cells[demand] ?? '',
    stretch: cells[stretch] ?? '',
  }));
}

/** A title without what the page adds, and without `median`, which the page says once for all. */
const plain = (title: string): string =>
  title
    .replaceAll('`', '')
    .replace(/ \\\*$/, '')
    .replace(/, median$/, '');

function barsOfDemands(demands: readonly Demand[]): readonly Bars[] {
  const rows = demands.map(({ title, unit, better, demand, stretch }) => ({
    title,
    unit,
    better,
    ...(demand !== undefined && { demand }),
    ...(stretch !== undefined && { stretch }),
    verdict: 'not measured' as const,
  }));
  return barsOfTable(demandTable(rows));
}

function barsOfMemory(): readonly Bars[] {
  const nothing = { shapes: 0, cases: [], failures: [], before: [], samples: [] };
  return checkMemory(nothing).map(({ title, maxGrowth }) => ({
    title,
    demand: `<= ${(maxGrowth * 100).toFixed(1)} %`,
    stretch: '',
  }));
}

const parts = [
  { chapters: ['Tables and functions', 'Projects'], bars: barsOfDemands(DEMANDS) },
  { chapters: ['Authentication'], bars: barsOfDemands(AUTH_DEMANDS) },
  { chapters: ['Files'], bars: barsOfDemands(STORAGE_DEMANDS) },
  { chapters: ['Realtime'], bars: barsOfDemands(REALTIME_DEMANDS) },
  { chapters: ['Edge functions'], bars: barsOfDemands(FUNCTION_DEMANDS) },
  { chapters: ['Memory'], bars: barsOfMemory() },
];

test.each(parts)('each row of $chapters has the bars of the benchmark', ({ chapters, bars }) => {
  const rows = barsOfPage(chapters);
  expect(rows.length).toBeGreaterThan(0);
  const titles = rows.map(({ title }) => title);
  expect(rows).toEqual(titles.map((title) => bars.find((each) => each.title === title) ?? title));
});

test.each(parts)('$chapters shows each figure that has a bar', ({ chapters, bars }) => {
  const titles = barsOfPage(chapters).map(({ title }) => title);
  const withBar = bars.filter(({ demand, stretch }) => demand !== '' || stretch !== '');
  expect(titles).toEqual(expect.arrayContaining(withBar.map(({ title }) => title)));
});

test('every table of bars is in one of these chapters', () => {
  const known = barsOfPage(parts.flatMap(({ chapters }) => chapters));
  expect(page.split('\n\n').flatMap(barsOfTable)).toHaveLength(known.length);
});
