import { expect, test } from 'vitest';

import { exactTime, inWords, relativeTime } from './time-in-words.js';

const now = Date.parse('2026-05-10T12:00:00.000Z');

test.each([
  { name: 'this moment', at: '2026-05-10T12:00:00.000Z', words: 'just now' },
  { name: 'the last minute', at: '2026-05-10T11:59:01.000Z', words: 'just now' },
  { name: 'the next minute', at: '2026-05-10T12:00:59.000Z', words: 'in less than a minute' },
  { name: 'a minute ago', at: '2026-05-10T11:59:00.000Z', words: '1 minute ago' },
  { name: 'two hours ahead', at: '2026-05-10T14:59:00.000Z', words: 'in 2 hours' },
  { name: 'the day before, as a number', at: '2026-05-09T12:00:00.000Z', words: '1 day ago' },
  { name: 'the day after, as a number', at: '2026-05-11T12:00:00.000Z', words: 'in 1 day' },
  { name: 'days ahead', at: '2026-06-08T12:00:00.000Z', words: 'in 29 days' },
  { name: 'a year ago', at: '2025-05-10T12:00:00.000Z', words: '1 year ago' },
])('relative time: $name', ({ at, words }) => {
  expect(relativeTime(at, now)).toBe(words);
});

test.each([
  { seconds: 0, words: '1 second' },
  { seconds: 59, words: '59 seconds' },
  { seconds: 61, words: '2 minutes' },
  { seconds: 3601, words: '2 hours' },
])('$seconds seconds are $words', ({ seconds, words }) => {
  expect(inWords(seconds)).toBe(words);
});

test('the exact time is in English, with the zone', () => {
  expect(exactTime('2026-05-10T12:00:00.000Z')).toMatch(
    /^\w+day, May \d+, 2026 at .*\d:\d\d.* \S+$/,
  );
});
