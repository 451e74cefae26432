import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { FreeSpace } from './free-space.js';

function disk(options: {
  readonly freeBytes?: number;
  readonly reserveBytes?: number | undefined;
}) {
  const { freeBytes, reserveBytes } = { freeBytes: 1_000, ...options };
  const state = { freeBytes, nowMs: 0, asked: 0 };
  const space = new FreeSpace({
    folder: '/',
    reserveBytes,
    now: () => state.nowMs,
    async ask() {
      state.asked += 1;
      return { totalBytes: 4_000, freeBytes: state.freeBytes };
    },
  });
  return { state, space };
}

test('what would not leave the reserve is refused, and takes nothing', async () => {
  const { space } = disk({ reserveBytes: 100 });
  await space.claim(800);
  expect(() => space.claim(101)).toThrow(expect.objectContaining({ code: 'STORAGE_FULL' }));
  await space.claim(100);
  expect(() => space.claim(1)).toThrow(expect.objectContaining({ code: 'STORAGE_FULL' }));
});

test('the disk is asked once a second', async () => {
  const { space, state } = disk({ reserveBytes: 100 });
  await Promise.all([space.claim(1), space.claim(1)]);
  expect(space.claim(1)).toBeUndefined();
  expect(state.asked).toBe(1);
  state.nowMs = 1_000;
  state.freeBytes = 100;
  await expect(space.claim(1)).rejects.toMatchObject({ code: 'STORAGE_FULL' });
  expect(state.asked).toBe(2);
});

test('room that was made is used again', async () => {
  const { space, state } = disk({ freeBytes: 100, reserveBytes: 100 });
  await expect(space.claim(1)).rejects.toMatchObject({ code: 'STORAGE_FULL' });
  state.freeBytes = 1_000;
  state.nowMs = 1_000;
  await space.claim(900);
});

test('without a figure the reserve is a twentieth of the disk', async () => {
  const { space } = disk({ reserveBytes: undefined });
  await space.claim(800);
  expect(() => space.claim(1)).toThrow(expect.objectContaining({ code: 'STORAGE_FULL' }));
});

test('a folder that is not there yet lies on the disk of the one above it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'free-space-'));
  const space = new FreeSpace({
    folder: join(folder, 'a', 'b'),
    reserveBytes: 0,
    now: Date.now,
  });
  await space.claim(1);
  await expect(
    new FreeSpace({ folder, reserveBytes: Number.MAX_SAFE_INTEGER, now: Date.now }).claim(1),
  ).rejects.toMatchObject({ code: 'STORAGE_FULL' });
});
