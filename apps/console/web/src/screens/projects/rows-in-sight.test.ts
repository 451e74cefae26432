import { expect, test } from 'vitest';

import { rowsBetween } from './rows-in-sight.js';

const rows = { count: 1000, height: 50, overscan: 2 };

test.each([
  { name: 'the top of the list', from: 0, to: 500, sight: { first: 0, end: 12 } },
  { name: 'a list that begins below the top', from: -200, to: 300, sight: { first: 0, end: 8 } },
  { name: 'rows that are cut at both ends', from: 1025, to: 1525, sight: { first: 18, end: 33 } },
  { name: 'the end of the list', from: 49_600, to: 50_100, sight: { first: 990, end: 1000 } },
  { name: 'a list below the window', from: -900, to: -400, sight: { first: 0, end: 0 } },
  {
    name: 'a list that was left above',
    from: 60_000,
    to: 60_500,
    sight: { first: 1000, end: 1000 },
  },
])('$name', ({ from, to, sight }) => {
  expect(rowsBetween(from, to, rows)).toEqual(sight);
});
