import { expect, test } from 'vitest';

import { Arrivals } from './arrivals.js';

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
const kilobytes = 1024;

test('a turn reads 256 kB of long bodies', async () => {
  const arrivals = new Arrivals();
  const read = () => arrivals.count(64 * kilobytes, () => undefined);
  expect([read(), read(), read(), read(), read()]).toEqual([true, true, true, true, false]);
  await nextTurn();
  expect(read()).toBe(true);
});

test('two of the bodies that wait go on in each turn, in their order', async () => {
  const arrivals = new Arrivals();
  const gone: string[] = [];
  arrivals.count(256 * kilobytes, () => undefined);
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    expect(arrivals.count(1, () => gone.push(name))).toBe(false);
  }
  const turns: string[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    await nextTurn();
    turns.push(gone.splice(0).join(''));
  }
  expect(turns).toEqual(['ab', 'cd', 'e']);
});
