import { expect, test } from 'vitest';

import { forEachOf, undoForEachOf } from './bulk.js';

test('does the work for each item, at most four at a time, and goes on after a failure', async () => {
  let running = 0;
  let most = 0;
  const ended: number[] = [];
  const items = Array.from({ length: 11 }, (_, index) => index);
  const { done, failed } = await forEachOf(
    items,
    async (item) => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
      if (item === 5) throw new Error('five');
    },
    (count) => ended.push(count),
  );
  expect(most).toBe(4);
  expect(done.toSorted((a, b) => a - b)).toEqual(items.filter((item) => item !== 5));
  expect(failed).toEqual([{ item: 5, error: new Error('five') }]);
  expect(ended).toEqual(items.map((item) => item + 1));
});

test('of nothing is done at once', async () => {
  expect(await forEachOf([], () => Promise.reject(new Error('never')))).toEqual({
    done: [],
    failed: [],
  });
});

test('an undo goes on after a failure, and throws the first one', async () => {
  const undone: number[] = [];
  const undo = (item: number): Promise<void> => {
    if (item % 2 === 0) return Promise.reject(new Error(`no ${item}`));
    undone.push(item);
    return Promise.resolve();
  };
  await expect(undoForEachOf([1, 2, 3, 4, 5], undo)).rejects.toThrow('no 2');
  expect(undone).toEqual([1, 3, 5]);
  await expect(undoForEachOf([1, 3], undo)).resolves.toBeUndefined();
});
