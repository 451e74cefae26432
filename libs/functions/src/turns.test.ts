import { expect, test } from 'vitest';

import { Turns } from './turns.js';

test('works beyond the maximum wait in order, and go on after one that fails', async () => {
  const turns = new Turns(2);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const works = ['a', 'b', 'c', 'd'].map((name) =>
    turns.run(() => {
      begun.push(name);
      return new Promise<void>((resolve, reject) => {
        ends.set(name, name === 'a' ? () => reject(new Error('a')) : resolve);
      });
    }),
  );
  expect(begun).toEqual(['a', 'b']);
  ends.get('a')?.();
  await expect(works[0]).rejects.toThrow('a');
  expect(begun).toEqual(['a', 'b', 'c']);
  for (const name of ['b', 'c']) ends.get(name)?.();
  await Promise.all([works[1], works[2]]);
  ends.get('d')?.();
  await works[3];
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
});
