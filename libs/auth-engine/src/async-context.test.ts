import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';

import { beforeEach, expect, test } from 'vitest';

import { RestingStorages, storagesHaveHooks } from './async-context.js';

// Where storages have no hooks, a store that was bound outlives the rest, and no storage has to rest.
const testWithHooks = storagesHaveHooks ? test : test.skip;
if (!storagesHaveHooks) console.info('skipped: storages of this Node.js have no hooks');

let first: AsyncLocalStorage<string>;
let second: AsyncLocalStorage<string>;

beforeEach(() => {
  first = new AsyncLocalStorage();
  second = new AsyncLocalStorage();
  const storages = new RestingStorages();
  for (const storage of [first, second, first]) storages.add(storage);
});

/** A call that runs until it is told to end; it says what it finds in its storage whenever it is asked. */
function openCall(storage: AsyncLocalStorage<string>, store: string) {
  let end = (): void => {};
  let seen: () => string | undefined = () => undefined;
  const ended = storage.run(store, async () => {
    seen = AsyncResource.bind(() => storage.getStore());
    await new Promise<void>((resolve) => {
      end = resolve;
    });
    return storage.getStore();
  });
  return { seen: () => seen(), end: () => (end(), ended) };
}

testWithHooks('storages rest when the last call has ended, and not before', async () => {
  const one = openCall(first, 'one');
  const two = openCall(second, 'two');
  expect(await one.end()).toBe('one');
  expect([one.seen(), two.seen()]).toEqual(['one', 'two']);
  expect(await two.end()).toBe('two');
  expect([one.seen(), two.seen()]).toEqual([undefined, undefined]);
});

test('a call after a rest finds its own store, and so does a call within a call', async () => {
  await openCall(first, 'earlier').end();
  const outer = first.run('outer', async () => {
    expect(await first.run('inner', () => Promise.resolve(first.getStore()))).toBe('inner');
    await Promise.resolve();
    return first.getStore();
  });
  expect(await outer).toBe('outer');
});

testWithHooks('a call that throws, rejects or gives no promise has ended with that', async () => {
  const error = new Error('refused');
  let seen = (): string | undefined => undefined;
  const see = (): void => {
    seen = AsyncResource.bind(() => first.getStore());
    expect(seen()).toBe('one');
  };
  const calls: readonly (() => unknown)[] = [
    (): never => {
      see();
      throw error;
    },
    () => (see(), Promise.reject(error)),
    () => (see(), 'answer'),
  ];
  for (const call of calls) {
    const answer = async () => await first.run('one', call);
    await answer().then(
      (value) => expect(value).toBe('answer'),
      (reason) => expect(reason).toBe(error),
    );
    expect(seen()).toBeUndefined();
  }
});

test('arguments reach the call', () => {
  expect(first.run('one', (...given: number[]) => given, 1, 2)).toEqual([1, 2]);
});
