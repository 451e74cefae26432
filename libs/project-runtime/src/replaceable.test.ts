import { expect, test } from 'vitest';

import { Replaceable } from './replaceable.js';

interface Generation {
  readonly number: number;
  isClosed: boolean;
}

function openReplaceable() {
  const built: Generation[] = [];
  const gates: (() => void)[] = [];
  let isGated = false;
  const replaceable = new Replaceable<Generation>({
    build: async () => {
      const generation = { number: built.length + 1, isClosed: false };
      built.push(generation);
      if (isGated) await new Promise<void>((resolve) => gates.push(resolve));
      return generation;
    },
    close: (generation) => {
      generation.isClosed = true;
    },
    name: 'a generation',
    onError: (error) => {
      throw error;
    },
  });
  return {
    replaceable,
    built,
    gate: () => {
      isGated = true;
    },
    openGates: () => gates.splice(0).forEach((open) => open()),
  };
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test('many first users share one build', async () => {
  const { replaceable, built } = openReplaceable();
  const leases = await Promise.all(Array.from({ length: 50 }, () => replaceable.acquire()));
  expect(built).toHaveLength(1);
  expect(new Set(leases.map((lease) => lease.value.number))).toEqual(new Set([1]));
});

test('a lease keeps its value over a rebuild and the old value closes with its last lease', async () => {
  const { replaceable } = openReplaceable();
  const first = await replaceable.acquire();
  const second = await replaceable.acquire();
  await replaceable.rebuild();
  const third = await replaceable.acquire();
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
  const { replaceable, built, gate, openGates } = openReplaceable();
  (await replaceable.acquire()).release();
  gate();
  const rebuilds = Array.from({ length: 20 }, () => replaceable.rebuild());
  await settled();
  openGates();
  await settled();
  openGates();
  await Promise.all(rebuilds);
  expect(built.length).toBeLessThanOrEqual(3);
});

test('a rebuild that is overtaken by a swap builds again instead of undoing it', async () => {
  const { replaceable, built, gate, openGates } = openReplaceable();
  (await replaceable.acquire()).release();
  gate();
  const rebuilt = replaceable.rebuild();
  await settled();
  const newer = { number: 100, isClosed: false };
  (await replaceable.prepare(async () => newer)).swap();
  openGates();
  await settled();
  expect(replaceable.peek()).toBe(newer);
  openGates();
  await rebuilt;
  expect(built.map((generation) => generation.isClosed)).toEqual([true, true, false]);
  expect(replaceable.peek()).toBe(built[2]);
});

test('a candidate that is discarded closes and leaves the current value', async () => {
  const { replaceable } = openReplaceable();
  const lease = await replaceable.acquire();
  const bad = { number: 99, isClosed: false };
  const candidate = await replaceable.prepare(async () => bad);
  await candidate.discard();
  expect(bad.isClosed).toBe(true);
  expect((await replaceable.acquire()).value).toBe(lease.value);
});

test('a build that fails is tried again by the next user', async () => {
  let attempts = 0;
  const replaceable = new Replaceable<string>({
    build: async () => {
      attempts += 1;
      if (attempts === 1) throw new Error('first build');
      return 'built';
    },
    close: () => undefined,
    name: 'a text',
    onError: () => undefined,
  });
  await expect(replaceable.acquire()).rejects.toThrow('first build');
  expect((await replaceable.acquire()).value).toBe('built');
});

test('a value is stale from a rebuild that fails to the next that does not', async () => {
  let isFailing = false;
  const reported: unknown[] = [];
  const replaceable = new Replaceable<string>({
    build: async () => {
      if (isFailing) throw new Error('the database is away');
      return 'built';
    },
    close: () => undefined,
    name: 'a text',
    onError: (error) => reported.push(error),
  });
  using lease = await replaceable.acquire();
  expect(lease.value).toBe('built');
  isFailing = true;
  replaceable.rebuildSoon();
  await settled();
  expect(reported).toHaveLength(1);
  expect(replaceable.isStale).toBe(true);
  isFailing = false;
  await replaceable.rebuild();
  expect(replaceable.isStale).toBe(false);
});

test('a value built while its holder closes is closed with its lease', async () => {
  const { replaceable, built, gate, openGates } = openReplaceable();
  gate();
  const pending = replaceable.acquire();
  await settled();
  replaceable.close();
  openGates();
  const lease = await pending;
  lease.release();
  await settled();
  expect(built[0]?.isClosed).toBe(true);
});
