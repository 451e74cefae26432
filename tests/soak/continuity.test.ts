import { expect, test } from 'vitest';

import { Continuity } from './continuity.js';

const row = (id: number, version: number, owner = 'ann') => ({
  id: `1.${version}`,
  table: 'counters',
  row: { id, version, owner, hidden: version % 5 === 0 },
});

function taken(book: Continuity, versions: readonly number[]): Continuity {
  for (const version of versions) book.take(row(1, version));
  return book;
}

const everything = () => new Continuity('secret key', { kind: 'everything' });
const ann = () => new Continuity('ann', { kind: 'owner', id: 'ann' });

test.each([
  { name: 'all of them', versions: [1, 2, 3], lost: 0, disordered: 0 },
  { name: 'two left out', versions: [1, 4], lost: 2, disordered: 0 },
  { name: 'one again', versions: [1, 2, 2, 3], lost: 0, disordered: 1 },
  { name: 'an earlier one late', versions: [1, 3, 2], lost: 1, disordered: 1 },
  { name: 'the first left out', versions: [2], lost: 1, disordered: 0 },
])('versions of a row, $name', ({ versions, lost, disordered }) => {
  expect(taken(everything(), versions)).toMatchObject({ lost, disordered, leaked: 0 });
});

test('an owner does not miss hidden versions, and must not receive them', () => {
  expect(taken(ann(), [1, 2, 3, 4, 6])).toMatchObject({ lost: 0, leaked: 0 });
  expect(taken(ann(), [4, 5])).toMatchObject({ leaked: 1 });
  expect(taken(ann(), [3, 12])).toMatchObject({ lost: 2 + 6 });
});

test('rows of others are leaks', () => {
  const book = ann();
  book.take(row(2, 1, 'bob'));
  expect(book.leaked).toBe(1);
});

test.each([
  { version: 4, behind: 0 },
  { version: 5, behind: 0 },
  { version: 7, behind: 2 },
])('with version 4 of $version an owner is $behind behind', ({ version, behind }) => {
  const book = taken(ann(), [1, 2, 3, 4]);
  expect(book.behind([{ id: 1, owner: 'ann', version }])).toBe(behind);
  expect(book.behind([{ id: 2, owner: 'bob', version }])).toBe(0);
});
