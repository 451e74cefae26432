import { expect, test } from 'vitest';

import { fail } from './app-error.js';
import { databaseAway } from './outage.js';
import { describeFailure } from './describe-failure.js';

test.each([
  {
    name: 'has the reason of its details',
    thrown: databaseAway(new Error('gone')),
    text: `${fail('DATABASE_UNAVAILABLE').message}: disconnected`,
  },
  { name: 'is the message without details', thrown: new Error('timeout'), text: 'timeout' },
  {
    name: 'is the message where the reason is no text',
    thrown: Object.assign(new Error('refused'), { details: { reason: 7 } }),
    text: 'refused',
  },
  { name: 'is the given text for other values', thrown: 'gone', text: 'the call failed' },
])('the description of a failure $name', ({ thrown, text }) => {
  expect(describeFailure(thrown, 'the call failed')).toBe(text);
});
