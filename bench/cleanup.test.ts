import { expect, test } from 'vitest';
import { setTimeout as delay } from 'node:timers/promises';
import { Cleanup } from './cleanup.js';

test('closes in reverse order, each one although another fails, and once', async () => {
  const closed: string[] = [];
  const cleanup = new Cleanup();
  cleanup.keep('first', (name) => void closed.push(name));
  cleanup.keep('second', () => Promise.reject(new Error('stuck')));
  cleanup.keep('third', (name) => void closed.push(name));
  await expect(cleanup.close()).rejects.toThrow(AggregateError);
  await cleanup.close();
  expect(closed).toEqual(['third', 'first']);
});

test('who closes while it is being closed waits for the end', async () => {
  let isClosed = false;
  const cleanup = new Cleanup();
  cleanup.keep(undefined, async () => {
    await delay(20);
    isClosed = true;
  });
  const first = cleanup.close();
  await cleanup.close();
  expect(isClosed).toBe(true);
  await first;
});
