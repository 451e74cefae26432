import { expect, test } from 'vitest';

import { parseHttpDate } from './http-date.js';

const near = new Date('2026-06-01T00:00:00Z');
const iso = (text: string) => {
  const seconds = parseHttpDate(text, near);
  return seconds === undefined ? undefined : new Date(seconds * 1000).toISOString().slice(0, 19);
};

test.each([
  { name: 'the form of today', text: 'Sun, 06 Nov 1994 08:49:37 GMT', is: '1994-11-06T08:49:37' },
  { name: 'the long form', text: 'Sunday, 06-Nov-94 08:49:37 GMT', is: '1994-11-06T08:49:37' },
  { name: 'the form of asctime', text: 'Sun Nov  6 08:49:37 1994', is: '1994-11-06T08:49:37' },
  { name: 'asctime, two digits', text: 'Wed Nov 16 08:49:37 1994', is: '1994-11-16T08:49:37' },
  { name: 'a leap day', text: 'Thu, 29 Feb 2024 00:00:00 GMT', is: '2024-02-29T00:00:00' },
  { name: 'a leap second', text: 'Sat, 31 Dec 2016 23:59:60 GMT', is: '2017-01-01T00:00:00' },
  {
    name: 'the wrong name of the day',
    text: 'Mon, 06 Nov 1994 08:49:37 GMT',
    is: '1994-11-06T08:49:37',
  },
  {
    name: 'two digits, 50 years on',
    text: 'Sunday, 06-Nov-76 08:49:37 GMT',
    is: '2076-11-06T08:49:37',
  },
  {
    name: 'two digits, more than that',
    text: 'Sunday, 06-Nov-77 08:49:37 GMT',
    is: '1977-11-06T08:49:37',
  },
  {
    name: 'a year before all of them',
    text: 'Sun, 06 Nov 0094 08:49:37 GMT',
    is: '0094-11-06T08:49:37',
  },
])('$name', ({ text, is }) => {
  expect(iso(text)).toBe(is);
});

test.each([
  '',
  '0',
  'now',
  '1994-11-06T08:49:37Z',
  'Sun, 6 Nov 1994 08:49:37 GMT',
  'Sun, 06 Nov 94 08:49:37 GMT',
  'Sun, 06 nov 1994 08:49:37 GMT',
  'Sun, 06 Nov 1994 08:49:37',
  'Sun, 06 Nov 1994 08:49:37 UTC',
  'Sun, 06 Nov 1994 08:49:37 +0100',
  'Sun, 06 Nov 1994 24:00:00 GMT',
  'Sun, 06 Nov 1994 08:60:37 GMT',
  'Sun, 06 Nov 1994 08:49:61 GMT',
  'Sun, 00 Nov 1994 08:49:37 GMT',
  'Sun, 31 Nov 1994 08:49:37 GMT',
  'Wed, 29 Feb 2023 08:49:37 GMT',
  'Xxx, 06 Nov 1994 08:49:37 GMT',
  ' Sun, 06 Nov 1994 08:49:37 GMT',
  'Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT',
])('%j is no date', (text) => {
  expect(iso(text)).toBeUndefined();
});

test('two digits mean a year near the other date, in whichever century', () => {
  const year = (text: string, other: string) =>
    new Date((parseHttpDate(text, new Date(other)) ?? 0) * 1000).getUTCFullYear();
  expect(year('Friday, 01-Jan-05 00:00:00 GMT', '1999-06-01')).toBe(2005);
  expect(year('Friday, 01-Jan-99 00:00:00 GMT', '2001-06-01')).toBe(1999);
});
