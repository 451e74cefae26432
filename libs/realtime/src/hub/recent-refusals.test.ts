import { expect, test } from 'vitest';

import { RecentRefusals } from './recent-refusals.js';

const refusal = (more: { readonly topic?: string; readonly client?: string; message?: string }) =>
  ({ kind: 'refused', event: 'rt:join', code: 'CHANNEL_REFUSED', message: 'No', ...more }) as const;

test('the newest come first, and the same one again is counted', () => {
  let now = 0;
  const refusals = new RecentRefusals(() => now);
  refusals.note(refusal({ topic: 'a' }));
  refusals.note(refusal({ topic: 'b' }));
  now = 5_000;
  refusals.note(refusal({ topic: 'a' }));
  const at = (ms: number) => new Date(ms).toISOString();
  expect(refusals.list()).toEqual([
    { ...refusal({ topic: 'a' }), count: 2, at: at(5_000) },
    { ...refusal({ topic: 'b' }), count: 1, at: at(0) },
  ]);
});

test.each([
  { name: 'another client', other: { topic: 'a', client: 'two' } },
  { name: 'another topic', other: { topic: 'b', client: 'one' } },
])('$name is another entry', ({ other }) => {
  const refusals = new RecentRefusals(() => 0);
  refusals.note(refusal({ topic: 'a', client: 'one' }));
  refusals.note(refusal(other));
  expect(refusals.list().map(({ count }) => count)).toEqual([1, 1]);
});

test('a connection keeps its last ten, and the rest of it is counted', () => {
  const refusals = new RecentRefusals(() => 0);
  refusals.note(refusal({ topic: 'quiet', client: 'other' }));
  for (let n = 0; n < 100; n += 1) {
    refusals.note(refusal({ topic: `topic ${n}`, client: 'loud' }));
    // Each of them twice.
    refusals.note(refusal({ topic: `topic ${n}`, client: 'loud' }));
  }
  const kept = refusals.list();
  const own = kept.filter(({ client }) => client === 'loud');
  expect(own.map(({ topic, omitted }) => [topic, omitted])).toEqual([
    ['topic 99', 180],
    ...Array.from({ length: 9 }, (_, index) => [`topic ${98 - index}`, undefined]),
  ]);
  expect(kept.at(-1)).toEqual({
    ...refusal({ topic: 'quiet', client: 'other' }),
    count: 1,
    at: new Date(0).toISOString(),
  });
});

test('what is not listed of a connection without entries is forgotten', () => {
  const refusals = new RecentRefusals(() => 0);
  for (let n = 0; n < 11; n += 1) refusals.note(refusal({ topic: `${n}`, client: 'first' }));
  for (let n = 0; n < 100; n += 1) refusals.note(refusal({ client: `client ${n}` }));
  refusals.note(refusal({ topic: 'again', client: 'first' }));
  expect(refusals.list()[0]).not.toHaveProperty('omitted');
});

test('the last 100 are kept, and long messages are cut off', () => {
  const refusals = new RecentRefusals(() => 0);
  for (let n = 0; n < 150; n += 1) {
    refusals.note(refusal({ topic: `topic ${n}`, message: 'x'.repeat(10_000) }));
  }
  const kept = refusals.list();
  expect([kept.length, kept[0]?.topic, kept[99]?.topic]).toEqual([100, 'topic 149', 'topic 50']);
  expect(kept[0]?.message).toHaveLength(500);
});
