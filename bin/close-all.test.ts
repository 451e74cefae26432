import { expect, test } from 'vitest';
import { closeAll } from './close-all.js';

test('everything is closed, the last first, although a part cannot be closed', async () => {
  const closed: string[] = [];
  const closings = ['first', 'second', 'third'].map((name) => async () => {
    closed.push(name);
    if (name === 'third') throw new Error('third is broken');
  });
  await expect(closeAll(closings)).rejects.toThrow('third is broken');
  expect(closed).toEqual(['third', 'second', 'first']);
  expect(closings).toEqual([]);
});
