// Decides what the connection budget does next: a function from its state to a list of actions. Nothing here changes
// the state, waits or reads a clock.
//
// Rules: no request waits while there is space; one project has at most `perProject` connections; the last tenth of the
// budget is reserved for projects without any connection, so that a quiet project always gets its first; if the budget
// is full, the least recently used idle connection is closed; if all are busy, projects above their fair share pass
// connections that they release to projects below it.

import { Draft } from './draft.js';
import {
  headSince,
  isPlaceFor,
  isSmaller,
  isStill,
  sizeOf,
  unservedIn,
  unservedOf,
} from './facts.js';
import type { Action, LaneState, PoolState, ProjectState, SlotState } from './state.js';

/** A lane may take over a connection of a larger lane after the first of its queue has waited for this long. */
const LANE_SWITCH_MS = 50;
/** The same for any other lane none of whose connections has moved for this long: their work may take forever. */
const LANE_STARVED_MS = 1_000;

/** Opens as many connections as the project has waiters, as far as the limits and idle connections allow. */
export function placesFor(pool: PoolState, project: ProjectState): Action[] {
  const draft = new Draft(pool);
  draft.openForWaiting(project);
  return draft.actions;
}

/** The same for all projects with waiters, the one with the fewest connections first. */
export function placesForAll(pool: PoolState): Action[] {
  if (pool.asking.size === 0) return [];
  const unserved = [...pool.asking].filter((project) => unservedOf(project, pool) > 0);
  const draft = new Draft(pool);
  for (const project of unserved.sort((a, b) => a.open - b.open)) draft.openForWaiting(project);
  return draft.actions;
}

/**
 * Opens a connection ahead of demand, unless another would have to be closed for it or only reserved places are left.
 */
export function growthOf(pool: PoolState, lane: LaneState): Action[] {
  const { isClosed, open } = lane.project;
  return !isClosed && isPlaceFor(open, pool.open, pool) ? [{ kind: 'open', lane }] : [];
}

/** Closes a connection that was just released, if it is needed more elsewhere. */
export function giveUp(pool: PoolState, slot: SlotState): Action | undefined {
  const { project } = slot.lane;
  if (project.isClosed || exceedsFairShare(pool, project)) return { kind: 'close', slot };
  const replacedBy = project.waiting > 0 ? laneBefore(pool, slot.lane) : undefined;
  return replacedBy && { kind: 'close', slot, replacedBy };
}

/** Refuses one waiter for each failed attempt to open a connection: the next attempt may succeed. */
export function afterFailure(lane: LaneState, because: Error): Action[] {
  for (const waiter of lane.waiting) return [{ kind: 'refuse', waiter, because }];
  return [];
}

/** Refuses the waiters and closes the idle connections of a project without use for them. */
export function endOf(project: ProjectState, because: Error): Action[] {
  return project.lanes.flatMap((lane): Action[] => [
    ...[...lane.waiting].map((waiter): Action => ({ kind: 'refuse', waiter, because })),
    ...idleOf(lane),
  ]);
}

/** Closes all idle connections of a lane. */
export function idleOf(lane: LaneState): Action[] {
  return lane.idle.map((slot): Action => ({ kind: 'close', slot }));
}

/** Closes all connections of a project. */
export function restOf(project: ProjectState): Action[] {
  const usable = project.lanes.flatMap((lane) => [...lane.slots].filter((slot) => slot.isUsable));
  return usable.map((slot): Action => ({ kind: 'close', slot }));
}

/** Closes connections that were idle for too long. `nextAt`: when to check again; undefined if none is idle. */
export function sweep(pool: PoolState): { actions: Action[]; nextAt: number | undefined } {
  const actions: Action[] = [];
  let nextAt: number | undefined;
  for (const project of pool.projects) {
    for (const slot of project.lanes.flatMap((lane) => lane.idle)) {
      const endsAt = slot.idleSince + pool.limits.idleMs;
      if (endsAt <= pool.now) actions.push({ kind: 'close', slot });
      else nextAt = Math.min(nextAt ?? Infinity, endsAt);
    }
  }
  return { actions, nextAt };
}

/** Whether a project has more than its fair share while others below theirs wait for a connection. */
function exceedsFairShare(pool: PoolState, project: ProjectState): boolean {
  if (pool.asking.size === 0) return false;
  const fair = fairPart(pool);
  if (project.open <= fair) return false;
  let needed = 0;
  for (const other of pool.asking) {
    if (other === project || isPlaceFor(other.open, pool.open, pool)) continue;
    needed += Math.max(0, Math.min(unservedOf(other, pool), fair - other.open));
  }
  return needed > pool.closing;
}

function fairPart({ projects, limits }: PoolState): number {
  let active = 0;
  for (const { open, waiting } of projects) if (open > 0 || waiting > 0) active++;
  return Math.max(1, Math.floor(limits.total / Math.max(1, active)));
}

/**
 * The lane that takes precedence over `lane`: it has no connection at all, or an older queue and fewer connections, or
 * its connections have stood still for too long. A lane that only has much to do does not: two such lanes would open
 * a connection for each request.
 */
function laneBefore(pool: PoolState, lane: LaneState): LaneState | undefined {
  const { lanes, closing } = lane.project;
  return lanes.find((other) => {
    if (other === lane || other.waiting.size === 0) return false;
    if (unservedIn(other, pool) <= closing) return false;
    if (sizeOf(other) === 0) return true;
    const since = headSince(other);
    if (since >= headSince(lane)) return false;
    const isFewer = isSmaller(sizeOf(other), sizeOf(lane));
    if (isFewer) return pool.now - since > LANE_SWITCH_MS;
    return pool.now - since > LANE_STARVED_MS && isStill(other, pool.now - LANE_STARVED_MS);
  });
}
