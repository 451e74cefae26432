import { expect, test } from 'vitest';

import { Outbox } from './outbox.js';

/** A database with one delivery that is due. */
function databaseOfOne() {
  const due = [
    { id: '1', kind: 'hook', source: 'events', eventId: 'e', attempts: 1, payload: '{}' },
  ];
  return {
    async queryAsEngine<Row extends object>(text: string): Promise<readonly Row[]> {
      // The test knows the shape of what it gives.
      return (text.includes('with due') ? due.splice(0) : []) as unknown as readonly Row[];
    },
  };
}

test('drain waits no longer than it may for what is under way, which goes on', async () => {
  let answer = (): void => undefined;
  const isAnswered = new Promise<void>((resolve) => (answer = resolve));
  const outbox = new Outbox({
    db: databaseOfOne(),
    onError: (error) => expect.unreachable(String(error)),
    deliverers: {
      hook: {
        retrySeconds: [],
        atOnce: 1,
        sources: () => Promise.resolve(['events']),
        deliver: () => isAnswered.then(() => ({ result: 'delivered' })),
      },
    },
  });
  await outbox.drain(20);
  expect(outbox.counts).toEqual({ succeeded: 0, failed: 0, dead: 0 });
  answer();
  await outbox.close();
  expect(outbox.counts).toEqual({ succeeded: 1, failed: 0, dead: 0 });
});
