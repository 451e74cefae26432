import { expect, test } from 'vitest';

import { WorkTurns } from './pauses.js';

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Requests whose steps take a quarter of a millisecond each by a clock of their own. */
function turnsAt() {
  const clock = { now: 0 };
  const turns = new WorkTurns(() => clock.now);
  const done: string[] = [];
  const begin = (name: string, steps: number): Promise<void> => {
    const pause = turns.createPause();
    return (async () => {
      for (let step = 0; step < steps; step += 1) {
        clock.now += 0.25;
        done.push(name);
        const paused = pause();
        if (paused) await paused;
      }
    })();
  };
  const inTurn = async (): Promise<string> => {
    done.length = 0;
    await nextTurn();
    return done.join('');
  };
  return { begin, done, inTurn };
}

test('a request alone works for a millisecond in each turn', async () => {
  const { begin, done, inTurn } = turnsAt();
  void begin('a', 10);
  expect(done.join('')).toBe('aaaa');
  expect(await inTurn()).toBe('aaaa');
  expect(await inTurn()).toBe('aa');
});

test('requests that begin in one turn share its time', async () => {
  const { begin, done, inTurn } = turnsAt();
  void begin('a', 2);
  void begin('b', 9);
  void begin('c', 9);
  expect(done.join('')).toBe('aabbc');
  expect(await inTurn()).toBe('bbbb');
  expect(await inTurn()).toBe('cccc');
});

test('of several requests one goes on in each turn', async () => {
  const { begin, inTurn } = turnsAt();
  for (const name of ['a', 'b', 'c']) void begin(name, 9);
  const turns = [];
  for (let turn = 0; turn < 5; turn += 1) turns.push(await inTurn());
  expect(turns).toEqual(['aaaa', 'bbbb', 'cccc', 'a', 'bbbb']);
});

test('a request that comes later goes behind those that wait', async () => {
  const { begin, done, inTurn } = turnsAt();
  void begin('a', 9);
  void begin('b', 9);
  await inTurn();
  void begin('c', 9);
  expect(done.join('')).toBe('aaaac');
  const turns = [];
  for (let turn = 0; turn < 3; turn += 1) turns.push(await inTurn());
  expect(turns).toEqual(['bbbb', 'a', 'cccc']);
});
