import { describe, expect, test } from 'vitest';
import { manualBudget, NumberLane, settled } from './manual-budget.js';

describe('a paced lane', () => {
  /** Statements of `flood` that slow each other down, until its limit has fallen. */
  async function slowedDown(given: { isOther: boolean }) {
    const { budget, clock } = manualBudget({ perProject: 6 });
    const flood = new NumberLane(budget.openShare(), 8, true);
    const other = new NumberLane(budget.openShare());
    const usual = { calmMs: 10 };
    for (let round = 0; round < 100; round++) {
      const slots = await flood.takeMany(6);
      await clock.advance(50);
      flood.lane.noteTime(usual, 100);
      for (const slot of slots) flood.lane.release(slot);
    }
    if (given.isOther) other.lane.release(await other.take());
    return { flood, other, clock };
  }
  const granted = (asked: readonly { slot: unknown }[]) => asked.filter(({ slot }) => slot).length;

  test('uses one connection while another project is active', async () => {
    const { flood } = await slowedDown({ isOther: true });
    const asked = Array.from({ length: 6 }, () => flood.ask());
    await settled();
    expect(granted(asked)).toBe(1);
    const [first] = asked;
    if (first?.slot) flood.lane.release(first.slot);
    await settled();
    expect(granted(asked)).toBe(2);
    expect(flood.opened).toBe(6);
  });

  test('uses all of them while it is alone', async () => {
    const { flood } = await slowedDown({ isOther: false });
    const asked = Array.from({ length: 6 }, () => flood.ask());
    await settled();
    expect(granted(asked)).toBe(6);
  });

  test('uses all of them again when the others have been quiet for a second', async () => {
    const { flood, clock } = await slowedDown({ isOther: true });
    const asked = Array.from({ length: 6 }, () => flood.ask());
    await settled();
    expect(granted(asked)).toBe(1);
    await clock.advance(1_000);
    expect(granted(asked)).toBe(6);
  });

  test('does not count connections on which nothing has ended for a quarter of a second', async () => {
    const { flood, clock } = await slowedDown({ isOther: true });
    const long = await flood.take();
    const asked = flood.ask();
    await clock.advance(200);
    expect(asked.slot).toBeUndefined();
    await clock.advance(100);
    expect(asked.slot).toBeDefined();
    expect(long.users).toBe(1);
  });

  test('has one more connection for quick reads, which share it and pass those who wait', async () => {
    const { flood } = await slowedDown({ isOther: true });
    const writes = Array.from({ length: 3 }, () => flood.ask());
    await settled();
    expect(granted(writes)).toBe(1);
    const reads = Array.from({ length: 3 }, () => flood.ask('shared'));
    await settled();
    expect(granted(reads)).toBe(3);
    expect(new Set(reads.map(({ slot }) => slot)).size).toBe(1);
    expect(granted(writes)).toBe(1);
  });

  test('is light while one request alone uses it beside another active project', async () => {
    const { budget } = manualBudget({ perProject: 6 });
    const calm = new NumberLane(budget.openShare(), 8, true);
    const other = new NumberLane(budget.openShare());
    const alone = await calm.take();
    expect(calm.lane.isLight).toBe(false);
    other.lane.release(await other.take());
    expect(calm.lane.isLight).toBe(true);
    const more = await calm.take();
    expect(calm.lane.isLight).toBe(false);
    calm.lane.release(more);
    expect(calm.lane.isLight).toBe(true);
    calm.lane.release(alone);
  });

  test('opens the connection for quick reads when none is idle', async () => {
    const { flood } = await slowedDown({ isOther: true });
    flood.lane.closeIdle();
    await settled();
    const writes = Array.from({ length: 3 }, () => flood.ask());
    await settled();
    expect(granted(writes)).toBe(1);
    const read = flood.ask('shared');
    await settled();
    expect(read.slot).toBeDefined();
    expect(granted(writes)).toBe(1);
    expect(flood.alive).toBe(2);
  });
});
