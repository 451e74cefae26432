import { expect, test } from 'vitest';

import { Slot } from './slot.js';

interface Generation {
  readonly number: number;
  isClosed: boolean;
}

function openSlot() {
  const built: Generation[] = [];
  const gates: (() => void)[] = [];
  let isGated = false;
  const slot = new Slot<Generation>({
    build: async () => {
      const generation = { number: built.length + 1, isClosed: false };
      built.push(generation);
      if (isGated) await new Promise<void>((resolve) => gates.push(resolve));
      return generation;
    },
    close: (generation) => {
      generation.isClosed = true;
    },
    onCloseError: (error) => {
      throw error;
    },
  });
  return {
    slot,
    built,
    gate: () => {
      isGated = true;
    },
    openGates: () => gates.splice(0).forEach((open) => open()),
  };
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test('many first users share one build', async () => {
  const { slot, built } = openSlot();
  const leases = await Promise.all(Array.from({ length: 50 }, () => slot.acquire()));
  expect(built).toHaveLength(1);
  expect(new Set(leases.map((lease) => lease.value.number))).toEqual(new Set([1]));
});

test('a lease keeps its value over a rebuild and the old value closes with its last lease', async () => {
  const { slot } = openSlot();
  const first = await slot.acquire();
  const second = await slot.acquire();
  await slot.rebuild();
  const third = await slot.acquire();
  expect([first.value.number, third.value.number]).toEqual([1, 2]);
  first.release();
  first.release();
  await settled();
  expect(first.value.isClosed).toBe(false);
  second.release();
  await settled();
  expect(first.value.isClosed).toBe(true);
  expect(third.value.isClosed).toBe(false);
});

test('rebuilds asked for during a build share the one that follows', async () => {
  const { slot, built, gate, openGates } = openSlot();
  (await slot.acquire()).release();
  gate();
  const rebuilds = Array.from({ length: 20 }, () => slot.rebuild());
  await settled();
  openGates();
  await settled();
  openGates();
  await Promise.all(rebuilds);
  expect(built.length).toBeLessThanOrEqual(3);
});

test('a rebuild that is overtaken by a swap builds again instead of undoing it', async () => {
  const { slot, built, gate, openGates } = openSlot();
  (await slot.acquire()).release();
  gate();
  const rebuilt = slot.rebuild();
  await settled();
  const newer = { number: 100, isClosed: false };
  (await slot.prepare(async () => newer)).swap();
  openGates();
  await settled();
  expect(slot.peek()).toBe(newer);
  openGates();
  await rebuilt;
  expect(built.map((generation) => generation.isClosed)).toEqual([true, true, false]);
  expect(slot.peek()).toBe(built[2]);
});

test('a candidate that is discarded closes and leaves the current value', async () => {
  const { slot } = openSlot();
  const lease = await slot.acquire();
  const bad = { number: 99, isClosed: false };
  const candidate = await slot.prepare(async () => bad);
  await candidate.discard();
  expect(bad.isClosed).toBe(true);
  expect((await slot.acquire()).value).toBe(lease.value);
});

test('a build that fails is tried again by the next user', async () => {
  let attempts = 0;
  const slot = new Slot<string>({
    build: async () => {
      attempts += 1;
      if (attempts === 1) throw new Error('first build');
      return 'built';
    },
    close: () => undefined,
    onCloseError: () => undefined,
  });
  await expect(slot.acquire()).rejects.toThrow('first build');
  expect((await slot.acquire()).value).toBe('built');
});

test('a value built while the slot closes is closed with its lease', async () => {
  const { slot, built, gate, openGates } = openSlot();
  gate();
  const pending = slot.acquire();
  await settled();
  slot.close();
  openGates();
  const lease = await pending;
  lease.release();
  await settled();
  expect(built[0]?.isClosed).toBe(true);
});
