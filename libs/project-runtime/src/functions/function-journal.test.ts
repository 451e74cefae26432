import { expect, test } from 'vitest';

import type { EngineQueries } from '#libs/database';

import { FunctionJournal } from './function-journal.js';

/** A database that keeps the rows of each statement. */
function openJournal(answer: () => Promise<void> = () => Promise.resolve()) {
  const written: unknown[][] = [];
  const errors: string[] = [];
  const db: EngineQueries = {
    async queryAsEngine(_text: string, [rows]: readonly unknown[] = []) {
      await answer();
      written.push(JSON.parse(String(rows)));
      return [];
    },
  };
  const journal = new FunctionJournal({ db, onError: (error) => errors.push(String(error)) });
  return { journal, written, errors };
}

const at = new Date(0);
const line = (message: string) => ({ slug: 'f', version: 1, level: 'info', message, at }) as const;
const invocation = {
  slug: 'f',
  version: 1,
  requestId: 'r',
  method: 'GET',
  path: '/',
  status: 200,
  durationMs: 1,
  cpuMs: 1,
  memoryKb: 1,
  isColdStart: false,
  at,
};

test('what waits is written as one batch, with the caller of an invocation', async () => {
  const { journal, written } = openJournal();
  journal.noteCaller('r', 'user-1');
  journal.log(line('one'));
  journal.log(line('two \0 \uD800'));
  journal.invoked(invocation);
  await journal.flush();
  expect(written).toMatchObject([
    [{ message: 'one' }, { message: 'two \uFFFD \uFFFD' }],
    [{ requestId: 'r', caller: 'user-1' }],
  ]);
});

test('lines above the limit are dropped, and one error says how many', async () => {
  const { journal, written, errors } = openJournal(() => new Promise(setImmediate));
  for (let count = 0; count < 2_500; count += 1) journal.log(line(String(count)));
  await journal.flush();
  await journal.flush();
  expect(written.flat()).toHaveLength(2_000);
  expect(errors).toEqual(['Error: 500 log lines and invocations were dropped: they came too fast']);
});

test('lines that cannot be written are reported, and the next ones are written', async () => {
  let isBroken = true;
  const { journal, written, errors } = openJournal(() =>
    isBroken ? Promise.reject(new Error('the database is away')) : Promise.resolve(),
  );
  journal.log(line('lost'));
  await journal.flush();
  isBroken = false;
  journal.log(line('kept'));
  await journal.flush();
  expect(written).toMatchObject([[{ message: 'kept' }]]);
  expect(errors).toEqual(['Error: the database is away']);
});

test('a reader hears of each event at once, and at most ten read', () => {
  const { journal } = openJournal();
  const heard: string[] = [];
  const stop = journal.watch(({ kind }) => heard.push(kind));
  journal.log(line('one'));
  stop();
  journal.log(line('two'));
  expect(heard).toEqual(['log']);
  for (let count = 0; count < 10; count += 1) journal.watch(() => undefined);
  expect(() => journal.watch(() => undefined)).toThrow(
    expect.objectContaining({ code: 'LIVE_FEED_BUSY' }),
  );
});
