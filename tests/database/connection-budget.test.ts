import { describe, expect, test } from 'vitest';
import { manualBudget, NumberLane, settled } from './manual-budget.js';

describe('limits', () => {
  test.each([
    { name: 'one project gets at most half', given: { total: 10, perProject: 9 }, perProject: 5 },
    { name: 'a small project limit stays', given: { total: 60, perProject: 3 }, perProject: 3 },
    { name: 'there is always one', given: { total: 0, perProject: 0 }, perProject: 1 },
  ])('$name', ({ given, perProject }) => {
    expect(manualBudget(given).budget.limits.perProject).toBe(perProject);
  });

  test('a project never has more than its limit, and all together never more than the budget', async () => {
    const { budget } = manualBudget({ total: 10, perProject: 4 });
    const lanes = Array.from({ length: 6 }, () => new NumberLane(budget.openShare()));
    const asked = lanes.flatMap((lane) => Array.from({ length: 20 }, () => lane.ask()));
    await settled();
    for (let round = 0; round < 200; round++) {
      expect(budget.stats().open).toBeLessThanOrEqual(10);
      for (const lane of lanes) expect(lane.alive).toBeLessThanOrEqual(4);
      const next = asked.find(({ slot }) => slot && slot.users > 0);
      if (!next?.slot) break;
      next.slot.lane.release(next.slot, round % 7 === 0);
      next.slot = undefined;
      await settled();
    }
    expect(budget.stats().waiting).toBe(0);
  });
});

describe('one project', () => {
  test('a connection given back is used again', async () => {
    const lane = new NumberLane(manualBudget().budget.openShare());
    for (let round = 0; round < 5; round++) lane.lane.release(await lane.take());
    expect(lane.opened).toBe(1);
  });

  test('waiters are served in the order they came', async () => {
    const lane = new NumberLane(manualBudget({ perProject: 1 }).budget.openShare());
    const first = await lane.take();
    const order: number[] = [];
    const waiting = [1, 2, 3].map(async (number) => {
      const slot = await lane.take();
      order.push(number);
      lane.lane.release(slot);
    });
    lane.lane.release(first);
    await Promise.all(waiting);
    expect(order).toEqual([1, 2, 3]);
  });

  test('whoever finds the queue full is refused at once, and may retry', async () => {
    const lane = new NumberLane(manualBudget({ perProject: 1, maxWaiting: 2 }).budget.openShare());
    await lane.take();
    lane.ask();
    lane.ask();
    await expect(lane.take()).rejects.toMatchObject({
      code: 'PROJECT_BUSY',
      status: 503,
      retryAfterSeconds: 1,
    });
  });

  test('a waiter is refused after the longest wait, and its place in the queue is gone', async () => {
    const { budget, clock } = manualBudget({ perProject: 1, maxWaitMs: 1_000 });
    const lane = new NumberLane(budget.openShare());
    const slot = await lane.take();
    const asked = lane.ask();
    await clock.advance(999);
    expect(asked.error).toBeUndefined();
    await clock.advance(1);
    expect(asked.error).toMatchObject({ code: 'PROJECT_BUSY' });
    lane.lane.release(slot);
    expect(budget.stats()).toMatchObject({ open: 1, idle: 1, waiting: 0 });
  });

  test('an aborted waiter leaves the queue and does not swallow a connection', async () => {
    const { budget, clock } = manualBudget({ perProject: 1 });
    const lane = new NumberLane(budget.openShare());
    const slot = await lane.take();
    const abort = new AbortController();
    const given = lane.ask('exclusive', abort.signal);
    const patient = lane.ask();
    abort.abort();
    await settled();
    expect(given.error).toMatchObject({ code: 'REQUEST_ABORTED' });
    lane.lane.release(slot);
    await settled();
    expect(patient.slot).toBeDefined();
    expect(given.slot).toBeUndefined();
    // Only the sweep of idle connections may be left; timers of waiters are not.
    expect(clock.pendingTimers).toBe(0);
  });

  test('a connection whose waiter has gone while it was opened becomes idle', async () => {
    const { budget } = manualBudget();
    const lane = new NumberLane(budget.openShare());
    lane.isHeld = true;
    const abort = new AbortController();
    lane.ask('exclusive', abort.signal);
    await settled();
    abort.abort();
    await lane.letOpen();
    expect(budget.stats()).toMatchObject({ open: 1, idle: 1, waiting: 0 });
  });

  test('a failed opening refuses one waiter and leaks no place', async () => {
    const { budget } = manualBudget({ perProject: 2 });
    const lane = new NumberLane(budget.openShare());
    lane.isDown = true;
    const asked = Array.from({ length: 10 }, () => lane.ask());
    await settled();
    expect(asked.every(({ error }) => error instanceof Error)).toBe(true);
    expect(budget.stats()).toEqual({ open: 0, idle: 0, busy: 0, waiting: 0 });
    lane.isDown = false;
    await lane.take();
  });

  test('a lost idle connection is not handed out, a lost busy one frees its place', async () => {
    const { budget } = manualBudget({ perProject: 1 });
    const lane = new NumberLane(budget.openShare());
    const first = await lane.take();
    lane.lane.release(first);
    lane.lose(first.connection);
    const second = await lane.take();
    expect(second.connection).toBe(2);
    const waiting = lane.ask();
    lane.lose(second.connection);
    await settled();
    expect(waiting.slot?.connection).toBe(3);
    lane.lane.release(second);
    expect(budget.stats().open).toBe(1);
  });

  test('a discarded connection is closed and its place serves the next waiter', async () => {
    const lane = new NumberLane(manualBudget({ perProject: 1 }).budget.openShare());
    const slot = await lane.take();
    const waiting = lane.ask();
    lane.lane.release(slot, true);
    await settled();
    expect(waiting.slot?.connection).toBe(2);
    expect(lane.closed).toBe(1);
  });

  test('a connection is closed when it was idle for long enough, not before', async () => {
    const { budget, clock } = manualBudget({ idleMs: 30_000 });
    const lane = new NumberLane(budget.openShare());
    const [a, b] = await lane.takeMany(2);
    if (a) lane.lane.release(a);
    await clock.advance(20_000);
    if (b) lane.lane.release(b);
    await clock.advance(9_999);
    expect(lane.alive).toBe(2);
    await clock.advance(1);
    expect(lane.alive).toBe(1);
    await clock.advance(20_000);
    expect(budget.stats().open).toBe(0);
    expect(clock.pendingTimers).toBe(0);
  });
});

describe('shared connections', () => {
  test('fast users share up to the depth, exclusive ones do not', async () => {
    const lane = new NumberLane(manualBudget({ perProject: 1 }).budget.openShare(), 3);
    const users = [await lane.take('shared'), await lane.take('shared'), await lane.take('shared')];
    expect(new Set(users).size).toBe(1);
    const fourth = lane.ask('shared');
    const exclusive = lane.ask('exclusive');
    await settled();
    expect([fourth.slot, exclusive.slot]).toEqual([undefined, undefined]);
    for (const slot of users) lane.lane.release(slot);
    await settled();
    expect(fourth.slot).toBeDefined();
    expect(exclusive.slot).toBeUndefined();
    if (fourth.slot) lane.lane.release(fourth.slot);
    await settled();
    expect(exclusive.slot?.state).toBe('exclusive');
  });

  test('nobody joins past somebody who waits for a connection of its own', async () => {
    const lane = new NumberLane(manualBudget({ perProject: 1 }).budget.openShare(), 8);
    const reader = await lane.take('shared');
    const writer = lane.ask('exclusive');
    const late = lane.ask('shared');
    await settled();
    expect(late.slot).toBeUndefined();
    lane.lane.release(reader);
    await settled();
    expect(writer.slot).toBeDefined();
  });

  test('a well shared connection brings a second one', async () => {
    const lane = new NumberLane(manualBudget().budget.openShare(), 8);
    const users = [await lane.take('shared'), await lane.take('shared')];
    expect(lane.opened).toBe(1);
    users.push(await lane.take('shared'));
    await settled();
    expect(lane.opened).toBe(2);
    expect((await lane.take('shared')).connection).toBe(2);
  });
});

describe('several projects', () => {
  test('a project gets its first connection while others hold all that they may have', async () => {
    const { budget } = manualBudget({ total: 20, perProject: 10 });
    const noisy = [1, 2, 3].map(() => new NumberLane(budget.openShare()));
    for (const lane of noisy) for (let n = 0; n < 200; n++) lane.ask();
    await settled();
    expect(noisy.reduce((sum, { alive }) => sum + alive, 0)).toBe(19);
    const quiet = new NumberLane(budget.openShare());
    const asked = quiet.ask();
    await settled();
    expect(asked.slot).toBeDefined();
  });

  test('an idle connection of another project makes room, the longest idle first, and one place stays free', async () => {
    const { budget, clock } = manualBudget({ total: 4, perProject: 2 });
    const [old, young, asking] = [1, 2, 3].map(() => new NumberLane(budget.openShare()));
    if (!old || !young || !asking) throw new Error('three lanes were made');
    const slots = [...(await old.takeMany(2))];
    const last = await young.takeMany(1);
    for (const slot of slots) old.lane.release(slot);
    await clock.advance(5);
    for (const slot of last) young.lane.release(slot);
    await asking.takeMany(2);
    expect([old.alive, young.alive]).toEqual([0, 1]);
  });

  test('what a project above its fair part releases goes to one below it', async () => {
    const { budget } = manualBudget({ total: 4, perProject: 2 });
    const lanes = [1, 2, 3, 4].map(() => new NumberLane(budget.openShare()));
    const [rich, alsoRich, poor, alsoPoor] = lanes;
    if (!rich || !alsoRich || !poor || !alsoPoor) throw new Error('four lanes were made');
    const [slot] = await rich.takeMany(2);
    await alsoRich.takeMany(1);
    await poor.take();
    rich.ask();
    const asked = alsoPoor.ask();
    await settled();
    expect(asked.slot).toBeUndefined();
    if (slot) rich.lane.release(slot);
    await settled();
    expect(asked.slot).toBeDefined();
    expect(rich.alive).toBe(1);
  });

  test('two projects at the limit of the budget both go on', async () => {
    const { budget } = manualBudget({ total: 4, perProject: 2 });
    const lanes = [1, 2, 3].map(() => new NumberLane(budget.openShare()));
    const done = lanes.map(() => 0);
    const work = lanes.flatMap((lane, index) =>
      Array.from({ length: 50 }, async () => {
        const slot = await lane.take();
        await Promise.resolve();
        done[index] = (done[index] ?? 0) + 1;
        lane.lane.release(slot);
      }),
    );
    await Promise.all(work);
    expect(done).toEqual([50, 50, 50]);
  });
});

describe('closing a share', () => {
  test('waiters and newcomers are refused, idle ones closed, busy ones when they are given back', async () => {
    const { budget } = manualBudget({ perProject: 2 });
    const share = budget.openShare();
    const lane = new NumberLane(share);
    const [busy, idle] = await lane.takeMany(2);
    if (!busy || !idle) throw new Error('two slots were taken');
    const waiting = lane.ask();
    lane.lane.release(idle);
    await settled();
    if (waiting.slot) lane.lane.release(waiting.slot);
    const late = lane.ask();
    const closing = share.close(5_000);
    await settled();
    expect(late.error ?? late.slot).toBeDefined();
    await expect(lane.take()).rejects.toMatchObject({ code: 'SHUTTING_DOWN', status: 503 });
    if (late.slot) lane.lane.release(late.slot);
    lane.lane.release(busy);
    await closing;
    expect(lane.alive).toBe(0);
    expect(budget.stats().open).toBe(0);
  });

  test('after the drain time busy connections are closed as well', async () => {
    const { budget, clock } = manualBudget();
    const share = budget.openShare();
    const lane = new NumberLane(share);
    const slot = await lane.take();
    const closing = share.close(5_000);
    await clock.advance(5_000);
    await closing;
    lane.lane.release(slot);
    expect(budget.stats().open).toBe(0);
  });

  test('a connection that is opened meanwhile is closed', async () => {
    const { budget } = manualBudget();
    const share = budget.openShare();
    const lane = new NumberLane(share);
    lane.isHeld = true;
    const asked = lane.ask();
    await settled();
    const closing = share.close(5_000);
    await lane.letOpen();
    await closing;
    expect(asked.error).toMatchObject({ code: 'SHUTTING_DOWN' });
    expect(lane.alive).toBe(0);
  });
});
