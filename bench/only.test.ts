import { describe, expect, test } from 'vitest';
import { isAskedFor, isAuthAsked, isMoreThanAuthAsked } from './only.js';

test.each([
  { only: '', target: 'product', work: 'embed', is: true },
  { only: 'product', target: 'product', work: 'embed', is: true },
  { only: '/embed', target: 'typeorm', work: 'embed', is: true },
  { only: 'product/', target: 'postgraphile', work: 'single', is: false },
  { only: 'product/embed, baseline/embed', target: 'baseline', work: 'embed', is: true },
  { only: 'product/embed,baseline/embed', target: 'baseline-serial', work: 'embed', is: false },
  { only: 'auth', target: 'hash', work: 'sign-in', is: true },
  { only: 'auth', target: 'product', work: 'get-session', is: true },
  { only: 'auth', target: 'baseline-claims', work: 'list1000', is: true },
  { only: 'auth', target: 'node-http', work: 'hello', is: true },
  { only: 'auth', target: 'product', work: 'embed', is: false },
  { only: 'auth', target: 'fastify', work: 'hello', is: false },
  { only: 'auth, /embed', target: 'typeorm', work: 'embed', is: true },
] as const)('"$only" asks for $target/$work: $is', ({ only, target, work, is }) => {
  expect(isAskedFor(only, { target, work })).toBe(is);
});

test.each([
  { only: 'auth', connections: 32, is: true },
  { only: 'auth', connections: 128, is: false },
  { only: 'product', connections: 128, is: true },
] as const)(
  '"$only" asks for single rows with $connections connections: $is',
  ({ only, connections, is }) => {
    expect(isAskedFor(only, { target: 'product', work: 'single', connections })).toBe(is);
  },
);

describe('beside the series', () => {
  test.each([
    { only: '', auth: true, more: true },
    { only: 'auth', auth: true, more: false },
    { only: 'product/single', auth: false, more: true },
    { only: 'product/single, auth', auth: true, more: true },
  ])('"$only" asks for authentication: $auth, for more: $more', ({ only, auth, more }) => {
    expect([isAuthAsked(only), isMoreThanAuthAsked(only)]).toEqual([auth, more]);
  });
});
