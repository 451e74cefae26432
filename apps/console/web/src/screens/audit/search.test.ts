import { describe, expect, test } from 'vitest';

import { fieldTime, hasFilters, momentIn, momentsOf, readSearch } from './search.js';

const now = Date.parse('2030-01-31T12:00:30Z');

describe('the address of an audit log', () => {
  test.each([
    { name: 'nothing', given: {}, expected: {} },
    {
      name: 'filters',
      given: { operator: 'x', action: ' project.pause ', target: 42, time: 'day' },
      expected: { operator: 'x', action: 'project.pause', target: '42', time: 'day' },
    },
    { name: 'an entry', given: { open: 42 }, expected: { open: '42' } },
    {
      name: 'what is not valid',
      given: { time: 'ever', open: 'x', log: 'other', action: '', from: 'yesterday' },
      expected: {},
    },
    {
      name: 'moments, with the time between them alone',
      given: { time: 'day', from: '2030-01-01T00:00:00Z' },
      expected: { time: 'day' },
    },
    {
      name: 'moments that are none',
      given: { time: 'between', from: 'yesterday', to: '2030-01-01T00:00:00Z' },
      expected: { time: 'between', to: '2030-01-01T00:00:00Z' },
    },
  ])('has $name', ({ given, expected }) => {
    const found = Object.entries(readSearch(given)).filter(([, value]) => value !== undefined);
    expect(Object.fromEntries(found)).toEqual(expected);
  });

  test('says whether anything is filtered', () => {
    expect(hasFilters(readSearch({ open: 1, organization: 'x' }))).toBe(false);
    expect(hasFilters(readSearch({ action: 'project' }))).toBe(true);
  });
});

test.each([
  { search: {}, expected: {} },
  { search: { time: 'hour' }, expected: { from: '2030-01-31T11:00:00.000Z' } },
  { search: { time: 'week' }, expected: { from: '2030-01-24T12:00:00.000Z' } },
  { search: { time: 'between', to: '2030-01-01' }, expected: { to: '2030-01-01' } },
] as const)('the moments of $search are $expected', ({ search, expected }) => {
  expect(momentsOf(search, now)).toEqual(expected);
});

test('a moment goes into a field and out again', () => {
  const moment = '2030-01-31T12:34:00.000Z';
  expect(momentIn(fieldTime(moment))).toBe(moment);
  expect(fieldTime(undefined)).toBe('');
  expect(momentIn('')).toBeUndefined();
});
