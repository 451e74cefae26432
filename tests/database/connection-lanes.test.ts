// Which lane of a project gets a connection when there are not enough for all.

import { describe, expect, test } from 'vitest';
import { manualBudget, NumberLane, settled } from './manual-budget.js';

describe('several lanes of a project', () => {
  test('a lane without any connection gets one from a lane that is busy', async () => {
    const share = manualBudget({ perProject: 2 }).budget.openShare();
    const tables = new NumberLane(share);
    const engine = new NumberLane(share);
    const [slot] = await tables.takeMany(2);
    tables.ask();
    const signIn = engine.ask();
    await settled();
    if (slot) tables.lane.release(slot);
    await settled();
    expect(signIn.slot).toBeDefined();
  });

  test('what one lane gives up goes to the lane it was given up for, whatever waits elsewhere', async () => {
    const { budget, clock } = manualBudget({ perProject: 2 });
    const share = budget.openShare();
    const tables = new NumberLane(share);
    const engine = new NumberLane(share);
    const [slot] = await tables.takeMany(2);
    for (let n = 0; n < 20; n++) tables.ask();
    await clock.advance(10);
    const signIn = engine.ask();
    if (slot) tables.lane.release(slot);
    await settled();
    expect(signIn.slot).toBeDefined();
    expect(tables.opened).toBe(2);
  });

  test('idle connections of another lane make room at once', async () => {
    const share = manualBudget({ perProject: 1 }).budget.openShare();
    const tables = new NumberLane(share);
    const engine = new NumberLane(share);
    tables.lane.release(await tables.take());
    await engine.take();
    expect(tables.alive).toBe(0);
  });

  test('a connection that another lane does not use again is had after a second', async () => {
    const { budget, clock } = manualBudget({ perProject: 4 });
    const share = budget.openShare();
    const tables = new NumberLane(share);
    const engine = new NumberLane(share);
    await tables.takeMany(2);
    const [, slot] = await engine.takeMany(2);
    if (slot) engine.lane.release(slot);
    await clock.advance(400);
    const asked = tables.ask();
    await clock.advance(599);
    // Nobody gives anything back any more: time alone decides.
    expect([asked.slot, engine.alive]).toEqual([undefined, 2]);
    await clock.advance(1);
    expect([asked.slot !== undefined, engine.alive]).toEqual([true, 1]);
    expect(share.stats()).toMatchObject({ open: 4, waiting: 0 });
  });

  test('a lane with connections waits its turn, but not for ever', async () => {
    const { budget, clock } = manualBudget({ perProject: 2 });
    const share = budget.openShare();
    const tables = new NumberLane(share);
    const engine = new NumberLane(share);
    await engine.take();
    let slot = await tables.take();
    const signIn = engine.ask();
    for (const waitedMs of [10, 30]) {
      await clock.advance(waitedMs);
      const next = tables.take();
      tables.lane.release(slot);
      slot = await next;
    }
    expect(signIn.slot).toBeUndefined();
    await clock.advance(961);
    tables.ask();
    tables.lane.release(slot);
    await settled();
    expect(signIn.slot).toBeDefined();
  });

  test('a lane with few connections takes over from one with many sooner', async () => {
    const { budget, clock } = manualBudget({ perProject: 4 });
    const share = budget.openShare();
    const tables = new NumberLane(share);
    const engine = new NumberLane(share);
    await engine.take();
    const [slot] = await tables.takeMany(3);
    const signIn = engine.ask();
    await clock.advance(51);
    tables.ask();
    if (slot) tables.lane.release(slot);
    await settled();
    expect(signIn.slot).toBeDefined();
  });

  test.each([
    { rule: 'waits for longer than it takes to be preferred', workMs: 10 },
    { rule: 'waits for seconds', workMs: 400 },
  ])(
    'work that needs two lanes by turns and $rule keeps the connections that there are',
    async ({ workMs }) => {
      const { budget, clock } = manualBudget({ perProject: 8 });
      const share = budget.openShare();
      const lanes = [new NumberLane(share), new NumberLane(share)];
      const working = async (worker: number): Promise<void> => {
        for (let turn = 0; turn < 60; turn++) {
          const each = lanes[(worker + turn) % 2];
          const slot = await each?.take();
          await new Promise<void>((resolve) =>
            clock.after(workMs + ((worker * 7 + turn * 5) % (workMs * 3)), resolve),
          );
          if (slot) each?.lane.release(slot);
        }
      };
      let isDone = false;
      const done = Promise.all(Array.from({ length: 40 }, (_, worker) => working(worker)));
      void done.then(() => (isDone = true));
      while (!isDone) await clock.advance(workMs / 2);
      const opened = lanes.reduce((sum, each) => sum + each.opened, 0);
      expect(opened).toBeLessThanOrEqual(16);
    },
  );
});
