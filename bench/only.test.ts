import { expect, test } from '@jest/globals';
import { isAskedFor } from './only.js';

test.each([
  { only: '', target: 'product', work: 'embed', is: true },
  { only: 'product', target: 'product', work: 'embed', is: true },
  { only: '/embed', target: 'typeorm', work: 'embed', is: true },
  { only: 'product/', target: 'postgraphile', work: 'single', is: false },
  { only: 'product/embed, baseline/embed', target: 'baseline', work: 'embed', is: true },
  { only: 'product/embed,baseline/embed', target: 'baseline-serial', work: 'embed', is: false },
] as const)('"$only" asks for $target/$work: $is', ({ only, target, work, is }) => {
  expect(isAskedFor(only, target, work)).toBe(is);
});
