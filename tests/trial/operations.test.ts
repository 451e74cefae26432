import { expect, test } from 'vitest';

import { isStuck, type OpenOperation } from './operations.js';

const now = Date.parse('2026-01-01T12:00:00Z');
const sweep: OpenOperation = {
  ref: 'shop',
  kind: 'sweep',
  state: 'running',
  step: null,
  attempts: 1,
  lastError: null,
  since: '2026-01-01T11:59:50Z',
};

test.each([
  { name: 'a sweep of the round that runs', operation: {}, stuck: false },
  {
    name: 'a sweep that waits for its turn',
    operation: { state: 'waiting', attempts: 0 },
    stuck: false,
  },
  { name: 'a sweep in its second attempt', operation: { attempts: 2 }, stuck: true },
  { name: 'a sweep that has failed', operation: { lastError: 'It failed' }, stuck: true },
  {
    name: 'a sweep that waits since the last round',
    operation: { since: '2026-01-01T11:00:00Z' },
    stuck: true,
  },
  { name: 'an operation of another kind', operation: { kind: 'delete' }, stuck: true },
])('$name: stuck is $stuck', ({ operation, stuck }) => {
  expect(isStuck({ ...sweep, ...operation }, now)).toBe(stuck);
});
