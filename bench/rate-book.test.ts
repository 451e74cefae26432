import { expect, test } from 'vitest';
import { median, RateBook, type SeriesKey } from './rate-book.js';

const product: SeriesKey = { target: 'product', work: 'single', connections: 32 };
const baseline: SeriesKey = { target: 'baseline', work: 'single', connections: 32 };

function bookOf(rates: readonly (readonly [number, number])[]): RateBook {
  const book = new RateBook();
  for (const [over, under] of rates) {
    book.add(product, { perSecond: over, cpuMicros: over / 10 });
    book.add(baseline, { perSecond: under });
  }
  return book;
}

test.each([
  { of: [3, 1, 2], is: 2 },
  { of: [4, 1, 2, 3], is: 2.5 },
  { of: [], is: undefined },
])('the median of $of is $is', ({ of, is }) => {
  expect(median(of)).toBe(is);
});

test('a ratio is taken within each round, so a slow round does not bend it', () => {
  const book = bookOf([
    [50, 100],
    [10, 20],
    [60, 100],
  ]);
  expect(book.ratio(product, baseline)).toBe(0.5);
});

test('a round in which the other side stood still has no ratio', () => {
  const book = bookOf([
    [50, 0],
    [10, 20],
  ]);
  expect(book.ratio(product, baseline)).toBe(0.5);
});

test('what was not measured has no median and no ratio', () => {
  const book = bookOf([[1, 2]]);
  const many = { ...product, connections: 128 };
  expect(book.median(many)).toBeUndefined();
  expect(book.ratio(product, many)).toBeUndefined();
  expect(book.median(baseline, ({ cpuMicros }) => cpuMicros)).toBeUndefined();
});

test('another reading than the rate has its own median', () => {
  expect(bookOf([[500, 1]]).median(product, ({ cpuMicros }) => cpuMicros)).toBe(50);
});

test('what failed has no rate any more, and nothing else is touched', () => {
  const book = bookOf([[50, 100]]);
  book.fail({ target: 'product', work: 'single', reason: 'stuck' });
  expect(book.hasFailed(product)).toBe(true);
  expect(book.median(product)).toBeUndefined();
  expect(book.hasFailed({ target: 'product', work: 'embed' })).toBe(false);
  expect(book.median(baseline)).toBe(100);
});

test('a target that is missing as a whole has failed in every work', () => {
  const book = new RateBook();
  book.fail({ target: 'postgraphile', reason: 'not installed' });
  expect(book.hasFailed({ target: 'postgraphile', work: 'nested' })).toBe(true);
  expect(book.hasFailed({ target: 'typeorm', work: 'nested' })).toBe(false);
});
