// What the figures of the console say.
import { expect, test } from 'vitest';

import {
  type Figures,
  framesPerSecond,
  median,
  misses,
  type Opening,
  renderFigures,
  slow,
} from './figures-report.js';

const opening = (given: Partial<Opening>): Opening => ({
  ms: 40,
  chain: ['/users'],
  scriptBytes: 7_100,
  shift: 0,
  shifted: [],
  ...given,
});

interface Given {
  readonly first?: Partial<Opening>;
  readonly warm?: Partial<Opening>;
  readonly cold?: Partial<Opening>;
  /** What another cold opening has found. */
  readonly again?: Partial<Opening>;
  readonly frameMs?: number;
}

function figuresOf(given: Given = {}): Figures {
  const { first = {}, warm = {}, cold = {}, again = {}, frameMs = 1000 / 60 } = given;
  return {
    first: {
      openings: [opening({ ms: 812.4, scriptBytes: 126_600, ...first })],
      bytes: new Map([['Script', 151_600]]),
    },
    figures: [
      {
        title: 'Users',
        isByAddress: false,
        warm: [opening(warm)],
        cold: [opening(cold), opening({ ...cold, ...again })],
      },
    ],
    frames: [{ name: 'wheel', step: 120, times: Array<number>(60).fill(frameMs) }],
  };
}

test('a table has the figures of each screen', () => {
  const cold = { ms: 310.6, chain: ['/a.js', '/users'] };
  const lines = renderFigures(figuresOf({ cold })).split('\n');
  expect(lines[0]).toBe(
    'First load of the list of projects, with headers and what is loaded after it: 151.6 KB (script 151.6 KB), usable in 812 ms',
  );
  expect(lines).toContain(
    '| First load |       | 812 ms (by its address) | 126.6 KB   | 1                 | 0.00         |',
  );
  expect(lines).toContain(
    '| Users      | 40 ms | 311 ms                  | 7.1 KB     | 2                 | 0.00         |',
  );
  expect(lines).toContain(
    '| wheel                  | 3.6                | 60.0              | 17 ms         |',
  );
});

test.each([
  { name: 'good figures', given: {}, expected: [] },
  {
    name: 'a first load that is too large',
    given: { first: { scriptBytes: 130_001 } },
    expected: ['First load: 130.0 KB of JavaScript'],
  },
  {
    name: 'a first load that moves',
    given: { first: { shift: 0.005, shifted: ['main "8 projects"'] } },
    expected: ['First load: layout shift 0.005 of main "8 projects"'],
  },
  {
    name: 'a screen that is too large',
    given: { cold: { scriptBytes: 200_100 } },
    expected: ['Users: 200.1 KB of JavaScript'],
  },
  {
    name: 'three requests in a row',
    given: { cold: { chain: ['/a.js', '/b.js', '/users'] } },
    expected: ['Users: 3 requests in a row: /a.js, /b.js, /users'],
  },
  {
    name: 'requests that follow each other once, by chance',
    given: { cold: { chain: ['/a.js', '/b.js', '/users'] }, again: { chain: ['/a.js', '/users'] } },
    expected: [],
  },
  {
    name: 'a shift, with what has moved',
    given: { cold: { shift: 0.02, shifted: ['p "57 users"'] } },
    expected: ['Users: layout shift 0.020 of p "57 users"'],
  },
  { name: 'no times', given: { warm: { ms: 101 }, cold: { ms: 501 }, frameMs: 25 }, expected: [] },
])('misses: $name', ({ given, expected }) => expect(misses(figuresOf(given))).toEqual(expected));

test.each([
  { name: 'good figures', given: {}, expected: [] },
  { name: 'a slow warm one', given: { warm: { ms: 101 } }, expected: ['Users: warm 101 ms'] },
  { name: 'a slow cold one', given: { cold: { ms: 501 } }, expected: ['Users: cold 501 ms'] },
  {
    name: 'frames that are left out',
    given: { frameMs: 25 },
    expected: ['scrolling (wheel): 40.0 fps'],
  },
])('slow: $name', ({ given, expected }) => expect(slow(figuresOf(given))).toEqual(expected));

test.each([
  { numbers: [], expected: 0 },
  { numbers: [3, 1, 2], expected: 2 },
  { numbers: [4, 1, 2, 3], expected: 2.5 },
])('the median of $numbers is $expected', ({ numbers, expected }) =>
  expect(median(numbers)).toBe(expected),
);

test('no frame is no rate', () => expect(framesPerSecond([])).toBe(0));
