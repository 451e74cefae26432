import { expect, test } from 'vitest';
import { defaultPace, pauseAfter, PollingFeeds } from './pace.js';

test.each([
  { name: 'right after lines', calmMs: 0, feeds: 300, pause: 25 },
  { name: 'before two seconds', calmMs: 1_999, feeds: 300, pause: 25 },
  { name: 'after two seconds', calmMs: 2_000, feeds: 300, pause: 250 },
  { name: 'after half a minute with few feeds', calmMs: 32_000, feeds: 62, pause: 250 },
  { name: 'after half a minute with more', calmMs: 32_000, feeds: 100, pause: 400 },
  { name: 'after half a minute with many', calmMs: 32_000, feeds: 300, pause: 1_000 },
  { name: 'without any lines yet', calmMs: Infinity, feeds: 1, pause: 250 },
])('the pause $name is $pause ms', ({ calmMs, feeds, pause }) => {
  expect(pauseAfter(defaultPace, calmMs, feeds)).toBe(pause);
});

test('feeds are counted while they poll', () => {
  const polling = new PollingFeeds();
  const end = polling.add();
  polling.add();
  expect(polling.count).toBe(2);
  end();
  expect(polling.count).toBe(1);
});
