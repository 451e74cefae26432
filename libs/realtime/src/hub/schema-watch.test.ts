// A schema whose version a test decides, on a clock that runs a timer when the test says so.
import { expect, test, vi } from 'vitest';

import type { Timer } from '../ports.js';
import { SchemaWatch } from './schema-watch.js';

function openWatch() {
  const timers = new Map<Timer, { readonly ms: number; readonly work: () => void }>();
  const reads: ((version: string) => void)[] = [];
  const onSchemaChange = vi.fn(() => Promise.resolve());
  const watch = new SchemaWatch({
    clock: {
      now: () => 0,
      setTimer(ms, work) {
        const timer: Timer = { cancel: () => void timers.delete(timer) };
        timers.set(timer, { ms, work });
        return timer;
      },
    },
    readSchemaVersion: () => new Promise((resolve) => reads.push(resolve)),
    onSchemaChange,
    onError: (error) => {
      throw error;
    },
  });
  /** Answers the read that waits, and lets what follows from it happen. */
  const answer = async (version: string): Promise<void> => {
    reads.shift()?.(version);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    watch,
    reads,
    onSchemaChange,
    answer,
    pauses: () => [...timers.values()].map(({ ms }) => ms),
    runTimer: (): void => {
      const [timer] = timers;
      if (!timer) throw new Error('No timer is set');
      timers.delete(timer[0]);
      timer[1].work();
    },
    acquire: async (version: string): Promise<() => void> => {
      const acquired = watch.acquire();
      await answer(version);
      return acquired;
    },
  };
}

test('the version is read once a second while the schema is watched', async () => {
  const { acquire, pauses, runTimer, answer, onSchemaChange } = openWatch();
  const release = await acquire('1');
  expect(pauses()).toEqual([1_000]);
  runTimer();
  await answer('2');
  expect(onSchemaChange).toHaveBeenCalledTimes(1);
  expect(pauses()).toEqual([1_000]);
  release();
  expect(pauses()).toEqual([]);
});

test('a wake has the version read at once', async () => {
  const { watch, acquire, pauses, runTimer, answer, onSchemaChange } = openWatch();
  await acquire('1');
  void watch.wake();
  expect(pauses()).toEqual([0]);
  runTimer();
  await answer('2');
  expect(onSchemaChange).toHaveBeenCalledTimes(1);
  expect(pauses()).toEqual([1_000]);
});

test('a wake during a check has the version read again after it', async () => {
  const { watch, acquire, pauses, runTimer, answer, reads, onSchemaChange } = openWatch();
  await acquire('1');
  runTimer();
  void watch.wake();
  void watch.wake();
  expect(pauses()).toEqual([]);
  // It was read before the change.
  await answer('1');
  expect(pauses()).toEqual([0]);
  runTimer();
  await answer('2');
  expect(onSchemaChange).toHaveBeenCalledTimes(1);
  expect([pauses(), reads]).toEqual([[1_000], []]);
});

test('a wake while the watch begins has the version read again', async () => {
  const { watch, answer, pauses } = openWatch();
  const acquired = watch.acquire();
  void watch.wake();
  await answer('1');
  await acquired;
  expect(pauses()).toEqual([0]);
});

test('a wake without a watch reads nothing', async () => {
  const { watch, acquire, pauses, reads } = openWatch();
  void watch.wake();
  expect([pauses(), reads]).toEqual([[], []]);
  await acquire('1');
  expect(pauses()).toEqual([1_000]);
});

test('a wake resolves when the change has taken effect', async () => {
  const { watch, acquire, runTimer, answer, onSchemaChange } = openWatch();
  let end: (() => void) | undefined;
  onSchemaChange.mockImplementation(() => new Promise<void>((resolve) => (end = resolve)));
  await acquire('1');
  const resolved: string[] = [];
  runTimer();
  // The check that runs may have read the version of before.
  const wake = watch.wake().then(() => resolved.push('wake'));
  await answer('1');
  expect(resolved).toEqual([]);
  runTimer();
  await answer('2');
  expect(onSchemaChange).toHaveBeenCalledTimes(1);
  expect(resolved).toEqual([]);
  end?.();
  await wake;
});

test('a wake resolves when the watch ends', async () => {
  const { watch, acquire } = openWatch();
  const release = await acquire('1');
  const woken = watch.wake();
  release();
  await woken;
});
