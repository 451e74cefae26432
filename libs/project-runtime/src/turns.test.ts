import { expect, test } from 'vitest';

import { Turns } from './turns.js';

test('work begins when all earlier work has ended, also where that has failed', async () => {
  const turns = new Turns();
  const events: string[] = [];
  const work = (name: string, end: () => string) => async () => {
    events.push(`${name} begins`);
    await new Promise((resolve) => setImmediate(resolve));
    events.push(`${name} ends`);
    return end();
  };
  const first = turns.run(
    work('first', () => {
      throw new Error('first failed');
    }),
  );
  const second = turns.run(work('second', () => 'done'));
  await expect(first).rejects.toThrow('first failed');
  expect(await second).toBe('done');
  expect(events).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
});
