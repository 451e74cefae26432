import { expect, test } from 'vitest';

import { FairTurns } from './fair-turns.js';

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

function turnsAt(clock: { now: number }) {
  const turns = new FairTurns(() => clock.now);
  const begun: string[] = [];
  const ask = (ref: string, count = 1): void => {
    for (let round = 0; round < count; round += 1) turns.schedule(ref, () => begun.push(ref));
  };
  const countOf = (ref: string): number => begun.filter((one) => one === ref).length;
  return { ask, begun, countOf };
}

test('requests of the only project begin at once', () => {
  const { ask, begun } = turnsAt({ now: 0 });
  ask('flood', 100);
  expect(begun).toHaveLength(100);
});

test('a project that sends many gets a part of each turn, and the others come in between', async () => {
  const { ask, countOf } = turnsAt({ now: 0 });
  ask('first');
  ask('flood', 100);
  expect(countOf('flood')).toBe(2);
  ask('quiet');
  ask('calm');
  await nextTurn();
  expect([countOf('flood'), countOf('quiet'), countOf('calm')]).toEqual([3, 1, 0]);
  await nextTurn();
  expect([countOf('flood'), countOf('quiet'), countOf('calm')]).toEqual([4, 1, 1]);
  await nextTurn();
  expect(countOf('flood')).toBe(6);
});

test('all that waits begins, each project in the order in which its requests came', async () => {
  const turns = new FairTurns(() => 0);
  const begun: string[] = [];
  for (let round = 0; round < 50; round += 1) {
    for (const ref of ['a', 'b', 'c']) turns.schedule(ref, () => begun.push(`${ref}${round}`));
  }
  for (let round = 0; round < 80; round += 1) await nextTurn();
  expect(begun).toHaveLength(150);
  for (const ref of ['a', 'b', 'c']) {
    expect(begun.filter((one) => one.startsWith(ref))).toEqual(
      Array.from({ length: 50 }, (_, round) => `${ref}${round}`),
    );
  }
});

test('a project is alone again when the others have sent nothing for a second', async () => {
  const clock = { now: 0 };
  const { ask, countOf } = turnsAt(clock);
  ask('quiet');
  ask('flood', 9);
  expect(countOf('flood')).toBe(2);
  for (let turn = 0; turn < 4; turn += 1) await nextTurn();
  expect(countOf('flood')).toBe(9);
  clock.now = 1_000;
  ask('flood', 100);
  expect(countOf('flood')).toBe(109);
});
