// Joins of tables that a test locks and unlocks, on a clock that it moves.
import { expect, test } from 'vitest';

import { type AttemptOptions, LockedJoins } from './locked-joins.js';
import { TableLocked } from './ports.js';

interface Wish {
  readonly name: string;
  /** The tables of its filters, in their order. */
  readonly tables: readonly string[];
  /** Why it is refused when no lock keeps it from an answer. */
  readonly refusal?: string;
  readonly isGone?: () => boolean;
}

const turnOfLoop = () => new Promise((resolve) => setImmediate(resolve));

function openStage() {
  let now = 1_000;
  const timers = new Set<{ readonly dueAt: number; readonly work: () => void }>();
  const locks = new Set<string>();
  const queries: (() => void)[] = [];
  const tried: string[] = [];
  const answers: Record<string, string> = {};
  const joins = new LockedJoins<string>({
    now: () => now,
    setTimer(ms, work) {
      const timer = { dueAt: now + ms, work };
      timers.add(timer);
      return { cancel: () => void timers.delete(timer) };
    },
  });

  async function attempt(wish: Wish, { isLocked }: AttemptOptions): Promise<string> {
    for (const table of wish.tables) {
      if (isLocked(table)) throw new TableLocked(table);
      tried.push(wish.name);
      if (locks.has(table)) await new Promise<void>((resolve) => queries.push(resolve));
      if (locks.has(table)) throw new TableLocked(table);
    }
    if (wish.refusal !== undefined) throw new Error(wish.refusal);
    return 'joined';
  }

  /** The database gives the queries up that wait for locks, and answers those whose lock has ended. */
  async function answerQueries(): Promise<void> {
    for (const answer of queries.splice(0)) answer();
    await turnOfLoop();
  }

  return {
    /** The names of the joins that asked the database, once for each query. */
    tried,
    /** By name of the join. */
    answers,
    answerQueries,
    lock: (table: string) => void locks.add(table),
    async unlock(table: string) {
      locks.delete(table);
      await answerQueries();
    },
    async join(wish: Wish) {
      const { name, isGone = () => false } = wish;
      const note = (answer: string) => void (answers[name] = answer);
      joins.read({ attempt: (options) => attempt(wish, options), isGone }).then(
        (value) => note(value),
        (error: Error & { readonly code?: string }) => note(error.code ?? error.message),
      );
      await turnOfLoop();
    },
    async move(ms: number) {
      now += ms;
      for (const timer of [...timers].filter(({ dueAt }) => dueAt <= now)) {
        if (timers.delete(timer)) timer.work();
      }
      await turnOfLoop();
    },
  };
}

/** A stage with a locked table, and joins that wait for the lock; the first of them has found it. */
async function openWaiting(wishes: readonly (Partial<Wish> & { readonly name: string })[]) {
  const stage = openStage();
  stage.lock('songs');
  for (const wish of wishes) {
    await stage.join({ tables: ['songs'], ...wish });
    await stage.answerQueries();
  }
  stage.tried.length = 0;
  return stage;
}

test('while the lock lasts, one join is tried after each pause', async () => {
  const stage = await openWaiting([{ name: 'ada' }, { name: 'bob' }]);
  await stage.move(250);
  await stage.answerQueries();
  await stage.join({ name: 'new', tables: ['songs'] });
  await stage.move(249);
  expect(stage.tried).toEqual(['ada']);
  await stage.move(1);
  expect(stage.tried).toEqual(['ada', 'ada']);
  await stage.unlock('songs');
  expect(stage.answers).toEqual({ ada: 'joined', bob: 'joined', new: 'joined' });
});

test.each([
  { name: 'is refused for another reason', wish: { refusal: 'another filter is wrong' } },
  { name: 'meets another lock', wish: { tables: ['songs', 'members'] } },
])('a lock has ended for all joins when the attempt $name', async ({ wish }) => {
  const stage = await openWaiting([
    { name: 'first', ...wish },
    { name: 'second', ...wish },
    { name: 'ada' },
    { name: 'bob' },
  ]);
  stage.lock('members');
  await stage.move(250);
  await stage.unlock('songs');
  await stage.answerQueries();
  expect(stage.answers).toMatchObject({ ada: 'joined', bob: 'joined' });
  await stage.join({ name: 'new', tables: ['songs'] });
  expect(stage.answers).toMatchObject({ new: 'joined' });
});

test('joins whose clients have gone are not tried, and those behind them wait no longer', async () => {
  let isGone = false;
  const gone = ['first', 'second', 'third'].map((name) => ({
    name,
    isGone: () => isGone,
    refusal: 'gone',
  }));
  const stage = await openWaiting([...gone, { name: 'ada' }]);
  isGone = true;
  await stage.move(250);
  expect(stage.tried[0]).toBe('ada');
  await stage.unlock('songs');
  expect(stage.answers).toEqual({ first: 'gone', second: 'gone', third: 'gone', ada: 'joined' });
});

test('a join is refused at its time, also while the attempt or the place takes longer', async () => {
  const stage = await openWaiting([{ name: 'ada' }]);
  stage.lock('reports');
  await stage.join({ name: 'bob', tables: ['reports'] });
  await stage.answerQueries();
  await stage.move(250);
  expect(stage.tried).toEqual(['bob', 'ada']);
  await stage.move(7_749);
  expect(stage.answers).toEqual({});
  await stage.move(1);
  expect(stage.answers).toEqual({ ada: 'PROJECT_BUSY', bob: 'PROJECT_BUSY' });
  await stage.answerQueries();
  expect(stage.tried).toEqual(['bob', 'ada']);
});

test('an attempt counts for the others when its own join has been refused meanwhile', async () => {
  const stage = await openWaiting([{ name: 'ada' }]);
  await stage.move(250);
  await stage.join({ name: 'bob', tables: ['songs'] });
  await stage.move(7_750);
  expect(stage.answers).toEqual({ ada: 'PROJECT_BUSY' });
  await stage.unlock('songs');
  expect(stage.answers).toEqual({ ada: 'PROJECT_BUSY', bob: 'joined' });
});

test('joins of other tables do not wait for the attempts', async () => {
  const stage = await openWaiting([{ name: 'ada' }]);
  await stage.move(250);
  await stage.join({ name: 'bob', tables: ['members'] });
  expect(stage.answers).toEqual({ bob: 'joined' });
});
