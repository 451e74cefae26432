import { expect, test } from 'vitest';

import type { Received } from './follower.js';
import { Ledger, type Written } from './ledger.js';

const versions: readonly Written[] = [1, 2, 3, 4, 5].map((version) => ({
  id: `10.${version}`,
  owner: 'ann',
  hidden: version === 5,
}));
const entry: Written = { id: '11.6', owner: 'ann', hidden: false };
const written = [...versions, entry];

const version = (number: number, id = `10.${number}`): Received => ({
  id,
  table: 'counters',
  row: { id: 1, version: number },
});
const inserted = (id = entry.id): Received => ({ id, table: 'entries', row: { id: 1 } });
const right = { lost: 0, doubled: 0, outOfOrder: 0, leaked: 0 };

const whole = [version(1), version(2), version(3), version(4), inserted()];

test.each([
  { name: 'all that it may see', received: whole, is: right },
  { name: 'one less', received: whole.slice(1), is: { ...right, lost: 1 } },
  {
    name: 'a version under two ids',
    received: [...whole.slice(0, 4), version(4, '12.7'), inserted()],
    is: { ...right, doubled: 1, leaked: 1 },
  },
  {
    name: 'a row inserted twice',
    received: [...whole, inserted('12.7')],
    is: { ...right, doubled: 1, leaked: 1 },
  },
  {
    name: 'versions in another order',
    received: [version(1), version(3), version(2), version(4), inserted()],
    is: { ...right, outOfOrder: 1 },
  },
  { name: 'a hidden version', received: [...whole, version(5)], is: { ...right, leaked: 1 } },
])('an owner who receives $name', ({ received, is }) => {
  const ledger = new Ledger('ann', { kind: 'owner', id: 'ann' });
  for (const one of received) ledger.take(one);
  expect(ledger.compare(written)).toMatchObject({ expected: 5, ...is });
});

test.each([
  { kind: 'everything', expected: 6, leaked: 0 },
  { kind: 'nothing', expected: 0, leaked: 5 },
] as const)('who may see $kind', ({ kind, expected, leaked }) => {
  const ledger = new Ledger(kind, { kind });
  for (const one of whole) ledger.take(one);
  expect(ledger.compare(written)).toMatchObject({ expected, leaked });
});
