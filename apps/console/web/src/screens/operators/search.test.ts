import { expect, test } from 'vitest';

import { readSearch } from './search.js';

test.each([
  { name: 'nothing', given: {}, expected: {} },
  {
    name: 'the matrix with its filters',
    given: { tab: 'access', q: 42, project: 'shop', capability: 'audit.read' },
    expected: { tab: 'access', q: '42', project: 'shop', capability: 'audit.read' },
  },
  {
    name: 'the details of an operator',
    given: { open: 'x', part: 'sessions', state: 'admin', dialog: 'invite' },
    expected: { open: 'x', part: 'sessions', state: 'admin', dialog: 'invite' },
  },
  {
    name: 'what is as usual or not valid',
    given: { tab: 'people', part: 'access', capability: 'all', state: 'x', dialog: 'x', q: '' },
    expected: {},
  },
])('the address of the operators has $name', ({ given, expected }) => {
  const found = Object.entries(readSearch(given)).filter(([, value]) => value !== undefined);
  expect(Object.fromEntries(found)).toEqual(expected);
});
