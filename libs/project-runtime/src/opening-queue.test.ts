import { expect, test } from 'vitest';

import { OpeningQueue } from './opening-queue.js';

const never = () => new Promise<never>(() => undefined);

test('an opening that takes too long keeps no other waiting', async () => {
  const queue = new OpeningQueue({ places: 1, holdMs: 1 });
  void queue.run(never);
  await expect(queue.run(() => Promise.resolve('open'))).resolves.toBe('open');
});

test('an opening that fails gives its place on', async () => {
  const queue = new OpeningQueue({ places: 1, holdMs: 60_000 });
  const failed = queue.run(() => Promise.reject(new Error('away')));
  const next = queue.run(() => Promise.resolve('open'));
  await expect(failed).rejects.toThrow('away');
  await expect(next).resolves.toBe('open');
});
