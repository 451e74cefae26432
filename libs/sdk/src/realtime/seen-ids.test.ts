import { expect, test } from 'vitest';

import { maxReplayedChanges } from '../../../realtime-core/src/index.js';

import { rememberedIds, SeenIds } from './seen-ids.js';

test('an id is new once, until more than the limit have come after it', () => {
  const seen = new SeenIds(1_000);
  const ids = Array.from({ length: 1_001 }, (_, index) => String(index));
  expect(ids.every((id) => seen.add(id))).toBe(true);
  expect(seen.add('1')).toBe(false);
  expect(seen.add('1000')).toBe(false);
  expect(seen.add('0')).toBe(true);
});

test('as many ids are remembered as the server may repeat', () => {
  expect(rememberedIds).toBe(maxReplayedChanges);
});
