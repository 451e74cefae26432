import { expect, test } from 'vitest';

import { FairTurns } from './fair-turns.js';

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

function turnsAt(clock: { now: number }) {
  const turns = new FairTurns<string>(() => clock.now);
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

test('a project that sends many gets a part of each turn, and the others begin at once', async () => {
  const { ask, countOf } = turnsAt({ now: 0 });
  ask('first');
  ask('flood', 100);
  expect(countOf('flood')).toBe(2);
  ask('quiet');
  ask('calm');
  expect([countOf('quiet'), countOf('calm')]).toEqual([1, 1]);
  await nextTurn();
  expect(countOf('flood')).toBe(4);
  ask('quiet');
  ask('flood');
  expect([countOf('flood'), countOf('quiet')]).toEqual([4, 2]);
  await nextTurn();
  expect(countOf('flood')).toBe(6);
});

test('projects that send many begin in order, two requests in a turn', async () => {
  const { ask, begun } = turnsAt({ now: 0 });
  ask('first');
  for (const ref of ['a', 'b', 'c']) ask(ref, 4);
  begun.length = 0;
  await nextTurn();
  expect(begun).toEqual(['a', 'b']);
  await nextTurn();
  expect(begun).toEqual(['a', 'b', 'c', 'a']);
});

test('a call that waits is a promise, and others are none', async () => {
  const turns = new FairTurns<string>(() => 0);
  expect(turns.wait('first')).toBeUndefined();
  expect([turns.wait('flood'), turns.wait('flood')]).toEqual([undefined, undefined]);
  const waiting = turns.wait('flood');
  expect(waiting).toBeInstanceOf(Promise);
  expect(turns.wait('quiet')).toBeUndefined();
  await waiting;
});

test('a turn takes no more requests than a few, however many projects send them', async () => {
  const { ask, begun } = turnsAt({ now: 0 });
  ask('first');
  for (let project = 0; project < 20; project += 1) ask(`p${project}`);
  expect(begun).toHaveLength(9);
  await nextTurn();
  expect(begun).toHaveLength(11);
});

test('all that waits begins, each project in the order in which its requests came', async () => {
  const turns = new FairTurns<string>(() => 0);
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
