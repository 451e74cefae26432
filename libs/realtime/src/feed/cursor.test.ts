// Which cursors belong to an outbox and have positions that PostgreSQL reads.
import { expect, test } from 'vitest';

import { cursorOf, positionOf } from './cursor.js';

const epoch = { outbox: '0123456789ab', run: '89abcdef-0123-4567-89ab-cdef01234567' };

test.each([
  { name: 'a snapshot', position: '10:12:10' },
  { name: 'a place within a page', position: '10:12:10/14:14:/27' },
  { name: 'a place within the lines ahead of a number', position: '10:12:10/14:14:/27/31' },
])('$name is a position', ({ position }) => {
  expect(positionOf(cursorOf(epoch, position), epoch)).toEqual({ position, runPrefix: '89abcdef' });
});

test.each([
  { name: 'half a place', position: '10:12:10/14:14:' },
  { name: 'more than two numbers', position: '10:12:10/14:14:/27/31/33' },
  { name: 'a number that is none', position: '10:12:10/14:14:/27/x' },
])('$name is no position', ({ position }) => {
  expect(positionOf(cursorOf(epoch, position), epoch)).toBeUndefined();
});

test('the run of a cursor may be another one, its outbox not', () => {
  const cursor = cursorOf(epoch, '10:12:10');
  const run = 'fedcba98-0123-4567-89ab-cdef01234567';
  expect(positionOf(cursor, { ...epoch, run })).toEqual({
    position: '10:12:10',
    runPrefix: '89abcdef',
  });
  expect(positionOf(cursor, { ...epoch, outbox: '0123456789ac' })).toBeUndefined();
});
