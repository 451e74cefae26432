import { expect, test } from 'vitest';

import { missing, ProjectBook } from './ledger.js';

test('what was acknowledged and is not there is missing; more may be there', () => {
  expect(missing(['a', 'b'], ['b', 'c'])).toEqual(['a']);
});

test.each([
  { name: 'an acknowledged creation is active', state: 'gone', made: true, complaint: true },
  { name: 'a broken creation may be gone', state: 'gone', made: false, complaint: false },
  { name: 'a broken creation may be there', state: 'active', made: false, complaint: false },
  { name: 'no creation goes on for ever', state: 'creating', made: false, complaint: true },
])('$name', ({ state, made, complaint }) => {
  const book = new ProjectBook();
  book.created('shop', made);
  expect(book.contradiction('shop', state) !== undefined).toBe(complaint);
});

test.each([
  { name: 'an acknowledged deletion is gone', state: 'active', removed: true, complaint: true },
  {
    name: 'a broken deletion may not have begun',
    state: 'active',
    removed: false,
    complaint: false,
  },
  { name: 'no deletion goes on for ever', state: 'deleting', removed: false, complaint: true },
])('$name', ({ state, removed, complaint }) => {
  const book = new ProjectBook();
  book.created('shop', true);
  expect(book.takeActive()).toBe('shop');
  expect(book.takeActive()).toBeUndefined();
  book.removed('shop', removed);
  expect(book.contradiction('shop', state) !== undefined).toBe(complaint);
  expect(book.refs).toEqual(['shop']);
});
