// The rules of the connection budget, for any state that it may be in.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { grantsOf } from './choose.js';
import { giveUp, growthOf, placesFor, placesForAll } from './decide.js';
import { roomIn, unservedIn, unservedOf } from './facts.js';
import { Pace } from './pace.js';
import type { Action, LaneState, PoolState, ProjectState, SlotState } from './state.js';
import type { LeaseMode } from './types.js';

const NOW = 10_000;
const TOTAL = 10;
const PER_PROJECT = 4;
const KEPT = 1;
const DEPTH = 3;

interface LaneSeed {
  readonly slots: readonly { users: number; shared: boolean; closing: boolean; ageMs: number }[];
  readonly opening: number;
  readonly isPaced: boolean;
  readonly waiters: readonly { mode: LeaseMode; ageMs: number }[];
}

const laneSeeds: fc.Arbitrary<LaneSeed> = fc.record({
  slots: fc.array(
    fc.record({
      users: fc.nat(DEPTH),
      shared: fc.boolean(),
      closing: fc.boolean(),
      ageMs: fc.nat(2_000),
    }),
    { maxLength: 3 },
  ),
  opening: fc.nat(1),
  isPaced: fc.boolean(),
  waiters: fc.array(
    fc.record({
      mode: fc.constantFrom<LeaseMode>('exclusive', 'shared'),
      ageMs: fc.nat(1_500),
    }),
    { maxLength: 6 },
  ),
});

const pools = fc
  .record({
    areSeveral: fc.boolean(),
    seeds: fc.array(
      fc.record({
        isClosed: fc.integer({ min: 0, max: 9 }).map((drawn) => drawn === 0),
        lanes: fc.array(laneSeeds, { minLength: 1, maxLength: 3 }),
      }),
      { minLength: 1, maxLength: 5 },
    ),
  })
  .map(({ areSeveral, seeds }) => {
    const pool: PoolState = {
      limits: { total: TOTAL, perProject: PER_PROJECT, idleMs: 1, maxWaitMs: 1, maxWaiting: 99 },
      keptForFirst: KEPT,
      projects: new Set(),
      asking: new Set(),
      now: NOW,
      severalUntil: areSeveral ? NOW + 1 : -Infinity,
      open: 0,
      closing: 0,
    };
    for (const seed of seeds) addProject(pool, seed);
    return pool;
  });

function addProject(
  pool: PoolState,
  seed: { isClosed: boolean; lanes: readonly LaneSeed[] },
): void {
  const project: ProjectState = {
    lanes: [],
    replacements: new Set(),
    open: 0,
    closing: 0,
    waiting: 0,
    isClosed: seed.isClosed,
    onEmpty: undefined,
  };
  pool.projects.add(project);
  for (const lane of seed.lanes) project.lanes.push(laneOf(pool, project, lane));
  if (project.waiting > 0) pool.asking.add(project);
}

/** A lane of what the seed asks for, as far as the limits allow. */
function laneOf(pool: PoolState, project: ProjectState, seed: LaneSeed): LaneState {
  const lane: LaneState = {
    project,
    plan: { depth: DEPTH, open: () => Promise.resolve(), close: () => Promise.resolve() },
    pace: seed.isPaced ? new Pace(2) : undefined,
    waiting: new Set(),
    slots: new Set(),
    idle: [],
    shared: [],
    waitingShared: 0,
    opening: 0,
    release: () => undefined,
  };
  const hasPlace = (): boolean => {
    const kept = project.open === 0 ? 0 : KEPT;
    if (project.open >= PER_PROJECT || TOTAL - pool.open <= kept) return false;
    project.open++;
    pool.open++;
    return true;
  };
  // The connection that is idle for longest comes first.
  for (const each of seed.slots.toSorted((a, b) => b.ageMs - a.ageMs)) {
    if (hasPlace()) addSlot(pool, lane, each);
  }
  if (seed.opening > 0 && hasPlace()) lane.opening++;
  if (project.isClosed) return lane;
  for (const { mode, ageMs } of seed.waiters.toSorted((a, b) => b.ageMs - a.ageMs)) {
    lane.waiting.add({ mode, since: NOW - ageMs, grant: () => undefined, refuse: () => undefined });
    if (mode === 'shared') lane.waitingShared++;
    project.waiting++;
  }
  return lane;
}

function addSlot(pool: PoolState, lane: LaneState, seed: LaneSeed['slots'][number]): void {
  const isShared = seed.shared && seed.users > 0;
  const state = seed.closing
    ? 'closing'
    : seed.users === 0
      ? 'idle'
      : isShared
        ? 'shared'
        : 'exclusive';
  const slot: SlotState = {
    lane,
    connection: undefined,
    state,
    users: seed.closing ? 0 : isShared ? seed.users : Math.min(1, seed.users),
    idleSince: NOW - seed.ageMs,
    movedAt: NOW - seed.ageMs,
    isUsable: !seed.closing,
  };
  lane.slots.add(slot);
  if (state === 'idle') lane.idle.push(slot);
  if (state === 'shared') lane.shared.push(slot);
  if (state !== 'closing') return;
  pool.closing++;
  lane.project.closing++;
}

const lanesOf = (pool: PoolState): LaneState[] => [...pool.projects].flatMap(({ lanes }) => lanes);

const opensIn = (actions: readonly Action[], project: ProjectState): number =>
  actions.filter((action) => action.kind === 'open' && action.lane.project === project).length;

const closesOf = (actions: readonly Action[]): SlotState[] =>
  actions.flatMap((action) => (action.kind === 'close' ? [action.slot] : []));

function holds(rule: (pool: PoolState) => void): void {
  fc.assert(fc.property(pools, rule), { numRuns: 500 });
}

test('a decision changes nothing', () => {
  const look = (pool: PoolState): string =>
    JSON.stringify([
      pool,
      [...pool.projects].map(({ replacements, lanes, ...numbers }) => [
        replacements.size,
        numbers,
        lanes.length,
      ]),
      lanesOf(pool).map(({ waiting, idle, shared, slots, opening, waitingShared }) => [
        [...waiting].map(({ since, mode }) => [since, mode]),
        [idle, shared, [...slots]].map((each) => each.map(({ users, state }) => [users, state])),
        [opening, waitingShared],
      ]),
    ]);
  holds((pool) => {
    const before = look(pool);
    placesForAll(pool);
    for (const lane of lanesOf(pool)) grantsOf(lane, pool);
    expect(look(pool)).toBe(before);
  });
});

test('no project and not all together ever have more than their limit, and the kept places stay', () => {
  holds((pool) => {
    const actions = placesForAll(pool);
    let all = pool.open;
    const own = new Map([...pool.projects].map((project) => [project, project.open]));
    for (const action of actions) {
      if (action.kind !== 'open') continue;
      const before = own.get(action.lane.project) ?? 0;
      expect(before).toBeLessThan(PER_PROJECT);
      expect(TOTAL - all).toBeGreaterThan(before === 0 ? 0 : KEPT);
      expect(action.lane.project.isClosed).toBe(false);
      own.set(action.lane.project, before + 1);
      all++;
    }
  });
});

test('nobody waits for a connection while there is room for one', () => {
  holds((pool) => {
    const actions = placesForAll(pool);
    const all = pool.open + actions.filter(({ kind }) => kind === 'open').length;
    for (const project of pool.projects) {
      const opened = opensIn(actions, project);
      if (project.isClosed || unservedOf(project, pool) <= opened) continue;
      const own = project.open + opened;
      expect(own >= PER_PROJECT || TOTAL - all <= (own === 0 ? 0 : KEPT)).toBe(true);
    }
  });
});

test('the first connection of a project is opened, or room is made for it if anything is idle', () => {
  holds((pool) => {
    const actions = placesForAll(pool);
    const first = [...pool.projects].filter(
      (project) => project.open === 0 && unservedOf(project, pool) > opensIn(actions, project),
    );
    const left = first.filter((project) => opensIn(actions, project) === 0).length;
    if (left === 0) return;
    const closed = closesOf(actions);
    const idle = lanesOf(pool).reduce((sum, lane) => sum + lane.idle.length, 0) - closed.length;
    expect(pool.open + actions.filter(({ kind }) => kind === 'open').length).toBe(TOTAL);
    expect(idle === 0 || pool.closing + closed.length >= left).toBe(true);
  });
});

test('a project alone is decided about like all of them', () => {
  holds((pool) => {
    const [only] = pool.projects;
    if (!only || pool.asking.size !== 1 || !pool.asking.has(only)) return;
    expect(placesFor(pool, only)).toEqual(placesForAll(pool));
  });
});

test('no connection is closed that somebody uses, and none twice', () => {
  holds((pool) => {
    const closed = closesOf(placesForAll(pool));
    expect(new Set(closed).size).toBe(closed.length);
    expect(closed.filter(({ state }) => state !== 'idle')).toEqual([]);
    // No lane loses a connection before one that was idle for longer.
    for (const lane of new Set(closed.map((slot) => slot.lane))) {
      const own = closed.filter((slot) => slot.lane === lane);
      expect(own).toEqual(lane.idle.slice(0, own.length));
    }
  });
});

test('no more connections are closed than there are waiters', () => {
  holds((pool) => {
    const closed = closesOf(placesForAll(pool)).length;
    const waiting = [...pool.projects].reduce((sum, project) => sum + project.waiting, 0);
    expect(closed).toBeLessThanOrEqual(waiting);
  });
});

test('the project with the fewest connections opens first', () => {
  holds((pool) => {
    const opens = placesForAll(pool).flatMap((action) =>
      action.kind === 'open' ? [action.lane.project.open] : [],
    );
    expect(opens).toEqual(opens.toSorted((a, b) => a - b));
  });
});

test('a connection that nobody waits for takes no kept place', () => {
  holds((pool) => {
    for (const lane of lanesOf(pool)) {
      if (growthOf(pool, lane).length === 0) continue;
      expect(lane.project.open).toBeLessThan(PER_PROJECT);
      expect(TOTAL - pool.open).toBeGreaterThan(lane.project.open === 0 ? 0 : KEPT);
    }
  });
});

test('no connection is granted twice, but a shared one up to its depth', () => {
  holds((pool) => {
    for (const lane of lanesOf(pool)) {
      const users = new Map<SlotState, number>();
      const modes = new Map<SlotState, Set<string>>();
      for (const { slot, waiter } of grants(lane, pool)) {
        const before = users.get(slot) ?? slot.users;
        expect(before).toBeLessThan(waiter.mode === 'shared' ? DEPTH : 1);
        users.set(slot, before + 1);
        const known = slot.state === 'idle' ? [] : [slot.state];
        modes.set(slot, (modes.get(slot) ?? new Set(known)).add(waiter.mode));
        expect(['idle', 'shared']).toContain(slot.state);
      }
      for (const each of modes.values()) expect(each.size).toBe(1);
    }
  });
});

test('who came first is served first, and only quick reads pass those who wait for the pace', () => {
  holds((pool) => {
    for (const lane of lanesOf(pool)) {
      const granted = grants(lane, pool).map(({ waiter }) => waiter);
      const queue = [...lane.waiting];
      if (roomIn(lane, pool) === Infinity) expect(granted).toEqual(queue.slice(0, granted.length));
      for (const mode of ['exclusive', 'shared'] as const) {
        const own = granted.filter((waiter) => waiter.mode === mode);
        const all = queue.filter((waiter) => waiter.mode === mode);
        expect(own).toEqual(all.slice(0, own.length));
      }
    }
  });
});

test('nobody waits beside an idle connection, but for the pace', () => {
  holds((pool) => {
    for (const lane of lanesOf(pool)) {
      if (roomIn(lane, pool) !== Infinity) continue;
      const given = grants(lane, pool);
      const idle = lane.idle.filter((slot) => !given.some((grant) => grant.slot === slot));
      expect(idle.length === 0 || given.length === lane.waiting.size).toBe(true);
    }
  });
});

test('what is given back is given up only where somebody else waits', () => {
  holds((pool) => {
    for (const lane of lanesOf(pool)) {
      for (const slot of lane.slots) {
        const action = giveUp(pool, slot);
        if (!action || lane.project.isClosed) continue;
        const others = lanesOf(pool).filter((other) => other !== lane);
        expect(others.some((other) => unservedIn(other, pool) > 0)).toBe(true);
        if (action.kind === 'close' && action.replacedBy)
          expect(others).toContain(action.replacedBy);
      }
    }
  });
});

function grants(lane: LaneState, pool: PoolState) {
  return grantsOf(lane, pool).flatMap((action) => (action.kind === 'grant' ? [action] : []));
}
